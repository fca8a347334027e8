import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { addAbortSignal, Readable } from 'node:stream';
import { GatewayError } from '../../../domain/errors';
import type { Call } from '../../../domain/call';
import type { ByteRange, Content, ContentPart } from '../../../domain/files';
import { isMissing } from '../job-folder';

export function videoExpired(): GatewayError {
  return new GatewayError(
    'video_expired',
    'The file of this video is gone and cannot be downloaded any more. Create the video again.',
  );
}

/**
 * Streams a video file from disk with at most a few chunks in memory. Rejects with `video_expired` if the file does not
 * exist.
 */
export async function openRenderedVideo(file: string, wanted: ContentPart, call: Call): Promise<Content> {
  call.signal.throwIfAborted();
  const handle = await open(file, 'r').catch((error: unknown) => {
    throw isMissing(error) ? videoExpired() : error;
  });
  try {
    const total = (await handle.stat()).size;
    const range = wanted === 'head' ? undefined : wanted;
    const part = range && selectBytes(range, total);
    if (wanted === 'head' || (range && !part)) {
      await handle.close();
      const empty = { total, start: 0, body: Readable.from([]) };
      return wanted === 'head' ? { status: 200, length: total, ...empty } : { status: 416, length: 0, ...empty };
    }
    const { start, end } = part ?? { start: 0, end: total - 1 };
    return {
      status: range ? 206 : 200,
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

/** Returns the inclusive byte offsets that a range selects in a file of that size; undefined if it selects none. */
export function selectBytes(range: ByteRange, total: number): { start: number; end: number } | undefined {
  const start = range.start < 0 ? Math.max(0, total + range.start) : range.start;
  const end = Math.min(range.start < 0 ? total - 1 : (range.end ?? total - 1), total - 1);
  return start <= end ? { start, end } : undefined;
}

function streamBytes(handle: FileHandle, start: number, end: number, signal: AbortSignal): Readable {
  // The stream closes the handle when it ends or is destroyed.
  const body = handle.createReadStream({ start, end: Math.max(start, end) });
  return addAbortSignal(signal, body);
}
