import { minutePrice } from '../billing/quote-audio';
import type { Catalog } from '../catalog/catalog';
import type { Clock } from '../domain/clock';
import { errorForLog, GatewayError, isGatewayError, upstreamFailed } from '../domain/errors';
import { newId } from '../domain/ids';
import type { Log } from '../domain/log';
import { pcmSeconds, sampleBytes } from '../domain/pcm';
import type { SttEvent, Transcript } from '../domain/transcription';
import type { MeterOutcome } from '../db/schema/index';
import type { ProviderHealth } from '../routing/provider-health';
import type { SpeechRoutes, SttRoute } from '../routing/speech-routes';
import { createAudioQueue } from './audio-queue';
import { parseMessage } from './message-fields';
import type { Meters } from './meters';
import type { Session, SessionStart } from './session';
import { budgetExhausted, type TranscriptionMeter } from './session-budget';
import { closeCodes, refusalOf } from './session-errors';
import { watchSession } from './session-limits';
import { alreadyConfigured, languageOf, notYetConfigured, parseConfigure, partialSample, presentDone, presentStarted, presentTranscript, unknownType, type Configuration } from './transcription-wire';

// One transcription from the first message to the bill:
//
//   new ──configure──▶ opening ──upstream ready──▶ live ──stop──▶ stopping ──last transcript──▶ over
//
// Sound that comes while the upstream opens waits; `stop` may come then too. Whatever ends the session ends it once, here:
// the upstream is told, the last interim text becomes final, the bill is settled, the socket is closed.

export interface TranscriptionDeps {
  readonly catalog: Catalog;
  readonly routes: SpeechRoutes;
  readonly health: ProviderHealth;
  readonly meters: Meters;
  readonly clock: Clock;
  readonly log: Log;
}

/** From an accepted configure to a ready upstream, all attempts together. */
const READY_MS = 5_000;
/** Sound that may wait for the upstream to open. */
const EARLY_SECONDS = 5;
const EARLY_BYTES = 1_048_576;
/** Sound that may lie between caller and upstream before the caller has to wait, and when he may go on. */
const AHEAD_SECONDS = 2;
const GO_ON_SECONDS = 1;
/** An upstream that has taken no sound for so long is stuck. */
const STUCK_MS = 10_000;
/** From stop to the end, when the upstream is silent; each of its words gives it another second, up to the most. */
const GRACE_MS = 5_000;
const GRACE_MORE_MS = 1_000;
const GRACE_MOST_MS = 10_000;
/** Interim text is replaced anyway: a slow reader gets less of it. */
const DROP_INTERIM_BYTES = 65_536;
const METER_TICK_MS = 1_000;
/** The bill is settled before the goodbye, but nobody waits longer than this for it. */
const SETTLE_WAIT_MS = 1_000;

type State = 'new' | 'opening' | 'live' | 'stopping' | 'over';

interface Goodbye {
  readonly texts: readonly string[];
  readonly closeCode: number;
  readonly reason: string;
  readonly outcome: MeterOutcome;
}

export function startTranscription(deps: TranscriptionDeps, { channel, caller, scenario }: SessionStart): Session {
  const { clock, log, meters } = deps;
  const id = newId('session');
  const ending = new AbortController();
  const queue = createAudioQueue(() => pulled());
  const now = () => clock.now().getTime();
  let state: State = 'new';
  let configuration: Configuration | undefined;
  let configuredAt = 0;
  let readyAt = 0;
  let meter: TranscriptionMeter | undefined;
  /** The meter as soon as it is there: a session that ends meanwhile still has to settle it. */
  let metering: Promise<TranscriptionMeter | undefined> = Promise.resolve(undefined);
  let forwardedBytes = 0;
  let reportedSeconds: number | undefined;
  let lastInterim: Transcript | undefined;
  let closing: { code: number; reason: string } = { code: closeCodes.normal, reason: 'done' };
  let callerWaits = false;
  let stoppedAt = 0;
  let graceUntil = 0;
  let stopTimers: (() => void)[] = [];
  let resolveEnded: () => void = () => {};
  const ended = new Promise<void>((resolve) => {
    resolveEnded = resolve;
  });

  const limits = watchSession({
    channel,
    clock,
    events: {
      idle: () => leave({ texts: [], closeCode: closeCodes.normal, reason: 'idle_timeout', outcome: 'done' }),
      longest: () => stop({ code: closeCodes.normal, reason: 'max_duration' }),
      dead: () => vanish(),
      slow: () => leave({ texts: [], closeCode: closeCodes.slow, reason: 'slow_reader', outcome: 'failed' }),
    },
  });

  function send(text: string): void {
    channel.send(text);
    limits.sent();
  }

  function onMessage(data: string | Uint8Array): void {
    if (state === 'over') return;
    limits.touch();
    try {
      if (typeof data === 'string') onText(data);
      else onAudio(data);
    } catch (error) {
      fail(error);
    }
  }

  function onText(text: string): void {
    const message = parseMessage(text);
    switch (message.type) {
      case 'configure':
        if (state !== 'new') throw alreadyConfigured();
        configuration = parseConfigure(message, deps.catalog, caller.policy);
        state = 'opening';
        configuredAt = now();
        void open(configuration).catch(fail);
        break;
      case 'stop':
        if (state === 'new') throw notYetConfigured();
        stop({ code: closeCodes.normal, reason: 'done' });
        break;
      default:
        // Newer clients may say more; what we do not know is refused and harms nothing.
        send(refusalOf(unknownType(message.type)).text);
    }
  }

  function onAudio(piece: Uint8Array): void {
    if (!configuration) throw notYetConfigured();
    if (state === 'stopping' || queue.isFinished() || piece.byteLength === 0) return;
    const { format } = configuration;
    if (piece.byteLength % sampleBytes(format) !== 0) throw partialSample(piece.byteLength, sampleBytes(format));
    queue.push(piece);
    const waitingSeconds = pcmSeconds(queue.bytes(), format);
    if (state === 'opening') {
      if (waitingSeconds > EARLY_SECONDS || queue.bytes() > EARLY_BYTES) {
        throw new GatewayError('upstream_timeout', `More than ${EARLY_SECONDS} seconds of audio came before the provider was ready. Wait for "session_started" before you send.`);
      }
    } else if (waitingSeconds > AHEAD_SECONDS && !callerWaits) letCallerWait();
  }

  function letCallerWait(): void {
    callerWaits = true;
    channel.pause();
    limits.waiting(true);
    const left = queue.bytes();
    after(STUCK_MS, () => {
      if (callerWaits && queue.bytes() >= left) fail(upstreamFailed({ retry: 'later', started: 'maybe' }, 'the provider takes no more audio'));
    });
  }

  function pulled(): void {
    if (!callerWaits || !configuration || pcmSeconds(queue.bytes(), configuration.format) > GO_ON_SECONDS) return;
    callerWaits = false;
    limits.waiting(false);
    channel.resume();
  }

  async function open(configured: Configuration): Promise<void> {
    const { model, bindings, format } = configured;
    limits.endAfter(model.stt.maxSessionSeconds * 1_000);
    const routes = deps.routes.transcription(model, bindings, caller.mode);
    const [first] = routes;
    const opening = meters.transcription({ caller, sessionId: id, model: model.id, provider: first.providerId }, minutePrice(first.binding.price, languageOf(configured) !== undefined));
    metering = opening.then(
      (opened) => (meter = opened),
      () => undefined,
    );
    const opened = await opening;
    await metering;
    if (isOver()) return;
    opened.exhausted.addEventListener('abort', () => leave({ texts: [], ...refused(budgetExhausted()), outcome: 'budget' }), { once: true });
    const stopReadyTimer = after(READY_MS, () => {
      if (readyAt === 0) fail(upstreamFailed({ retry: 'elsewhere', started: 'no' }, 'the provider was not ready in time', 'upstream_timeout'));
    });
    // One silent second attempt where there is only one provider.
    const attempts = routes.length > 1 ? routes : [first, first];
    for (const [index, route] of attempts.entries()) {
      try {
        await transcribe(route, configured, format, stopReadyTimer);
        deps.health.succeeded(route.providerId);
        return;
      } catch (error) {
        if (isOver()) return;
        const outcome = isGatewayError(error) ? error.extra.upstream : undefined;
        if (outcome?.retry !== 'never') deps.health.failed(route.providerId);
        if (readyAt > 0 || outcome === undefined || outcome.retry === 'never' || outcome.started !== 'no' || index === attempts.length - 1) throw error;
        log.info('a provider did not open a transcription; the next one is asked', { provider: route.providerId, model: model.id, attempt: index + 1 });
      }
    }
  }

  async function transcribe(route: SttRoute, configured: Configuration, format: Configuration['format'], stopReadyTimer: () => void): Promise<void> {
    const attempt = new AbortController();
    const signal = AbortSignal.any([ending.signal, attempt.signal]);
    const language = languageOf(configured);
    const obeys = caller.mode === 'test' || deps.routes.isStandIn(route.providerId);
    try {
      const events = route.stt.transcribe(
        queue.pieces((bytes) => pass(bytes, route), signal),
        { binding: route.binding, format, ...(language === undefined ? {} : { language }), ...(obeys && scenario !== undefined ? { scenario } : {}) },
        { signal, log },
      );
      for await (const event of events) {
        if (isOver()) return;
        // A provider that forgets that `ready` comes first, and once, confuses nobody but itself.
        if (event.kind !== 'ready') {
          if (readyAt > 0) onEvent(event);
        } else if (readyAt === 0) {
          stopReadyTimer();
          ready(route);
        }
      }
    } finally {
      attempt.abort();
    }
    if (isOver()) return;
    if (state === 'stopping') finish();
    else throw upstreamFailed({ retry: 'later', started: readyAt > 0 ? 'maybe' : 'no' }, 'the provider ended the transcription by itself');
  }

  /** Sound is paid for before it goes on. */
  function pass(bytes: number, route: SttRoute): boolean | Promise<boolean> {
    forwardedBytes += bytes;
    return meter?.use(usedMillis(route)) ?? false;
  }

  function usedMillis(route: SttRoute): number {
    const audioMillis = configuration ? pcmSeconds(forwardedBytes, configuration.format) * 1_000 : 0;
    return route.binding.price.meter === 'session' && readyAt > 0 ? Math.max(audioMillis, now() - readyAt) : audioMillis;
  }

  function ready(route: SttRoute): void {
    readyAt = now();
    if (route.binding.price.meter === 'session') tick(route);
    send(presentStarted(id));
    if (queue.isFinished()) beginGrace();
    else state = 'live';
  }

  /** An upstream that counts the time of the session goes on counting while nobody speaks. */
  function tick(route: SttRoute): void {
    after(METER_TICK_MS, () => {
      Promise.resolve(meter?.use(usedMillis(route))).catch(fail);
      tick(route);
    });
  }

  function onEvent(event: Exclude<SttEvent, { kind: 'ready' }>): void {
    if (state === 'stopping') graceUntil = Math.min(graceUntil + GRACE_MORE_MS, stoppedAt + GRACE_MOST_MS);
    if (event.kind === 'usage') {
      reportedSeconds = event.audioSeconds;
      return;
    }
    const { transcript } = event;
    if (transcript.isFinal) lastInterim = undefined;
    else lastInterim = transcript;
    if (transcript.isFinal || channel.unsentBytes() <= DROP_INTERIM_BYTES) send(presentTranscript(transcript));
  }

  function stop(goodbye: { code: number; reason: string }): void {
    if (state === 'over' || queue.isFinished()) return;
    closing = goodbye;
    if (state === 'new') return leave({ texts: [], closeCode: goodbye.code, reason: goodbye.reason, outcome: 'done' });
    queue.finish();
    if (callerWaits) {
      callerWaits = false;
      limits.waiting(false);
      channel.resume();
    }
    // While the upstream opens, the limit of its opening holds; the grace begins when it has the sound.
    if (state === 'live') beginGrace();
  }

  function beginGrace(): void {
    state = 'stopping';
    stoppedAt = now();
    graceUntil = stoppedAt + GRACE_MS;
    const look = () => {
      const left = graceUntil - now();
      if (left > 0) after(left, look);
      else finish();
    };
    after(GRACE_MS, look);
  }

  /** The proper end: nothing more will come from the upstream, or it has had its time. */
  function finish(): void {
    leave({ texts: [], closeCode: closing.code, reason: closing.reason, outcome: 'done' }, () => presentDone(audioSeconds(), (now() - configuredAt) / 1_000));
  }

  function audioSeconds(): number {
    return reportedSeconds ?? (configuration ? pcmSeconds(forwardedBytes, configuration.format) : 0);
  }

  function fail(error: unknown): void {
    if (state === 'over') return;
    if (!isGatewayError(error)) log.error('a transcription failed', { requestId: id, error: errorForLog(error) });
    else if (error.extra.detail !== undefined) log.warn('an upstream failed a transcription', { requestId: id, code: error.code, error: error.extra.detail });
    leave({ texts: [], ...refused(error), outcome: 'failed' });
  }

  function refused(error: unknown) {
    const { text, closeCode, closeReason } = refusalOf(error);
    return { last: text, closeCode, reason: closeReason };
  }

  /** The one exit. */
  function leave(goodbye: Goodbye & { readonly last?: string }, done?: () => string): void {
    if (state === 'over') return;
    const wasConfigured = configuration !== undefined;
    state = 'over';
    // The caller has seen it and will get nothing better.
    if (lastInterim && wasConfigured) send(presentTranscript({ ...lastInterim, isFinal: true }));
    const text = goodbye.last ?? done?.();
    void settle(goodbye.outcome).then(() => {
      if (text !== undefined) channel.send(text);
      channel.close(goodbye.closeCode, goodbye.reason);
    });
  }

  function vanish(): void {
    channel.cut();
    gone();
  }

  function gone(): void {
    if (state === 'over') return;
    state = 'over';
    void settle('cancelled');
  }

  async function settle(outcome: MeterOutcome): Promise<void> {
    limits.stop();
    for (const cancel of stopTimers) cancel();
    stopTimers = [];
    queue.finish();
    ending.abort();
    const settled = metering.then((opened) => opened?.settle(outcome)).finally(resolveEnded);
    const waited = new AbortController();
    await Promise.race([settled, clock.sleep(SETTLE_WAIT_MS, waited.signal)]);
    waited.abort();
  }

  function after(ms: number, run: () => void): () => void {
    if (state === 'over') return () => {};
    const cancel = clock.after(ms, () => {
      stopTimers = stopTimers.filter((other) => other !== cancel);
      if (state !== 'over') run();
    });
    stopTimers.push(cancel);
    return cancel;
  }

  const isOver = () => state === 'over';

  channel.listen({ message: onMessage, pong: () => limits.pong(), closed: gone });
  return {
    id,
    drain: () => stop({ code: closeCodes.goingAway, reason: 'shutting_down' }),
    refuse: (error) => leave({ texts: [], ...refused(error), outcome: 'cancelled' }),
    ended,
  };
}
