import { getHeapSpaceStatistics } from 'node:v8';

// What every process of the audio benchmark does for the one that started it.

/** What can be asked: `usage` changes nothing, `memory` first collects everything that is not used any more. */
export type Question = 'usage' | 'memory';

export interface Usage {
  /** Used so far. */
  readonly cpuMicros: number;
}

export interface Memory {
  /** Of the process, without the space for new objects: how large that is says how busy it was, not what it keeps. */
  readonly residentBytes: number;
  /** Of the objects that live then, with the buffers that they hold. */
  readonly liveBytes: number;
}

/** Answers questions about this process; `measure` adds to its usage. */
export function answerMeasures(measure: () => object = () => ({})): void {
  process.on('message', (question: Question) =>
    process.send?.(question === 'memory' ? memory() : { ...usage(), ...measure() }),
  );
}

function usage(): Usage {
  const { user, system } = process.cpuUsage();
  return { cpuMicros: user + system };
}

// Without a collection the memory of a session is lost in the garbage of those before it. The second one also takes what other
// threads were still freeing after the first. Afterwards a process is slow for a quarter of a second, because it begins with
// the smallest heap and with code that is compiled anew: so this is never asked where time is measured.
function memory(): Memory {
  for (let time = 0; time < 2; time++) globalThis.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.physical_space_size ?? 0;
  return { residentBytes: rss - young, liveBytes: heapUsed + external };
}

/** Comparable between processes of one machine, finer than a millisecond. */
export const wallMillis = () => performance.timeOrigin + performance.now();
