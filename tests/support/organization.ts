import { makeFirstOrganization } from '../../lib/accounts/first-organization';
import { makeKey } from '../../lib/accounts/keys';
import { createSealer } from '../../lib/accounts/seal';
import { unrestricted } from '../../lib/accounts/seed';
import { createLedger } from '../../lib/billing/ledger';
import type { Database } from '../../lib/db/database';
import { insertKey } from '../../lib/db/keys';
import type { Clock } from '../../lib/domain/clock';
import type { OrgId } from '../../lib/domain/ids';
import { parseUsd } from '../../lib/domain/money';
import type { Mode } from '../../lib/domain/video';

export interface MadeOrganization {
  readonly orgId: OrgId;
  readonly keys: { readonly test: string; readonly live: string };
}

export interface OrganizationOptions {
  readonly name: string;
  /** That of the instances on this database. */
  readonly masterKey: string;
  readonly clock: Clock;
  readonly liveCredits?: string;
  readonly scopes?: readonly ('inference' | 'manage')[];
}

/** Adds an organisation with an owner, credits and a key of each mode. */
export function makeOrganization(
  db: Database,
  { name, masterKey, clock, liveCredits = '25', scopes = ['inference'] }: OrganizationOptions,
): Promise<MadeOrganization> {
  return db.inTransaction(async (tx) => {
    const made = await makeFirstOrganization(
      { ledger: createLedger({ clock }), sealer: createSealer(masterKey), clock },
      tx,
      {
        name,
        owner: { email: emailOf(name), passwordHash: 'none' },
        liveCredits: parseUsd(liveCredits),
      },
    );
    const key = async (mode: Mode) => {
      const { key: text, row } = makeKey(made, clock.now(), {
        ...unrestricted,
        mode,
        scopes: [...scopes],
        name: mode,
      });
      await insertKey(tx, row);
      return text;
    };
    return { orgId: made.orgId, keys: { test: await key('test'), live: await key('live') } };
  });
}

export const emailOf = (name: string) => `${name.toLowerCase().replace(/\W+/g, '-')}@example.com`;
