import type { ErrorCode } from './error-rules';
import type { ProviderId } from './ids';
import type { Capability } from './model';
import type { Mode } from './video';

// The measurements of the installation, as the use cases report them. All labels come from fixed lists of ours: route
// patterns, providers, models of the catalog and error codes. A report has no field for an organisation, a key, an
// address or anything else that a caller sends.

/** Why something ended without success; `caller_left`: the client disconnected. */
export type FailureCode = ErrorCode | 'caller_left';

export interface AnsweredRequest {
  /** The pattern of the route, or `unknown`. */
  readonly route: string;
  readonly method: string;
  /** 499 for a client that disconnected. */
  readonly status: number;
  /** Milliseconds until the response began. */
  readonly ms: number;
}

/** A call of a provider. */
export interface EndedAttempt {
  readonly capability: Capability;
  readonly provider: ProviderId;
  /** Absent after a success. */
  readonly code?: FailureCode;
  /** Milliseconds until the provider began to deliver, or failed. */
  readonly ms: number;
}

export interface MessageTokens {
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite5m: number;
  readonly cacheWrite1h: number;
  readonly output: number;
}

export interface EndedMessageReport {
  readonly model: string;
  /** Undefined if no provider answered. */
  readonly provider: ProviderId | undefined;
  /** The error code that ended it early; undefined for a complete answer. */
  readonly code: string | undefined;
  readonly ms: number;
  readonly firstTokenMs: number | undefined;
  readonly tokens: MessageTokens;
}

export interface EndedVideoReport {
  readonly model: string;
  /** Absent if no provider accepted it. */
  readonly provider?: ProviderId;
  readonly mode: Mode;
  /** Absent for a completed video. */
  readonly code?: string;
  /** Milliseconds from the submission to the end. */
  readonly ms: number;
  /** Its length; absent for a failed one. */
  readonly seconds?: number;
}

/** A transcription, or the generation of one text. */
export interface EndedAudioReport {
  readonly kind: 'transcription' | 'speech';
  readonly model: string;
  readonly provider: ProviderId;
  readonly outcome: string;
  readonly audioMillis: number;
  readonly characters: number;
  /** Milliseconds until the first text or audio for the client; absent if there was none. */
  readonly firstResultMs?: number;
}

export interface EndedJobReport {
  readonly kind: string;
  /** `again`: it runs once more later, as planned · `failed`: its handler threw. */
  readonly result: 'done' | 'again' | 'failed';
  readonly ms: number;
}

export interface SentWebhookReport {
  readonly outcome: 'delivered' | 'failed' | 'gone';
  readonly ms: number;
}

/** Never throws. */
export interface Metrics {
  requestAnswered(request: AnsweredRequest): void;
  attemptEnded(attempt: EndedAttempt): void;
  messageEnded(message: EndedMessageReport): void;
  videoSubmitted(video: { readonly model: string; readonly mode: Mode }): void;
  videoEnded(video: EndedVideoReport): void;
  audioEnded(audio: EndedAudioReport): void;
  jobEnded(job: EndedJobReport): void;
  webhookSent(webhook: SentWebhookReport): void;
}

/** Metrics that record nothing, for an installation without METRICS_PORT. */
export const noMetrics: Metrics = {
  requestAnswered() {},
  attemptEnded() {},
  messageEnded() {},
  videoSubmitted() {},
  videoEnded() {},
  audioEnded() {},
  jobEnded() {},
  webhookSent() {},
};

// Traces of the few requests that are sampled. As with the labels of metrics, names and attributes come from fixed
// lists of ours and contain no key, organisation, address or content.

export type SpanAttributes = Readonly<Record<string, string | number>>;

/** The span of a request or a session, which ends when its response or its socket has ended. */
export interface RequestSpan {
  set(attributes: SpanAttributes): void;
  /** Ends the span, with the error code of a failed request. Safe to repeat. */
  end(code?: string): void;
}

/**
 * Open spans are found by the id of their work: of the request, the session, the video or the webhook delivery. Every
 * function that does a part of the work knows this id, so nothing else needs to be passed on. Work that is not sampled
 * costs only a lookup in an almost empty map.
 */
export interface Tracing {
  /**
   * The span of a request or a session, if it is sampled: if the caller's W3C `traceparent` says so, or, without that
   * header, by chance. Undefined for other requests.
   */
  request(id: string, traceparent: string | undefined): RequestSpan | undefined;
  /**
   * Runs `work` in a child span of the span of `id`, and passes it a `traceparent` for calls to other servers. Without
   * a span of `id`, just runs `work`.
   */
  within<T>(
    id: string | undefined,
    name: string,
    attributes: SpanAttributes,
    work: (traceparent?: string) => Promise<T>,
  ): Promise<T>;
  /**
   * Runs a job in a trace of its own, linked to the request of `origin`; if `origin` is undefined, there is no span.
   * The span can be found by each of `ids`.
   */
  job<T>(kind: string, ids: readonly string[], origin: string | undefined, work: () => Promise<T>): Promise<T>;
  /** Returns the request that the work of `id` began with, as `traceparent`; undefined if it is not sampled. */
  origin(id: string | undefined): string | undefined;
}

/** Tracing that records nothing, for an installation without OTEL_EXPORTER_OTLP_ENDPOINT. */
export const noTracing: Tracing = {
  request: () => undefined,
  within: (_id, _name, _attributes, work) => work(),
  job: (_kind, _ids, _origin, work) => work(),
  origin: () => undefined,
};

/** Where the parts of the product report what they do. `lib/telemetry` publishes it. */
export interface Telemetry {
  readonly metrics: Metrics;
  readonly tracing: Tracing;
}

/** Publishes nothing. */
export const noTelemetry: Telemetry = { metrics: noMetrics, tracing: noTracing };
