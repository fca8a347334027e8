import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openDatabase } from '../../../lib/db/open-database';
import { migrations, migrationsBefore } from '../../support/earlier-migrations';
import { recordLog } from '../../support/log';
import { startWorker } from '../../support/workers';

// An operator upgrades from a version in which only keys had a spend limit.

const directory = await mkdtemp(path.join(tmpdir(), 'patchbay-upgrade-'));
afterAll(() => rm(directory, { recursive: true, force: true }));

const open = (migrationsFolder: string) =>
  openDatabase({ dataDir: path.join(directory, 'data'), migrationsFolder, startWorker, log: recordLog() });

it('what keys have spent within their limits stays counted, in the mode of the key', { timeout: 120_000 }, async () => {
  const old = await open(migrationsBefore('projects-and-policies', directory));
  await old.query(`insert into organizations (id, name, webhook_secret) values ('org_1', 'Example', 'sealed')`);
  for (const mode of ['live', 'test'])
    await old.query(
      `insert into api_keys (id, org_id, mode, name, hash, prefix, last_four, scopes) values ($1, 'org_1', $2, 'key', $1, 'pb', '0000', '{inference}')`,
      [`key_${mode}`, mode],
    );
  await old.query(
    `insert into key_spend (key_id, period, spent_nano_usd) values ('key_live', 'total', 5), ('key_live', '2026-11-01', 3), ('key_test', 'total', 7)`,
  );
  await old.close();

  const db = await open(migrations);
  const { rows } = await db.query(
    `select scope_id || ' ' || mode || ' ' || period || ' ' || spent_nano_usd as counted from spending order by 1`,
  );
  expect(rows.map(({ counted }) => counted)).toEqual([
    'key_live live 2026-11-01 3',
    'key_live live total 5',
    'key_test test total 7',
  ]);
  await db.close();
});
