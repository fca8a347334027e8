import type { Database } from '../db/database';
import { insertContent, type ContentKind } from '../db/kept-contents';
import type { Clock } from '../domain/clock';
import { errorForLog } from '../domain/errors';
import type { OrgId } from '../domain/ids';
import type { Log } from '../domain/log';

// Stores the conversations of messages and the texts of speech, for organisations that keep them. They are written
// separately from the row of the work: no response waits for them, and failed writes are dropped.

export interface ContentWriter {
  /** Stores the content in the background. */
  keep(content: NewContent): void;
  /** Resolves when the contents that were added so far are written. */
  settled(): Promise<void>;
}

export interface NewContent {
  /** The id of the message or the meter. */
  readonly id: string;
  readonly orgId: OrgId;
  /** Days from now for which it is kept. */
  readonly days: number;
  /** The request; null if it is too long to be kept, or if there is none. */
  readonly request: string | null;
  /** The answer; null in the same cases. */
  readonly answer: string | null;
}

const DAY_MS = 24 * 60 * 60_000;
/** The maximum that waits in memory while the database does not respond. */
const MAX_WAITING = 100;

export function createContentWriter(
  kind: ContentKind,
  { db, clock, log }: { readonly db: Database; readonly clock: Clock; readonly log: Log },
): ContentWriter {
  const waiting = new Set<Promise<void>>();

  async function write({ id, orgId, days, request, answer }: NewContent): Promise<void> {
    const expiresAt = new Date(clock.nowMs() + days * DAY_MS);
    try {
      await insertContent(db, kind, orgId, id, { request: storable(request), answer: storable(answer), expiresAt });
    } catch (error) {
      log.warn('kept contents could not be stored', { orgId, error: errorForLog(error) });
    }
  }

  return {
    keep(content) {
      if (waiting.size >= MAX_WAITING) {
        log.warn('kept contents could not be stored', { orgId: content.orgId, code: 'too_many' });
        return;
      }
      const writing = write(content).finally(() => waiting.delete(writing));
      waiting.add(writing);
    },

    async settled() {
      await Promise.all(waiting);
    },
  };
}

/** Postgres stores every character but this one, which no JSON contains. */
const storable = (text: string | null) => text?.replaceAll('\0', '') ?? null;
