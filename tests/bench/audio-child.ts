// What every process of the audio benchmark does for the one that started it.

export interface Usage {
  /** Used so far, and what this measurement itself used. */
  readonly cpuMicros: number;
  readonly ownMicros: number;
  /** Of the process, and of what lives in it: the larger difference is what sessions cost. */
  readonly rssBytes: number;
  readonly heapBytes: number;
}

/** Answers each question with what this process has used, and with what `measure` adds. */
export function answerMeasures(measure: () => object = () => ({})): void {
  process.on('message', () => {
    const before = process.cpuUsage();
    // Without a collection the memory of a session is lost in the garbage of those before it.
    globalThis.gc?.();
    const own = process.cpuUsage(before);
    const { rss, heapUsed, external } = process.memoryUsage();
    const usage: Usage = { cpuMicros: before.user + before.system, ownMicros: own.user + own.system, rssBytes: rss, heapBytes: heapUsed + external };
    process.send?.({ ...usage, ...measure() });
  });
}

/** Comparable between processes of one machine, finer than a millisecond. */
export const wallMillis = () => performance.timeOrigin + performance.now();
