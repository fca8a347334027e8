import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { addAbortSignal, Readable } from 'node:stream';
import type { Call } from '../domain/call';
import { videoExpired } from '../domain/errors';
import type { ByteRange, Content, ContentPart } from '../domain/files';

/**
 * Streams a file from disk with at most a few chunks in memory. For `head`, the body is empty. Rejects with
 * `video_expired` if the file does not exist.
 */
export async function openFile(file: string, part: ContentPart, call: Call): Promise<Content> {
  call.signal.throwIfAborted();
  const handle = await open(file, 'r').catch((error: unknown) => {
    throw isMissing(error) ? videoExpired() : error;
  });
  try {
    const total = (await handle.stat()).size;
    const bytes = part === undefined || part === 'head' ? { start: 0, end: total - 1 } : selectBytes(part, total);
    if (part === 'head' || !bytes) {
      await handle.close();
      return bytes ? wholeLength(total) : unsatisfiable(total);
    }
    const { start, end } = bytes;
    return {
      status: part ? 206 : 200,
      length: end - start + 1,
      total,
      start,
      body: streamBytes(handle, start, end, call.signal),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Returns the content for `head`: the length of a file, without its bytes. */
export function wholeLength(total: number): Content {
  return { status: 200, length: total, total, start: 0, body: Readable.from([]) };
}

/** Returns the content for a range that selects no byte of a file of that size. */
export function unsatisfiable(total: number): Content {
  return { status: 416, length: 0, total, start: 0, body: Readable.from([]) };
}

/** Returns the inclusive byte offsets that a range selects in a file of that size; undefined if it selects none. */
export function selectBytes(range: ByteRange, total: number): { start: number; end: number } | undefined {
  const start = range.start < 0 ? Math.max(0, total + range.start) : range.start;
  const end = Math.min(range.start < 0 ? total - 1 : (range.end ?? total - 1), total - 1);
  return start <= end ? { start, end } : undefined;
}

/** Returns whether this is the error of a file system call for a file that does not exist. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

function streamBytes(handle: FileHandle, start: number, end: number, signal: AbortSignal): Readable {
  // The stream closes the handle when it ends or is destroyed.
  const body = handle.createReadStream({ start, end: Math.max(start, end) });
  return addAbortSignal(signal, body);
}
