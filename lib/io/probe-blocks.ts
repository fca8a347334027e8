import type { VideoFileFacts } from '../domain/files';
import { probeVideo } from './video-file';

/** The length of every block of a file except the last. The index of a ten-second video takes about 20 KB. */
export const BLOCK_BYTES = 256 * 1024;

/** Only a file that was made to fill memory needs a longer read. */
const MAX_BLOCKS_PER_READ = 64;

/** The part of a video file that has been read. */
export interface KnownBlocks {
  /** The length of the whole file, in bytes. */
  readonly length: number;
  readonly blocks: ReadonlyMap<number, Uint8Array>;
}

/**
 * `missing`: the numbers of blocks that are needed too. `facts` is absent if the file is not a video, or is damaged.
 */
export type ProbeAnswer = { readonly missing: readonly number[] } | { readonly facts?: VideoFileFacts };

/**
 * Reads the facts of a video from those blocks. They are in the index of the file, at its beginning or at its end. A
 * hostile file can keep the processor busy for long, so this runs in a thread of its own.
 */
export async function probeBlocks({ length, blocks }: KnownBlocks): Promise<ProbeAnswer> {
  const missing = new Set<number>();
  const read = async (start: number, end: number): Promise<Uint8Array> => {
    const from = Math.floor(start / BLOCK_BYTES);
    const count = Math.ceil(end / BLOCK_BYTES) - from;
    if (count > MAX_BLOCKS_PER_READ) throw new Error('The index of the file is too long.');
    const numbers = Array.from({ length: count }, (_, index) => from + index);
    const found = numbers.flatMap((number) => blocks.get(number) ?? []);
    if (found.length === numbers.length)
      return Buffer.concat(found).subarray(start - from * BLOCK_BYTES, end - from * BLOCK_BYTES);
    for (const number of numbers) if (!blocks.has(number)) missing.add(number);
    throw new Error('A block of the file is missing.');
  };
  const facts = await probeVideo({ length, read }).catch(() => undefined);
  // Facts that were read while blocks were missing are dropped: the reader may mistake a missing block for the end of
  // the file.
  if (missing.size > 0) return { missing: [...missing] };
  return facts ? { facts } : {};
}
