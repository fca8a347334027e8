import { afterAll, beforeAll } from 'vitest';
import type { Database } from '../../../lib/db/database';
import type { Actor, Role } from '../../../lib/domain/caller';
import { newId, type HoldId, type KeyId } from '../../../lib/domain/ids';
import { parseUsd } from '../../../lib/domain/money';
import type { Mode } from '../../../lib/domain/video';
import { openTestDatabase } from '../../support/database';
import { countQueries, handClock, makeAccounts, makeOrganization } from './make-accounts';

/** A database for the tests of a file. Returns what makes a new organisation in it for each test. */
export function useKeyScenes() {
  let db: Database;
  beforeAll(async () => {
    db = await openTestDatabase();
  });
  afterAll(() => db.close());
  return () => makeKeyScene(db);
}

/** In seconds, as the API states times. */
export const secondsAt = (iso: string): number => Date.parse(iso) / 1000;

/** An organisation with the accounts of this database, and what a test does with its keys. */
async function makeKeyScene(db: Database) {
  const clock = handClock();
  const counted = countQueries(db);
  const { accounts, ledger } = makeAccounts(counted.db, clock);
  const organization = await makeOrganization(db, clock);
  const as = (role: Role): Actor => ({ ...organization.owner, role });
  const ask = (key: string) => accounts.authenticate({ apiKey: key }, '198.51.100.20');
  const hold = (id: string, usd: string, mode: Mode = 'test') =>
    // Safe: the id was made by `createKey`.
    db.inTransaction((tx) =>
      ledger.hold(tx, {
        account: { orgId: organization.orgId, mode },
        keyId: id as KeyId,
        amount: parseUsd(usd),
        subject: { kind: 'video', id: newId('video') },
      }),
    );
  const capture = (held: HoldId, usd?: string) =>
    db.inTransaction(async (tx) => {
      await ledger.capture(tx, held, usd === undefined ? undefined : parseUsd(usd));
      // As the end of a video does.
      await tx.query(
        `insert into usage_days as sums (org_id, mode, day, kind, key_id, model, provider, cost_nano_usd)
         select org_id, mode, (resolved_at at time zone 'UTC')::date, subject_kind, key_id, '', '', captured_nano_usd from holds where id = $1
         on conflict (org_id, mode, day, kind, key_id, model, provider) do update set cost_nano_usd = sums.cost_nano_usd + excluded.cost_nano_usd`,
        [held],
      );
    });
  const spend = async (id: string, usd: string, mode: Mode = 'test') => {
    await capture(await hold(id, usd, mode));
  };
  return { ...organization, db, accounts, ledger, clock, as, ask, hold, capture, spend, queries: counted.count };
}
