import { monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 20;
const NS_PER_MS = 1_000_000;

export interface EventLoopDelay {
  /** The median delay since the last call, in milliseconds. */
  read(): number;
  stop(): void;
}

/** Measures the delay of this process's event loop: how long one turn takes. */
export function measureEventLoopDelay(): EventLoopDelay {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  return {
    read() {
      const ms = histogram.percentile(50) / NS_PER_MS;
      histogram.reset();
      return ms;
    },
    stop: () => void histogram.disable(),
  };
}
