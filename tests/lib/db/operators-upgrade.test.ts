import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openDatabase } from '../../../lib/db/open-database';
import { migrations, migrationsBefore } from '../../support/earlier-migrations';
import { recordLog } from '../../support/log';
import { startWorker } from '../../support/workers';

// An operator upgrades from a version in which no person could be an operator.

const directory = await mkdtemp(path.join(tmpdir(), 'patchbay-upgrade-'));
afterAll(() => rm(directory, { recursive: true, force: true }));

const open = (migrationsFolder: string) =>
  openDatabase({ dataDir: path.join(directory, 'data'), migrationsFolder, startWorker, log: recordLog() });

it('creates no operators, and keeps which entries are of the operator', { timeout: 120_000 }, async () => {
  const old = await open(migrationsBefore('operators', directory));
  await old.query(`insert into organizations (id, name, webhook_secret) values ('org_1', 'Example', 'sealed')`);
  await old.query(`insert into users (id, email) values ('user_1', 'owner@example.com')`);
  await old.query(`insert into members (org_id, user_id, role) values ('org_1', 'user_1', 'owner')`);
  await old.query(
    `insert into audit_entries (id, org_id, user_id, key_id, action, at) values
     ('audit_1', 'org_1', null, null, 'credits.granted', now()), ('audit_2', 'org_1', 'user_1', null, 'key.created', now()),
     ('audit_3', 'org_1', null, 'key_1', 'key.created', now())`,
  );
  await old.close();

  const db = await open(migrations);
  const { rows: operators } = await db.query('select id from users where operator_since is not null');
  expect(operators).toEqual([]);
  const { rows: entries } = await db.query('select id from audit_entries where by_operator');
  expect(entries).toEqual([{ id: 'audit_1' }]);
  await db.close();
});
