import type { Cancel, Clock } from '../domain/clock';

/** The timers of one session; none fires after its end. */
export interface SessionTimers {
  after(ms: number, run: () => void): Cancel;
  /** Cancels all timers. A timer that is started later never fires. */
  stop(): void;
}

export function createSessionTimers(clock: Clock): SessionTimers {
  const running = new Set<Cancel>();
  let isStopped = false;
  return {
    after(ms, run) {
      if (isStopped) return () => {};
      const stop = clock.after(ms, () => {
        running.delete(stop);
        run();
      });
      running.add(stop);
      return stop;
    },
    stop() {
      isStopped = true;
      for (const cancel of running) cancel();
      running.clear();
    },
  };
}
