import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { OpenSource } from '../domain/files';

/** What an interrupted put has stored of a file. */
export interface Interrupted {
  /** See `versionOf`. */
  readonly version: string;
  /** From the beginning of the file. */
  readonly bytes: number;
}

export interface OpenedSource {
  /** The file from `start` on. */
  readonly body: Readable;
  /** The number of bytes that are already stored. */
  readonly start: number;
  /** Absent: nothing proves that another read of the source gives the same bytes, so nothing can be continued. */
  readonly version?: string;
}

/** Opens a source behind what is stored of it; from its beginning if nothing is, or if the source has changed since. */
export async function openSource(open: OpenSource, stored: Interrupted | undefined): Promise<OpenedSource> {
  const rest = stored && stored.bytes > 0 ? await openRest(open, stored) : undefined;
  if (rest) return rest;
  const { body, ...facts } = await open(undefined);
  const version = versionOf(facts);
  return { body, start: 0, ...(version !== undefined && { version }) };
}

/** Undefined if the source has changed, sends no parts, or cannot be opened there: it may still be readable as a whole. */
async function openRest(open: OpenSource, stored: Interrupted): Promise<OpenedSource | undefined> {
  const content = await open({ start: stored.bytes }).catch(() => undefined);
  if (!content) return undefined;
  const { start, status, body, ...facts } = content;
  const { version } = stored;
  if (status === 206 && start === stored.bytes && versionOf(facts) === version) return { body, start, version };
  body.on('error', () => {}).destroy();
  return undefined;
}

/** Names the bytes of a source, for names of files; undefined without a strong ETag and a length. */
function versionOf({ etag, total }: { readonly etag?: string; readonly total?: number }): string | undefined {
  if (etag === undefined || !etag.startsWith('"') || total === undefined) return undefined;
  return createHash('sha256').update(`${etag} ${total}`).digest('hex').slice(0, 32);
}
