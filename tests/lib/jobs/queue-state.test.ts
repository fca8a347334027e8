import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../lib/db/database';
import { newId } from '../../../lib/domain/ids';
import { readQueueDepth, readQueueState } from '../../../lib/jobs/queue-state';
import { openTestDatabase } from '../../support/database';

let db: Database;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

interface Row {
  readonly kind: string;
  /** SQL of an instant. */
  readonly dueAt?: string;
  readonly turn?: number;
  readonly leasedUntil?: string;
  readonly failures?: number;
}

async function insert({ kind, dueAt = 'null', turn, leasedUntil = 'null', failures = 0 }: Row): Promise<string> {
  const subject = newId('video');
  await db.query(
    `insert into jobs (kind, mode, org_id, place, payload, subject, due_at, turn, leased_until, failures)
     values ($1, 'test', 'org_1', 'kling', '{}', $2, ${dueAt}, $3, ${leasedUntil}, $4)`,
    [kind, subject, turn ?? null, failures],
  );
  return subject;
}

describe('the depth of the queue', () => {
  it('counts what is due in and before the line and what runs, and no job that is due later', async () => {
    await insert({ kind: 'webhook.deliver', dueAt: `now() - interval '40 seconds'` });
    await insert({ kind: 'webhook.deliver', turn: 4 });
    await insert({ kind: 'webhook.deliver', dueAt: `now() + interval '1 hour'` });
    await insert({ kind: 'video.check', leasedUntil: `now() + interval '30 seconds'` });
    const depth = await readQueueDepth(db);
    const webhooks = depth.find(({ kind }) => kind === 'webhook.deliver');
    expect(webhooks).toMatchObject({ waiting: 2, running: 0 });
    expect(webhooks?.oldestWaitMs).toBeGreaterThanOrEqual(40_000);
    expect(webhooks?.oldestWaitMs).toBeLessThan(40_000 + 60_000);
    expect(depth.filter(({ kind }) => kind !== 'webhook.deliver')).toEqual([
      { kind: 'video.start', waiting: 0, oldestWaitMs: 0, running: 0 },
      { kind: 'video.check', waiting: 0, oldestWaitMs: 0, running: 1 },
      { kind: 'video.archive', waiting: 0, oldestWaitMs: 0, running: 0 },
      { kind: 'alert.mail', waiting: 0, oldestWaitMs: 0, running: 0 },
    ]);
    await db.query('delete from jobs');
  });
});

describe('the state of the queue', () => {
  it('has every kind, also those without jobs', async () => {
    const { kinds, running } = await readQueueState(db);
    expect(kinds.map(({ kind }) => kind)).toEqual([
      'video.start',
      'video.check',
      'video.archive',
      'webhook.deliver',
      'alert.mail',
    ]);
    const none = { waiting: 0, oldestWaitMs: undefined, scheduled: 0, running: 0, failing: 0 };
    for (const kind of kinds) expect(kind).toMatchObject(none);
    expect(running).toEqual([]);
  });

  it('tells due jobs from scheduled and running ones, in and before the line', async () => {
    await insert({ kind: 'video.start', dueAt: `now() - interval '90 seconds'` });
    await insert({ kind: 'video.start', dueAt: `now() - interval '5 seconds'`, turn: 3, failures: 2 });
    await insert({ kind: 'video.start', dueAt: `now() + interval '1 hour'` });
    const subject = await insert({ kind: 'video.start', leasedUntil: `now() + interval '30 seconds'`, failures: 1 });
    await insert({ kind: 'alert.mail', dueAt: `now() + interval '1 hour'` });
    const { kinds, running } = await readQueueState(db);
    const starts = kinds.find(({ kind }) => kind === 'video.start');
    expect(starts).toMatchObject({ waiting: 2, scheduled: 1, running: 1, failing: 2 });
    expect(starts?.oldestWaitMs).toBeGreaterThanOrEqual(90_000);
    expect(starts?.oldestWaitMs).toBeLessThan(90_000 + 60_000);
    expect(kinds.find(({ kind }) => kind === 'alert.mail')).toMatchObject({ scheduled: 1, oldestWaitMs: undefined });
    expect(running).toEqual([
      { kind: 'video.start', mode: 'test', orgId: 'org_1', place: 'kling', subject, failures: 1 },
    ]);
  });
});
