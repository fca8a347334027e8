import type { Clock } from '../domain/clock';

export interface Deadline {
  /** Aborts after the timeout or when the parent aborts, whichever comes first. */
  readonly signal: AbortSignal;
  /** Returns whether the timeout aborted the signal. */
  passed(): boolean;
  /** Must be called when the work is done; otherwise the timer and the parent's listener stay. */
  end(): void;
}

/** Begins a deadline, whose signal also aborts when `parent` does. Call `end` when the work has ended. */
export function startDeadline(clock: Clock, ms: number, parent?: AbortSignal): Deadline {
  const controller = new AbortController();
  let passed = false;
  const cancel = clock.after(ms, () => {
    passed = true;
    controller.abort();
  });
  const follow = () => controller.abort(parent?.reason);
  if (parent?.aborted) follow();
  else parent?.addEventListener('abort', follow, { once: true });
  return {
    signal: controller.signal,
    passed: () => passed,
    end() {
      cancel();
      parent?.removeEventListener('abort', follow);
    },
  };
}
