import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkMasterKey, examineMasterKey, MasterKeyError } from '../../../server/check-master-key';
import { composeGateway } from '../../../server/compose';
import { createSealer } from '../../../lib/accounts/seal';
import { webhookSecretOf } from '../../../lib/accounts/webhook-secret';
import type { Config } from '../../../lib/config/config';
import type { OrgId } from '../../../lib/domain/ids';
import { sandbox } from '../../../lib/providers/sandbox/index';
import { openTestDatabase } from '../../support/database';
import { makeGateway, type TestGateway } from '../../support/gateway';
import { recordLog } from '../../support/log';
import { startWorker } from '../../support/workers';

const RIGHT = 'the right master key of this test';
const OTHER = 'another master key of this test!!';

let test: TestGateway;
let emptyDir: string;
beforeAll(async () => {
  test = await makeGateway({ providers: [sandbox], env: { MASTER_KEY: RIGHT } });
  emptyDir = await mkdtemp(path.join(tmpdir(), 'patchbay-master-key-'));
});
afterAll(async () => {
  await test.close();
  await rm(emptyDir, { recursive: true, force: true });
});

const configWith = (change: Partial<Config>): Config => ({ ...test.gateway.config, ...change });
const check = (change: Partial<Config>) => checkMasterKey(test.db, configWith(change));

describe('a start with another master key', () => {
  it('is refused in a sentence that names both settings, and generates no secrets', async () => {
    const database = { ...test.db, close: async () => {} };
    const starting = composeGateway(configWith({ masterKey: OTHER }), {
      database,
      startWorker,
      providers: [sandbox],
      log: recordLog(),
    });
    await expect(starting).rejects.toThrow(MasterKeyError);
    await expect(starting).rejects.toThrow(
      /^MASTER_KEY is not the right one: .* Set it to the former key; to replace a key, set MASTER_KEY_FALLBACKS to the former one\./,
    );
  });

  it('is what doctor calls wrong', async () => {
    expect(await examineMasterKey(test.db, configWith({ masterKey: OTHER }))).toMatchObject({
      subject: 'master key',
      state: 'wrong',
      sentence: expect.stringContaining('MASTER_KEY_FALLBACKS') as string,
    });
    expect(await examineMasterKey(test.db, configWith({}))).toBeUndefined();
  });

  it('is accepted with the former key as a fallback, and after the former key is lost', async () => {
    expect(await check({ masterKey: OTHER, masterKeyFallbacks: [RIGHT] })).toMatchObject({ unreadable: 0 });
    expect(await check({ masterKey: OTHER, masterKeyLost: true })).toEqual({ stored: 1, unreadable: 1 });
  });

  it('without the file of the embedded database names the file', async () => {
    const { masterKey: _left, ...config } = configWith({ dataDir: emptyDir });
    await expect(checkMasterKey(test.db, config)).rejects.toThrow(`${emptyDir}/secrets.json is missing`);
  });

  it('is not refused while some secrets can be read', async () => {
    const add = (orgId: string, secret: string) =>
      test.db.query(`insert into organizations (id, name, webhook_secret) values ($1, 'Some', $2)`, [orgId, secret]);
    await add('org_zz', createSealer(OTHER).seal('whsec_x', webhookSecretOf('org_zz' as OrgId)));
    // That of an erased organisation.
    await add('org_zy', '');
    expect(await check({})).toEqual({ stored: 2, unreadable: 1 });
    expect(await examineMasterKey(test.db, configWith({}))).toMatchObject({ state: 'warning' });
    await test.db.query(`delete from organizations where id in ('org_zy', 'org_zz')`);
  });
});

it('an installation without stored secrets starts with any key', async () => {
  const db = await openTestDatabase();
  expect(await checkMasterKey(db, configWith({ masterKey: OTHER }))).toEqual({ stored: 0, unreadable: 0 });
  await db.close();
});
