import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';
import type { Metrics } from '../domain/telemetry';
import { addStateGauges, type StateSources } from './state-gauges';

// The measurements of one process in the format of Prometheus. Each gateway has a registry of its own. The page
// docs/observability.md lists every metric; a test compares it with this code.

export interface Prometheus {
  readonly metrics: Metrics;
  /** Adds the gauges, whose values are read when the metrics are. Call it once. */
  watch(sources: StateSources): void;
  readonly registry: Registry;
}

/** Node's own histogram of the event loop takes a sample each time; the default would be twice as many. */
const LOOP_RESOLUTION_MS = 20;
const KNOWN_METHODS = new Set(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT']);

/** The upper bounds of the histograms, in seconds. */
const buckets = {
  request: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  provider: [0.05, 0.1, 0.2, 0.35, 0.5, 0.75, 1, 1.5, 2.5, 5, 10, 30, 60],
  message: [0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 60, 120, 300, 600],
  video: [5, 10, 20, 30, 60, 90, 120, 180, 300, 600, 900, 1_800, 3_600],
  job: [0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800],
} as const;

const seconds = (ms: number) => ms / 1_000;

/** `worker`: the id of this process among the WEB_CONCURRENCY processes; undefined if there is only one. */
export function createPrometheus({
  version,
  role,
  worker,
}: {
  readonly version: string;
  readonly role: string;
  readonly worker?: number | undefined;
}): Prometheus {
  const registry = new Registry();
  if (worker !== undefined) registry.setDefaultLabels({ worker: String(worker) });
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LOOP_RESOLUTION_MS });

  const counter = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
    new Counter({ name, help, labelNames, registers: [registry] });
  const histogram = <Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
    of: readonly number[],
  ) => new Histogram({ name, help, labelNames, buckets: [...of], registers: [registry] });

  const requests = counter('patchbay_http_requests_total', 'Answered requests of the API and of the console.', [
    'route',
    'method',
    'status',
  ]);
  const requestSeconds = histogram(
    'patchbay_http_request_duration_seconds',
    'Time until the response began.',
    ['route', 'method'],
    buckets.request,
  );
  const attempts = counter('patchbay_provider_attempts_total', 'Calls of providers, also failed ones.', [
    'capability',
    'provider',
    'result',
  ]);
  const attemptSeconds = histogram(
    'patchbay_provider_attempt_duration_seconds',
    'Time until a provider began to deliver, or failed.',
    ['capability', 'provider'],
    buckets.provider,
  );
  const messages = counter('patchbay_messages_total', 'Messages that have ended.', ['model', 'provider', 'result']);
  const messageSeconds = histogram(
    'patchbay_message_duration_seconds',
    'Time from the request to the end of the answer.',
    ['provider'],
    buckets.message,
  );
  const firstToken = histogram(
    'patchbay_message_first_token_seconds',
    'Time from the request to the first token of a message.',
    ['model', 'provider'],
    buckets.provider,
  );
  const tokens = counter('patchbay_tokens_total', 'Tokens of messages.', ['model', 'provider', 'kind']);
  const submitted = counter('patchbay_videos_submitted_total', 'Accepted submissions of videos.', ['model', 'mode']);
  const videos = counter('patchbay_videos_total', 'Videos that have ended.', ['model', 'provider', 'mode', 'result']);
  const videoSeconds = histogram(
    'patchbay_video_duration_seconds',
    'Time from the submission of a video to its end.',
    ['provider', 'mode'],
    buckets.video,
  );
  const madeSeconds = counter('patchbay_video_seconds_total', 'Length of completed videos in seconds.', [
    'model',
    'provider',
    'mode',
  ]);
  const audio = counter('patchbay_audio_total', 'Transcriptions and generated texts that have ended.', [
    'kind',
    'model',
    'provider',
    'result',
  ]);
  const firstResult = histogram(
    'patchbay_audio_first_result_seconds',
    'Time from the start to the first text of a transcription, or to the first audio of a generated text.',
    ['kind', 'provider'],
    buckets.provider,
  );
  const audioSeconds = counter('patchbay_audio_seconds_total', 'Seconds of transcribed audio.', ['model', 'provider']);
  const characters = counter('patchbay_speech_characters_total', 'Characters of generated speech.', [
    'model',
    'provider',
  ]);
  const jobs = counter('patchbay_jobs_total', 'Runs of jobs that have ended.', ['kind', 'result']);
  const jobSeconds = histogram('patchbay_job_duration_seconds', 'Time of one run of a job.', ['kind'], buckets.job);
  const webhooks = counter('patchbay_webhook_attempts_total', 'Attempts to deliver a webhook.', ['result']);
  const webhookSeconds = histogram(
    'patchbay_webhook_duration_seconds',
    'Time until the receiver of a webhook answered.',
    [],
    buckets.provider,
  );

  const metrics: Metrics = {
    requestAnswered({ route, method: given, status, ms }) {
      const method = KNOWN_METHODS.has(given) ? given : 'other';
      requests.inc({ route, method, status });
      requestSeconds.observe({ route, method }, seconds(ms));
    },
    attemptEnded({ capability, provider, code, ms }) {
      attempts.inc({ capability, provider, result: code ?? 'ok' });
      attemptSeconds.observe({ capability, provider }, seconds(ms));
    },
    messageEnded({ model, provider = 'none', code, ms, firstTokenMs, tokens: counted }) {
      messages.inc({ model, provider, result: code ?? 'completed' });
      messageSeconds.observe({ provider }, seconds(ms));
      if (firstTokenMs !== undefined) firstToken.observe({ model, provider }, seconds(firstTokenMs));
      const kinds = [
        ['input', counted.input],
        ['cache_read', counted.cacheRead],
        ['cache_write', counted.cacheWrite5m + counted.cacheWrite1h],
        ['output', counted.output],
      ] as const;
      for (const [kind, count] of kinds) if (count > 0) tokens.inc({ model, provider, kind }, count);
    },
    videoSubmitted: (labels) => submitted.inc(labels),
    videoEnded({ model, provider = 'none', mode, code, ms, seconds: length }) {
      videos.inc({ model, provider, mode, result: code ?? 'completed' });
      videoSeconds.observe({ provider, mode }, seconds(ms));
      if (length !== undefined) madeSeconds.inc({ model, provider, mode }, length);
    },
    audioEnded({ kind, model, provider, outcome, audioMillis, characters: count, firstResultMs }) {
      audio.inc({ kind, model, provider, result: outcome });
      if (firstResultMs !== undefined) firstResult.observe({ kind, provider }, seconds(firstResultMs));
      if (audioMillis > 0) audioSeconds.inc({ model, provider }, seconds(audioMillis));
      if (count > 0) characters.inc({ model, provider }, count);
    },
    jobEnded({ kind, result, ms }) {
      jobs.inc({ kind, result });
      jobSeconds.observe({ kind }, seconds(ms));
    },
    webhookSent({ outcome, ms }) {
      webhooks.inc({ result: outcome });
      webhookSeconds.observe(seconds(ms));
    },
  };

  return { metrics, registry, watch: (sources) => addStateGauges(registry, { version, role }, sources) };
}
