import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { activitySchema, type ActivityJson } from '../../../lib/contract/activity';
import type { Account } from '../../../lib/domain/caller';
import { parseRequestSearch } from '../../../lib/http/console/requests-endpoints';
import { createWork } from '../../support/work';
import { makeAcme, type Acme } from '../videos/make-acme';

let acme: Acme;
let account: Account;

async function read(of: Account = account): Promise<ActivityJson> {
  const activity = await acme.gateway.activity.read(of);
  activitySchema.parse(activity);
  return activity;
}

describe('activity', () => {
  beforeAll(async () => {
    acme = await makeAcme();
    account = { orgId: acme.test.orgId, mode: 'test' };
  });
  afterAll(() => acme.close());

  test('shows running work with what is held, and finished work with what it cost', async () => {
    const { id } = await acme.submit(acme.test, { seconds: 5 });
    expect(await read()).toMatchObject({
      running: 1,
      spent: { today: '0', last_30_days: '0' },
      latest: [{ kind: 'video', id, status: 'queued', cost: '0.5' }],
    });
    await acme.settle();
    await acme.pass(6_000);
    expect(await read()).toMatchObject({
      running: 0,
      spent: { today: '0.5', last_30_days: '0.5' },
      latest: [{ id, status: 'completed', cost: '0.5' }],
    });
  });

  test('shows no cost for failed work', async () => {
    const { id } = await acme.submit(acme.test, { seconds: 5 });
    await acme.gateway.videos.cancel(acme.test, id);
    expect((await read()).latest).toContainEqual(expect.objectContaining({ id, status: 'failed', cost: '0' }));
  });

  test('counts by days of UTC, thirty of them, and its sum is what the balance shows as spent', async () => {
    await acme.submit(acme.test, { seconds: 10 });
    await acme.settle();
    await acme.pass(6_000);
    const day = acme.clock.now().toISOString().slice(0, 10);
    await acme.pass(86_400_000);
    const { spent } = await read();
    expect(spent.days).toHaveLength(30);
    expect(spent.today).toBe('0');
    expect(spent.days.at(-2)).toEqual({ day, amount: '1.5' });
    expect(spent.last_30_days).toBe((await acme.gateway.accounts.credits(account)).spent);
    await acme.pass(29 * 86_400_000);
    expect((await read()).spent.last_30_days).toBe('0');
  });

  test('keeps the modes and the organisations apart', async () => {
    expect((await read()).latest.length).toBeGreaterThan(0);
    expect((await read({ ...account, mode: 'live' })).latest).toEqual([]);
    const { test: key } = await acme.makeOrganization('Neighbours');
    const { orgId } = await acme.gateway.accounts.authenticate({ authorization: `Bearer ${key}` }, '127.0.0.1');
    expect((await read({ orgId, mode: 'test' })).latest).toEqual([]);
  });

  test('shows work that ended early as the log of requests does, with what was charged', async () => {
    const id = await createWork(acme).audio(acme.test, 3_000n, { kind: 'transcription', outcome: 'budget' });
    const shown = { kind: 'transcription', id, status: 'partial', cost: '0.000003' };
    expect((await read()).latest).toContainEqual(expect.objectContaining(shown));
    const log = await acme.gateway.requests.list(account, parseRequestSearch(new URLSearchParams(), acme.clock.now()));
    expect(log.data).toContainEqual(expect.objectContaining(shown));
  });
});
