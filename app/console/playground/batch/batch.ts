import { fieldsOf } from '../../../../lib/domain/json';
import type { Mode } from '../../../../lib/domain/video';
import type { RequestBody } from '../../components/video-form/form-request';
import { keepTabText, readTabText } from '../../components/tab-storage';

// A submitted batch. The tab stores it with the idempotency key of each video, so that after a reload the rest is
// submitted and no video is submitted twice.

/**
 * `waiting`: not sent yet. `sending`: sent, but not answered so far. `submitted`: accepted by the server. `refused`:
 * rejected; it is not sent again unless the user retries it.
 */
export type RowState = 'waiting' | 'sending' | 'submitted' | 'refused';

export interface BatchRow {
  readonly idempotencyKey: string;
  readonly modelId: string;
  readonly prompt: string;
  readonly seed?: number;
  /** The price that the user saw, in dollars as a decimal text. */
  readonly price: string;
  readonly state: RowState;
  readonly videoId?: string;
  /** Why the video was refused. */
  readonly error?: string;
  /** The fields of the request without those of `Batch.media`. */
  readonly body: RequestBody;
}

export interface Batch {
  readonly mode: Mode;
  /** Unix seconds. */
  readonly startedAt: number;
  /** The last time that a row was sent, in Unix seconds. */
  readonly sentAt: number;
  /** The media that all requests share. Stored once, because files are large. */
  readonly media: RequestBody;
  readonly rows: readonly BatchRow[];
}

const MEDIA_FIELDS: ReadonlySet<string> = new Set(['image_url', 'image_list', 'video_url', 'video_list']);

/** Splits a request into its media and the other fields. */
export function withoutMedia(body: RequestBody): { readonly media: RequestBody; readonly body: RequestBody } {
  const entries = Object.entries(body);
  return {
    media: Object.fromEntries(entries.filter(([name]) => MEDIA_FIELDS.has(name))),
    body: Object.fromEntries(entries.filter(([name]) => !MEDIA_FIELDS.has(name))),
  };
}

/** Returns the next row to send: a row that was sent without an answer, otherwise a waiting one. */
export function nextRow({ rows }: Batch): BatchRow | undefined {
  return rows.find(({ state }) => state === 'sending') ?? rows.find(({ state }) => state === 'waiting');
}

export function withRow(batch: Batch, key: string, change: Partial<BatchRow>): Batch {
  return {
    ...batch,
    rows: batch.rows.map((row) => (row.idempotencyKey === key ? { ...row, ...change } : row)),
  };
}

const nameOf = (mode: Mode) => `playground-batch-${mode}`;

/** Returns the stored batch as text. It stays the same until another batch is stored. */
export const batchText = (mode: Mode): string | null => readTabText(nameOf(mode));

/**
 * Stores the batch in the tab. If its files are too large for the storage, stores the rows without them; the videos
 * that were not sent must be planned again.
 */
export function keepBatch(batch: Batch): void {
  if (keepTabText(nameOf(batch.mode), JSON.stringify(batch))) return;
  const lost = 'The files of this batch were too large to keep over a reload. Plan it again.';
  const rows = batch.rows.map((row): BatchRow =>
    row.state === 'waiting' ? { ...row, state: 'refused', error: lost } : row,
  );
  keepTabText(nameOf(batch.mode), JSON.stringify({ ...batch, media: {}, rows }));
}

/** Removes the stored batch of this mode. */
export function forgetBatch(mode: Mode): void {
  keepTabText(nameOf(mode), 'null');
}

/** Parses the text of `batchText`; undefined if there is no batch. */
export function parseBatch(text: string | null): Batch | undefined {
  try {
    const kept: unknown = JSON.parse(text ?? 'null');
    // Safe: written by `keepBatch` in this window.
    return Array.isArray(fieldsOf(kept)['rows']) ? (kept as Batch) : undefined;
  } catch {
    return undefined;
  }
}
