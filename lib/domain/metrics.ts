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
