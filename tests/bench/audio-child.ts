// What every process of the audio benchmark does for the one that started it.

export interface Usage {
  /** Used so far, and what this measurement itself used. */
  readonly cpuMicros: number;
  readonly ownMicros: number;
  /** Of the process, after a forced collection. */
  readonly residentBytes: number;
  /** Of the objects that live then, with the buffers that they hold. */
  readonly liveBytes: number;
}

/** Answers each question with what this process has used, and with what `measure` adds. */
export function answerMeasures(measure: () => object = () => ({})): void {
  process.on('message', () => {
    const before = process.cpuUsage();
    // Without a collection the memory of a session is lost in the garbage of those before it. The second one also takes what
    // other threads were still freeing after the first.
    for (let time = 0; time < 2; time++) globalThis.gc?.();
    const own = process.cpuUsage(before);
    const { rss, heapUsed, external } = process.memoryUsage();
    const usage: Usage = { cpuMicros: before.user + before.system, ownMicros: own.user + own.system, residentBytes: rss, liveBytes: heapUsed + external };
    process.send?.({ ...usage, ...measure() });
  });
}

/** Comparable between processes of one machine, finer than a millisecond. */
export const wallMillis = () => performance.timeOrigin + performance.now();
