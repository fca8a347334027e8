import type { Caller } from '../domain/caller';
import type { MeterId, SessionId, ProviderId } from '../domain/ids';
import type { NanoUsd } from '../domain/money';
import type { MeterAttempt } from '../db/schema/index';

// A running transcription or generation, as the meters see it.

export type SessionKind = 'transcription' | 'speech';

/** Identifies who is charged, and for what. */
export interface MeterSubject {
  readonly caller: Caller;
  readonly sessionId: SessionId;
  /** The catalog id. */
  readonly model: string;
  readonly provider: string;
}

/** The counts of one running meter, read at each checkpoint. */
export interface ActiveMeter {
  /** Absent if the process of the meter has died. */
  readonly caller?: Caller;
  readonly id: MeterId;
  readonly kind: SessionKind;
  /** The catalog id. */
  readonly model: string;
  provider(): ProviderId;
  attempts(): readonly MeterAttempt[];
  /** From the start to the first text or audio for the client; undefined if there was none. */
  firstResultMs(): number | undefined;
  audioMillis(): number;
  characters(): number;
  accrued(): NanoUsd;
}
