import { open, rename, rm, stat } from 'node:fs/promises';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { CommandError, exitCodes, usageError } from './command-error';
import { openBody, type Connection } from './http';
import type { Progress } from './progress';
import type { Terminal } from './terminal';

/** Where a download goes, once: a file that appears under its name when it is complete, or standard output. */
export interface Destination {
  /** An absolute path, or `-`. */
  readonly out: string;
  stream(): Writable;
  /** After everything was written. */
  finish(): Promise<void>;
  /** Removes what is not complete. */
  discard(): Promise<void>;
}

/** Opens the file before anything is paid for it. Throws a CommandError if it cannot be written. */
export async function openDestination({ stdout }: Terminal, out: string): Promise<Destination> {
  const nothing = async () => undefined;
  if (out === '-') return { out, stream: () => stdout, finish: nothing, discard: nothing };
  const existing = await stat(out).catch(() => undefined);
  if (existing?.isDirectory()) throw usageError(`${out} cannot be written: it is a folder. Name a file in it.`);
  const draft = `${out}.part`;
  const file = await open(draft, 'w').catch((error: unknown) => {
    throw usageError(`${out} cannot be written: ${error instanceof Error ? error.message : String(error)}.`);
  });
  return {
    out,
    stream: () => file.createWriteStream(),
    finish: () => rename(draft, out),
    async discard() {
      await file.close().catch(() => undefined);
      await rm(draft, { force: true });
    },
  };
}

/** Writes the file of a video to `destination`; returns its bytes. Its errors say how to get the video. */
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
  const { out } = destination;
  try {
    await pipeline(body, counted, destination.stream(), { end: out !== '-', signal: terminal.signal });
    await destination.finish();
  } catch (error) {
    const again = `patchbay video download ${id}`;
    if (terminal.signal.aborted)
      throw new CommandError(`Interrupted. Get the video with: ${again}`, exitCodes.interrupted);
    if (error instanceof Error && 'syscall' in error)
      throw new CommandError(
        `${out} cannot be written: ${error.message}. Get the video with: ${again}`,
        exitCodes.failed,
      );
    throw new CommandError(`The download broke off. Repeat it with: ${again}`, exitCodes.unavailable);
  }
  return bytes;
}
