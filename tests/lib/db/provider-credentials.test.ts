import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../lib/db/database';
import { replaceCredential } from '../../../lib/db/provider-credentials';
import { newId } from '../../../lib/domain/ids';
import { openDatabaseAt } from '../../support/postgres';
import { runPostgres } from '../../support/run-postgres';
import { handClock, makeOrganization } from '../accounts/make-accounts';

const postgres = runPostgres();
afterAll(() => postgres?.close());

describe.skipIf(!postgres)('credentials of an organisation, on Postgres', () => {
  let db: Database;
  beforeAll(async () => {
    db = await openDatabaseAt(await postgres!.createDatabase());
  });
  afterAll(() => db.close());

  it('that are stored for one provider at the same moment replace each other', async () => {
    const clock = handClock();
    const { orgId } = await makeOrganization(db, clock);
    await Promise.all(
      Array.from({ length: 8 }, () =>
        db.inTransaction((tx) =>
          replaceCredential(tx, {
            id: newId('credential'),
            orgId,
            provider: 'fal',
            sealed: 'sealed',
            lastFour: '1234',
            createdAt: clock.now(),
          }),
        ),
      ),
    );
    const { rows } = await db.query(
      `select removed_at is null as active, count(*)::int as n from provider_credentials group by 1 order by 1`,
    );
    expect(rows).toEqual([
      { active: false, n: 7 },
      { active: true, n: 1 },
    ]);
  });
});
