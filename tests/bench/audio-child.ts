import { getHeapSpaceStatistics } from 'node:v8';

// Each process of the audio benchmark measures its own CPU time and memory when its parent process requests it.

/** `usage` does not disturb the process; `memory` first collects all garbage. */
export type MeasureRequest = 'usage' | 'memory';

export interface Usage {
  /** CPU time since the start of the process, user and system. */
  readonly cpuMicros: number;
}

export interface Memory {
  /**
   * Resident memory without V8's space for new objects, whose size shows how busy the process was and not what it
   * keeps.
   */
  readonly residentBytes: number;
  /** Objects that survive the collection, and their buffers. */
  readonly liveBytes: number;
}

/** Replies to each `MeasureRequest` of the parent process. The fields of `extraUsage` are added to the usage. */
export function answerMeasureRequests(extraUsage: () => object = () => ({})): void {
  process.on('message', (request: MeasureRequest) =>
    process.send?.(request === 'memory' ? measureMemory() : { ...measureUsage(), ...extraUsage() }),
  );
}

function measureUsage(): Usage {
  const { user, system } = process.cpuUsage();
  return { cpuMicros: user + system };
}

// Without a collection, the garbage of earlier sessions would hide the memory of a session. The second collection also
// frees what other threads were still releasing during the first. For a quarter of a second afterwards the process is
// slow, because it starts with the smallest heap and compiles its code again. So memory is never measured while time is
// measured.
function measureMemory(): Memory {
  for (let collection = 0; collection < 2; collection++) globalThis.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  const newSpaceBytes =
    getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.physical_space_size ?? 0;
  return { residentBytes: rss - newSpaceBytes, liveBytes: heapUsed + external };
}

/** Milliseconds since 1970 with fractions. Comparable between processes of one machine. */
export const wallClockMs = () => performance.timeOrigin + performance.now();
