import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../lib/domain/ids';
import { healthKeyOf } from '../../../lib/routing/provider-health';
import { createProviderHealth } from '../../../lib/routing/provider-health';
import { createInstallationStatus } from '../../../lib/operator/installation-status';
import { makeGateway, type TestGateway } from '../../support/gateway';

let test: TestGateway;
let directory: string;
let file: string;
beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'patchbay-status-'));
  file = path.join(directory, 'catalog.json');
  await writeFile(file, '{"models":[]}');
  test = await makeGateway({ env: { CATALOG_FILE: file } });
});
afterAll(async () => {
  await test.close();
  await rm(directory, { recursive: true });
});

const add = (kind: string, change: string, values: readonly unknown[] = []) =>
  test.db.query(
    `insert into jobs (kind, mode, org_id, place, payload, subject, ${change.split('=')[0]})
     values ('${kind}', 'live', '${newId('org')}', 'kling', '{}', '${newId('video')}', ${change.split('=')[1]})`,
    [...values],
  );

describe('the status of the installation', () => {
  it('counts the jobs of each kind by what they wait for, with the wait of the oldest one', async () => {
    expect((await test.gateway.operator.status()).queue).toMatchObject({ running: [] });
    // Leased, so that no runner of this process takes them.
    await add('webhook.deliver', `leased_until=now() + interval '1 hour'`);
    await add('alert.mail', `due_at=now() + interval '1 hour'`);
    const { queue } = await test.gateway.operator.status();
    const of = (kind: string) => queue.kinds.find((each) => each.kind === kind);
    expect(of('webhook.deliver')).toMatchObject({ running: 1, waiting: 0, scheduled: 0, oldest_wait_seconds: null });
    expect(of('alert.mail')).toMatchObject({ running: 0, waiting: 0, scheduled: 1, failing: 0 });
    expect(queue.running).toMatchObject([{ kind: 'webhook.deliver', mode: 'live', place: 'kling', failures: 0 }]);
    await test.db.query('delete from jobs');
  });

  it('names the versions, the health, the providers and the errors of the catalog file', async () => {
    const before = await test.gateway.operator.status();
    expect(before).toMatchObject({
      versions: { patchbay: test.gateway.version, node: process.versions.node },
      process: { role: 'all', overloaded: { live: false, test: false } },
      health: { status: 'ok', database: { connected: true } },
      circuits: [],
      catalog_file: { path: file, errors: [] },
    });
    expect(before.providers.offered).toBeGreaterThan(0);
    expect(before.providers.known).toBeGreaterThan(before.providers.offered);
    await writeFile(file, '{"models": 7}');
    await expect
      .poll(
        async () => {
          await test.clock.advance(1_000);
          return (await test.gateway.operator.status()).catalog_file?.errors.length;
        },
        { timeout: 20_000 },
      )
      .toBeGreaterThan(0);
  });

  it('shows the circuits that are not closed', async () => {
    const { clock } = test;
    const circuits = createProviderHealth({ clock });
    const credential = newId('credential');
    const failing = healthKeyOf({ providerId: 'kling', modelName: 'kling-v3' });
    const own = healthKeyOf({ providerId: 'fal', modelName: 'fal-ai/veo3' }, credential);
    for (let failures = 0; failures < 5; failures += 1) circuits.failed(failing);
    circuits.coolDown(own, 10_000);
    circuits.succeeded(healthKeyOf({ providerId: 'luma', modelName: 'ray' }));
    const read = createInstallationStatus({
      db: test.db,
      clock,
      version: '1',
      role: 'web',
      health: test.gateway.health,
      load: { isOverloaded: () => false, latest: () => ({ loopDelayMs: 1.26, waitingQueries: 3 }) },
      circuits,
      providers: { offered: 1, known: 2 },
    });
    const status = await read();
    expect(status.process).toMatchObject({ event_loop_delay_ms: 1.3, waiting_queries: 3 });
    expect(status.catalog_file).toBeNull();
    const inSeconds = (ms: number) => Math.ceil((clock.nowMs() + ms) / 1000);
    expect(status.circuits).toEqual([
      { provider: 'kling', model: 'kling-v3', own_account: null, state: 'open', until: inSeconds(30_000) },
      { provider: 'fal', model: 'fal-ai/veo3', own_account: credential, state: 'cooling', until: inSeconds(10_000) },
    ]);
    await clock.advance(30_000);
    expect((await read()).circuits).toMatchObject([{ provider: 'kling', state: 'half_open', until: null }]);
    circuits.succeeded(failing);
    expect((await read()).circuits).toEqual([]);
  });
});
