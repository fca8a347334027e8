import type { Clock } from '../domain/clock';
import type { ReplayWindow } from './replay-window';
import type { TranscriptionMeter } from './session-budget';

// Counts what an upstream uses against the budget of a transcription: audio before it is passed on, and the time of the
// session, if the upstream charges for that.

const METER_TICK_MS = 1_000;

export interface UpstreamCredit {
  /**
   * Counts all audio so far. Returns false if it may not be passed on, or a promise while it waits for a credit hold.
   */
  use(): boolean | Promise<boolean>;
  /**
   * Called when an upstream takes audio. From the first call on, session time counts too, if the upstream charges for
   * it.
   */
  begin(atMs: number): void;
  /** Whether audio waits for a credit hold in our ledger. */
  isWaiting(): boolean;
}

interface CreditStart {
  readonly meter: Pick<TranscriptionMeter, 'use'>;
  readonly clock: Clock;
  /** Whether the upstream charges for session time, including time without audio. */
  readonly isSessionPaid: boolean;
  /** Starts a timer that ends with the session. */
  after(ms: number, run: () => void): void;
  /** Knows the duration of all audio so far. */
  readonly replay: Pick<ReplayWindow, 'endSeconds'>;
  /** Called if credit for session time could not be held. */
  fail(error: unknown): void;
}

export function createUpstreamCredit({
  meter,
  clock,
  isSessionPaid,
  after,
  replay,
  fail,
}: CreditStart): UpstreamCredit {
  /** Unix milliseconds at which the first upstream took audio; 0 before that. */
  let readyAt = 0;
  let isWaiting = false;

  function usedMillis(): number {
    const audioMillis = replay.endSeconds() * 1_000;
    return isSessionPaid && readyAt > 0 ? Math.max(audioMillis, clock.nowMs() - readyAt) : audioMillis;
  }

  async function waitFor(used: Promise<boolean>): Promise<boolean> {
    isWaiting = true;
    try {
      return await used;
    } finally {
      isWaiting = false;
    }
  }

  function tick(): void {
    after(METER_TICK_MS, () => {
      Promise.resolve(meter.use(usedMillis())).catch(fail);
      tick();
    });
  }

  return {
    use() {
      const used = meter.use(usedMillis());
      return typeof used === 'boolean' ? used : waitFor(used);
    },
    begin(atMs) {
      if (readyAt > 0) return;
      readyAt = atMs;
      if (isSessionPaid) tick();
    },
    isWaiting: () => isWaiting,
  };
}
