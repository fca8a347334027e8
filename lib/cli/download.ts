import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { CommandError, exitCodes } from './command-error';
import { openBody, type Connection } from './http';
import type { Progress } from './progress';
import type { Terminal } from './terminal';

/**
 * Writes the file of a video to `out`, or to standard output if it is `-`; returns its bytes. The file appears under its
 * name when it is complete.
 */
export async function downloadVideo(
  terminal: Terminal,
  connection: Connection,
  id: string,
  out: string,
  progress: Progress,
): Promise<number> {
  const response = await openBody(connection, `/v1/videos/${encodeURIComponent(id)}/content`);
  const total = Number(response.headers.get('content-length') ?? 0);
  let bytes = 0;
  async function* counted(source: Readable) {
    for await (const chunk of source) {
      const part = chunk as Buffer; // Safe: the body of a response consists of bytes.
      bytes += part.length;
      progress.show('downloading', total > 0 ? bytes / total : undefined);
      yield part;
    }
  }
  // Safe: the two declarations of the same class.
  const body = Readable.fromWeb(response.body as ReadableStream<Uint8Array>);
  const draft = `${out}.part`;
  try {
    if (out === '-') await pipeline(body, counted, terminal.stdout, { end: false, signal: terminal.signal });
    else {
      await pipeline(body, counted, createWriteStream(draft), { signal: terminal.signal });
      await rename(draft, out);
    }
  } catch (error) {
    if (out !== '-') await rm(draft, { force: true });
    if (terminal.signal.aborted) throw new CommandError('Interrupted.', exitCodes.interrupted);
    if (error instanceof Error && 'syscall' in error)
      throw new CommandError(`${out} cannot be written: ${error.message}.`, exitCodes.failed);
    throw new CommandError('The download broke off. Repeat it.', exitCodes.unavailable);
  }
  return bytes;
}
