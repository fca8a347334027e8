import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { OpenSource } from '../domain/files';

/** The part of a file that an interrupted put has stored. */
export interface Interrupted {
  /** See `versionOf`. */
  readonly version: string;
  /** The number of stored bytes, from the beginning of the file. */
  readonly bytes: number;
}

export interface OpenedSource {
  /** The file from `start` on. */
  readonly body: Readable;
  /** The number of bytes that are already stored. */
  readonly start: number;
  /** Absent if another read of the source may give other bytes, so that a put cannot be continued. See `versionOf`. */
  readonly version?: string;
}

/** Opens a source after its stored part; from the beginning if nothing is stored or the source has changed since. */
export async function openSource(open: OpenSource, stored: Interrupted | undefined): Promise<OpenedSource> {
  const rest = stored && stored.bytes > 0 ? await openRest(open, stored) : undefined;
  if (rest) return rest;
  const { body, ...facts } = await open(undefined);
  const version = versionOf(facts);
  return { body, start: 0, ...(version !== undefined && { version }) };
}

/**
 * Opens a source after its stored part. Undefined if the source has changed, sends no parts, or cannot be opened there;
 * it may still be readable from its beginning.
 */
async function openRest(open: OpenSource, stored: Interrupted): Promise<OpenedSource | undefined> {
  const content = await open({ start: stored.bytes }).catch(() => undefined);
  if (!content) return undefined;
  const { start, status, body, ...facts } = content;
  const { version } = stored;
  if (status === 206 && start === stored.bytes && versionOf(facts) === version) return { body, start, version };
  body.on('error', () => {}).destroy();
  return undefined;
}

/** Returns a hash that identifies the bytes of a source; undefined if it has no strong ETag or no length. */
function versionOf({ etag, total }: { readonly etag?: string; readonly total?: number }): string | undefined {
  if (etag === undefined || !etag.startsWith('"') || total === undefined) return undefined;
  return createHash('sha256').update(`${etag} ${total}`).digest('hex').slice(0, 32);
}
