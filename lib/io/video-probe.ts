import type { Clock } from '../domain/clock';
import type { Content, ProbeVideo, ReadPart } from '../domain/files';
import type { StartWorker } from '../workers';
import { BLOCK_BYTES, type KnownBlocks, type ProbeAnswer } from './probe-blocks';
import { createWorkerPool } from './worker-pool';

// Reads the facts of a video file that is somewhere else: only a few blocks are fetched, here, and they are read in a
// thread, because the file may come from a caller. The thread never waits for a server.

/** A hundred times what the index of a one-hour video takes on a busy machine; no ordinary file takes longer. */
const TASK_TIMEOUT_MS = 20_000;
const IDLE_TIMEOUT_MS = 60_000;
const MAX_HEAP_MB = 256;

export function createVideoProbe(deps: { readonly startWorker: StartWorker; readonly clock: Clock }): {
  readonly probe: ProbeVideo;
  close(): Promise<void>;
} {
  const threads = createWorkerPool<KnownBlocks, ProbeAnswer>({
    ...deps,
    source: 'lib/io/probe-worker.ts',
    maxThreads: 1,
    idleTimeoutMs: IDLE_TIMEOUT_MS,
    taskTimeoutMs: TASK_TIMEOUT_MS,
    onAbort: 'end-thread',
    maxHeapMb: MAX_HEAP_MB,
  });
  return { probe: probeWith((known, signal) => threads.run(known, { signal })), close: threads.close };
}

/**
 * Creates the function that reads the facts of a video file. It returns undefined if `readBlocks` rejects, which it
 * does for a file that keeps it busy for too long, and if more than `maxBlocks` blocks are needed.
 */
export function probeWith(readBlocks: (known: KnownBlocks, signal: AbortSignal) => Promise<ProbeAnswer>): ProbeVideo {
  return async (readPart, maxBlocks, signal) => {
    const fetchBlock = (number: number) => readPart(number * BLOCK_BYTES, (number + 1) * BLOCK_BYTES - 1);
    const first = await fetchBlock(0);
    const blocks = new Map([[0, first.bytes]]);
    for (;;) {
      const answer = await readBlocks({ length: first.total, blocks }, signal).catch((): ProbeAnswer => {
        signal.throwIfAborted();
        return {};
      });
      if (!('missing' in answer)) return answer.facts;
      if (blocks.size + answer.missing.length > maxBlocks) return undefined;
      await Promise.all(answer.missing.map(async (number) => blocks.set(number, (await fetchBlock(number)).bytes)));
    }
  };
}

/** Reads an opened part of a file into memory. Rejects if the content is not a part. */
export async function readPartOf({ status, total, body }: Content): ReturnType<ReadPart> {
  if (status !== 206 || total === undefined) {
    body.destroy();
    throw new Error('The file cannot be read in parts.');
  }
  const chunks: Buffer[] = [];
  // Safe: the body of a content yields Buffers.
  for await (const chunk of body) chunks.push(chunk as Buffer);
  return { bytes: Buffer.concat(chunks), total };
}
