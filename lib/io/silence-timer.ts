import type { Cancel, Clock } from '../domain/clock';

// Detects that an expected event does not arrive. It has one timer that is re-armed only when it fires, because events
// that arrive ten times a second must not create ten timers.

export interface SilenceWatch {
  /** An event is expected from now on; `spentMs` of its time has already passed, by default none. */
  wait(spentMs?: number): void;
  /** No event is expected until the next `wait`. */
  rest(): void;
  end(): void;
}

/** Calls `silent` when no event arrives within `ms` after `wait`. */
export function watchSilence(clock: Clock, ms: number, silent: () => void): SilenceWatch {
  let since: number | undefined;
  let cancel: Cancel | undefined;

  function look(): void {
    cancel = undefined;
    if (since === undefined) return;
    const left = since + ms - clock.nowMs();
    if (left > 0) cancel = clock.after(left, look);
    else silent();
  }

  return {
    wait(spentMs = 0) {
      since = clock.nowMs() - spentMs;
      cancel ??= clock.after(ms - spentMs, look);
    },
    rest() {
      since = undefined;
    },
    end() {
      since = undefined;
      cancel?.();
      cancel = undefined;
    },
  };
}
