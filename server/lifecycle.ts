import { errorForLog } from '../lib/domain/errors';
import type { Log } from '../lib/domain/log';
import type { Gateway, Phase } from '../lib/gateway';

/** Parts that are closed in parallel, by their name in the log. */
export type ClosingStep = Readonly<Record<string, () => unknown>>;

export interface Lifecycle extends Pick<Gateway, 'phase' | 'drain' | 'close'> {
  /** Called when all parts are composed and started. */
  begin(): void;
}

/**
 * Creates the phases of a gateway: `starting` ──begin──▶ `ready` ──drain──▶ `draining` ──close──▶ `closing`.
 *
 * `onDrain` and `onClose` run at once. Then the parts are closed, one step after the other; a part that cannot be closed
 * is logged and does not prevent the others.
 */
export function createLifecycle({
  log,
  onDrain,
  onClose,
  steps,
}: {
  readonly log: Log;
  readonly onDrain: () => void;
  readonly onClose: () => void;
  readonly steps: readonly ClosingStep[];
}): Lifecycle {
  let phase: Phase = 'starting';
  let closing: Promise<void> | undefined;

  function drain(): void {
    if (phase === 'ready') phase = 'draining';
    onDrain();
  }

  async function closeAll(): Promise<void> {
    drain();
    phase = 'closing';
    onClose();
    for (const step of steps) await Promise.all(Object.entries(step).map(([part, close]) => closePart(part, close)));
  }

  async function closePart(part: string, close: () => unknown): Promise<void> {
    try {
      await close();
    } catch (error) {
      log.error('a part could not be closed properly', { part, error: errorForLog(error) });
    }
  }

  return {
    phase: () => phase,
    begin() {
      phase = 'ready';
    },
    drain,
    close: () => (closing ??= closeAll()),
  };
}
