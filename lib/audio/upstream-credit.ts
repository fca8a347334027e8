import type { Clock } from '../domain/clock';
import type { ReplayWindow } from './replay-window';
import type { TranscriptionMeter } from './session-budget';

// Counts what an upstream uses against the budget of a transcription: audio before it is passed on, and the time of the
// session, if the upstream charges for that.

const METER_TICK_MS = 1_000;

export interface UpstreamCredit {
  /** Counts all audio so far. False: it may not be passed on. A promise: it waits until credits are held for it. */
  use(): boolean | Promise<boolean>;
  /** An upstream takes audio. From the first one on, time counts too, if it is charged. */
  begin(atMs: number): void;
  /** Audio waits until our ledger has held credits for it. */
  isWaiting(): boolean;
}

interface CreditStart {
  readonly meter: Pick<TranscriptionMeter, 'use'>;
  readonly clock: Clock;
  /** The upstream charges for session time, also while there is no audio. */
  readonly isSessionPaid: boolean;
  /** Starts a timer that ends with the session. */
  after(ms: number, run: () => void): void;
  /** Knows the duration of all audio so far. */
  readonly replay: Pick<ReplayWindow, 'endSeconds'>;
  /** Credit for the time of the session could not be held. */
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
  /** When the first upstream took audio; 0: not yet. */
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
