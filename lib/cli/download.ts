import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { CommandError, exitCodes } from './command-error';
import type { Destination } from './destination';
import { openBody, type Connection } from './http';
import type { Progress } from './progress';
import type { Terminal } from './terminal';

/** Writes the file of a video to `destination` and resolves to its number of bytes. Errors say how to get the video. */
export async function downloadVideo(
  terminal: Terminal,
  connection: Connection,
  id: string,
  destination: Destination,
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
  try {
    await pipeline(body, counted, destination.stream(), {
      end: destination.file !== undefined,
      signal: terminal.signal,
    });
    await destination.finish();
  } catch (error) {
    const again = `patchbay video download ${id}`;
    if (terminal.signal.aborted)
      throw new CommandError(`Interrupted. Get the video with: ${again}`, exitCodes.interrupted);
    if (error instanceof Error && 'syscall' in error)
      throw new CommandError(
        `${destination.name} cannot be written: ${error.message}. Get the video with: ${again}`,
        exitCodes.failed,
      );
    throw new CommandError(`The download was interrupted. Repeat it with: ${again}`, exitCodes.unavailable);
  }
  return bytes;
}
