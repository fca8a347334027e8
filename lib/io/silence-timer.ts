import type { Cancel, Clock } from '../domain/clock';

// Notices that something awaited does not come. One timer, armed again only when it fires: what is awaited ten times a second
// must not make ten timers.

export interface SilenceWatch {
  /** From now on something is awaited. */
  wait(): void;
  /** Nothing is awaited any more, until `wait`. */
  rest(): void;
  end(): void;
}

/** Calls `silent` when `wait` was called and then nothing for `ms`. */
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
    wait() {
      since = clock.nowMs();
      cancel ??= clock.after(ms, look);
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
