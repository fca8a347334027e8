import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSealer, type Sealer } from '../../../lib/accounts/seal';
import { openSettings } from '../../../lib/credentials/sealed-settings';
import { resealSecrets } from '../../../lib/credentials/reseal-secrets';
import type { CredentialId, EndpointId } from '../../../lib/domain/ids';
import { fal } from '../../../lib/providers/fal/index';
import { sandbox } from '../../../lib/providers/sandbox/index';
import { createSigningSecrets } from '../../../lib/webhooks/signing-secrets';
import { makeGateway, type TestGateway } from '../../support/gateway';
import { recordLog } from '../../support/log';
import { FAL_KEY, startFakeFal } from '../../support/upstreams/fake-fal';
import type { FakeVideoVendor } from '../../support/upstreams/fake-video-vendor';

// The master key of an installation with every kind of stored secret is rotated.

const FORMER = 'the former master key of this test';
const CURRENT = 'the current master key of this test';

let vendor: FakeVideoVendor;
let test: TestGateway;
beforeAll(async () => {
  vendor = await startFakeFal();
  test = await makeGateway({
    providers: [sandbox, fal],
    env: { FAL_BASE_URL: vendor.baseUrl, MASTER_KEY: FORMER, OUTBOUND_ALLOW: '127.0.0.0/8' },
  });
});
afterAll(async () => {
  await test.close();
  await vendor.close();
});

/** Everything in the database that a sealer has written, whatever its column. */
async function sealedTexts(): Promise<string[]> {
  const { rows: columns } = await test.db.query(
    `select table_name as "table", column_name as "column" from information_schema.columns
     where table_schema = 'public' and data_type in ('text', 'jsonb')`,
  );
  const found: string[] = [];
  for (const { table, column } of columns) {
    const { rows } = await test.db.query(`select "${String(column)}"::text as text from "${String(table)}"`);
    for (const { text } of rows) found.push(...(String(text).match(/\bv1\.[\w-]{40,}/g) ?? []));
  }
  return found.sort();
}

describe('the rotation of the master key', () => {
  it('seals every stored secret with the current key, and changes none', async () => {
    const { gateway, db, clock } = test;
    const { orgId } = await test.caller('live');
    const owner = { orgId, role: 'owner' } as const;
    await gateway.credentials.store(owner, { provider: 'fal', settings: { FAL_API_KEY: FAL_KEY } });
    const { id } = await gateway.webhooks.createEndpoint(owner, 'live', { url: 'https://example.com/hook' });
    await gateway.webhooks.rotateEndpointSecret(orgId, id);
    for (let times = 0; times < 2; times += 1) await gateway.webhooks.rotateSecret(orgId);

    const secretsWith = async (sealer: Sealer) => {
      const signing = createSigningSecrets({ db, sealer, clock });
      const { rows } = await db.query('select id, sealed from provider_credentials');
      return {
        organization: await signing.signing({ orgId, endpointId: null }),
        endpoint: await signing.signing({ orgId, endpointId: id as EndpointId }),
        credentials: rows.map((row) => openSettings(sealer, row.id as CredentialId, String(row.sealed))),
      };
    };
    const secrets = await secretsWith(createSealer(FORMER));
    expect(secrets).toMatchObject({ credentials: [{ FAL_API_KEY: FAL_KEY }] });
    expect([secrets.organization.length, secrets.endpoint.length]).toEqual([3, 2]);
    const before = await sealedTexts();
    expect(before).toHaveLength(6);

    const log = recordLog();
    const reseal = (sealer: Sealer) => resealSecrets({ db, sealer, log }, async () => true);
    // A process that was configured with the new key alone would lose nothing, and says what is wrong.
    await reseal(createSealer(CURRENT));
    expect(await sealedTexts()).toEqual(before);
    expect(log.lines.at(-1)).toMatchObject({ level: 'error', fields: { count: 6 } });

    const rotated = createSealer(CURRENT, [FORMER]);
    expect(await secretsWith(rotated)).toEqual(secrets);
    await reseal(rotated);
    expect(log.lines.at(-1)).toMatchObject({ level: 'info', fields: { count: 6 } });
    const after = await sealedTexts();
    expect(after).toHaveLength(6);
    expect(after.filter((text) => before.includes(text))).toEqual([]);
    expect(await secretsWith(createSealer(CURRENT))).toEqual(secrets);
    await reseal(rotated);
    expect(await sealedTexts()).toEqual(after);
    expect(log.lines.at(-1)?.message).toBe('every stored secret is encrypted with the current MASTER_KEY');
  });
});
