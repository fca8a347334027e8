import type { Call } from '../../../domain/call';
import type { Clock } from '../../../domain/clock';
import { errorForLog } from '../../../domain/errors';
import type { ByteRange, Content } from '../../../domain/files';
import { linkSignals } from '../../../io/linked-signal';
import { probeVideo, type PartedFile, type VideoFileFacts } from './mp4';

// Reads the facts of a result from the file itself, for vendors whose answers state neither its size nor its length.
// They are in the index of the file, at its beginning or at its end, so only a few parts are read.

/** What one request reads. The index of a video of ten seconds has about 20 KB. */
const BLOCK_BYTES = 256 * 1024;
const MAX_BLOCKS = 12;
/** A check of a video has 20 seconds in all. */
const TIMEOUT_MS = 6_000;

/** Opens a part of the file; the same as `VideoProvider.open` for a certain file. */
type OpenPart = (part: ByteRange, call: Call) => Promise<Content>;

/**
 * Resolves to undefined if the facts cannot be read: at most 3 MB are read in at most 6 seconds, and no failure counts as
 * a failure of the video. Rejects only if the call is aborted.
 */
export async function probeRemote(open: OpenPart, clock: Clock, call: Call): Promise<VideoFileFacts | undefined> {
  const limit = new AbortController();
  const cancelTimer = clock.after(TIMEOUT_MS, () => limit.abort());
  const either = linkSignals(call.signal, limit.signal);
  try {
    return await probeVideo(await openInBlocks(open, { ...call, signal: either.signal }));
  } catch (error) {
    call.signal.throwIfAborted();
    call.log.info('the facts of a result could not be read', { error: errorForLog(error) });
    return undefined;
  } finally {
    cancelTimer();
    either.release();
  }
}

/** Each block is read once. */
async function openInBlocks(open: OpenPart, call: Call): Promise<PartedFile> {
  const first = await readBlock(0);
  const blocks = new Map([[0, Promise.resolve(first.bytes)]]);

  async function readBlock(index: number): Promise<{ readonly bytes: Buffer; readonly total: number }> {
    const start = index * BLOCK_BYTES;
    const content = await open({ start, end: start + BLOCK_BYTES - 1 }, call);
    if (content.status !== 206 || content.total === undefined) {
      content.body.destroy();
      throw new Error('The file cannot be read in parts.');
    }
    const chunks: Buffer[] = [];
    // Safe: the body of a content yields Buffers.
    for await (const chunk of content.body) chunks.push(chunk as Buffer);
    return { bytes: Buffer.concat(chunks), total: content.total };
  }

  async function findBlock(index: number): Promise<Buffer> {
    const known = blocks.get(index);
    if (known) return known;
    if (blocks.size === MAX_BLOCKS) throw new Error('The index of the file is too long or too scattered.');
    const block = readBlock(index).then(({ bytes }) => bytes);
    blocks.set(index, block);
    return block;
  }

  return {
    length: first.total,
    async read(start, end) {
      const from = Math.floor(start / BLOCK_BYTES);
      const until = Math.ceil(end / BLOCK_BYTES);
      const read = await Promise.all(Array.from({ length: until - from }, (_, index) => findBlock(from + index)));
      const offset = from * BLOCK_BYTES;
      return Buffer.concat(read).subarray(start - offset, end - offset);
    },
  };
}
