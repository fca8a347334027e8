import { Readable } from 'node:stream';
import type { OpenSource } from '../../../lib/domain/files';

const CHUNK_BYTES = 65_536;

/** A file of which each chunk of 64 KiB is different from its neighbours. */
export function patternFile(bytes: number): Buffer {
  const file = Buffer.alloc(bytes);
  for (let start = 0; start < bytes; start += CHUNK_BYTES)
    file.fill((start / CHUNK_BYTES) % 251, start, Math.min(bytes, start + CHUNK_BYTES));
  return file;
}

export interface PatternSource {
  readonly open: OpenSource;
  /** The first byte of each opened part. */
  readonly starts: readonly number[];
}

interface PatternOptions {
  readonly etag?: string;
  /** Where each stream stops. */
  readonly stop?: { readonly at: number; readonly run: (stream: Readable) => void };
  /** Sends the whole file for every part. */
  readonly ignoresRanges?: true;
  /** Rejects every part. */
  readonly refusesRanges?: true;
}

/** A source of this file that can be opened at any byte. */
export function patternSource(
  file: Buffer,
  { etag, stop, ignoresRanges, refusesRanges }: PatternOptions = {},
): PatternSource {
  const starts: number[] = [];
  return {
    starts,
    async open(part) {
      starts.push(part?.start ?? 0);
      if (refusesRanges && part) throw new Error('No parts.');
      const start = ignoresRanges ? 0 : (part?.start ?? 0);
      let place = start;
      const body: Readable = new Readable({
        read() {
          if (stop && place >= stop.at) return stop.run(body);
          const chunk = file.subarray(place, place + CHUNK_BYTES);
          place += chunk.length;
          this.push(chunk.length === 0 ? null : Buffer.from(chunk));
        },
      });
      const isPart = part !== undefined && !ignoresRanges;
      return { status: isPart ? 206 : 200, start, total: file.length, ...(etag !== undefined && { etag }), body };
    },
  };
}
