import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../lib/db/database';
import { insertDeliveries, recordAttempt, reopenDelivery } from '../../../lib/db/webhooks';
import { newId } from '../../../lib/domain/ids';
import { openDatabaseAt } from '../../support/postgres';
import { runPostgres } from '../../support/run-postgres';

const postgres = runPostgres();
afterAll(() => postgres?.close());

describe.skipIf(!postgres)('an attempt that ends while its delivery is resent, on Postgres', () => {
  let db: Database;
  beforeAll(async () => {
    db = await openDatabaseAt(await postgres!.createDatabase());
  });
  afterAll(() => db.close());

  it('moves the delivery, so that it keeps its schedule', async () => {
    const account = { orgId: newId('org'), mode: 'live' } as const;
    const now = new Date();
    const id = newId('delivery');
    const url = 'https://example.com/';
    // Its endpoint was paused during the attempt, and is resumed.
    await insertDeliveries(db, [
      { ...account, id, videoId: newId('video'), event: 'video.failed', url, body: '{}', state: 'disabled' },
    ]);
    let recording: ReturnType<typeof recordAttempt> | undefined;
    await db.inTransaction(async (tx) => {
      await reopenDelivery(tx, account, id, now);
      recording = db.inTransaction((other) =>
        recordAttempt(
          other,
          { deliveryId: id, attempt: 1, at: now, latencyMs: 1, status: 503, error: 'status' },
          { state: 'pending', url, nextAttemptAt: now, finishedAt: null },
        ),
      );
      await untilOneWaits();
    });
    expect(await recording).toBe('moved');
  });

  async function untilOneWaits(): Promise<void> {
    for (;;) {
      const { rows } = await db.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      if (rows.length > 0) return;
    }
  }
});
