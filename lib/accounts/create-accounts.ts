import { randomUUID } from 'node:crypto';
import type { Account } from '../domain/caller';
import type { Clock } from '../domain/clock';
import type { Log } from '../domain/log';
import { checkMay } from '../domain/check-may';
import type { Ledger } from '../billing/ledger';
import type { Database } from '../db/database';
import { lockOrganization } from '../db/people';
import type { Accounts } from './accounts';
import { createAuthenticate, createKeyUse } from './authenticate';
import type { IsProvider } from './check-providers';
import { callerOfPeople } from './caller-of-people';
import { TEST_CREDITS } from './first-organization';
import { createKeyLookup } from './key-lookup';
import { createKeyManagement } from './keys';
import type { Passwords } from './password';
import { presentCredits } from './present-credits';
import type { Sealer } from './seal';
import { createSignIns } from './sign-in';

export interface AccountsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly sealer: Sealer;
  readonly ledger: Ledger;
  readonly passwords: Passwords;
  readonly isProvider: IsProvider;
  /** Announces a changed key to other processes, by its hash. */
  readonly announceKey?: (hash: string) => void;
}

export interface CreatedAccounts extends Accounts {
  /** Makes this process reload a key (by its hash from `hashSecret`) after a change that another process announced. */
  forgetKey(hash: string): void;
  /** Makes this process reload every key, after a change of a policy or a project. */
  forgetKeys(): void;
  /** Writes the last-use times of keys. Call it before the database is closed. */
  close(): Promise<void>;
}

export function createAccounts({
  db,
  clock,
  log,
  sealer,
  ledger,
  passwords,
  isProvider,
  announceKey,
}: AccountsDeps): CreatedAccounts {
  const lookup = createKeyLookup({ db, clock });
  const use = createKeyUse({ db, clock, log });
  const forget = (hash: string) => {
    lookup.forget(hash);
    announceKey?.(hash);
  };

  const { forgetMembers, ...signIns } = createSignIns({ db, clock, ledger, sealer, passwords });

  return {
    ...createKeyManagement({ db, clock, forget, isProvider }),
    ...signIns,
    forgetOrganization(orgId) {
      lookup.forgetAll();
      forgetMembers(orgId);
    },

    authenticate: createAuthenticate({ lookup, use, clock }),
    callerOfPeople: (account) => callerOfPeople(db, account),
    forgetKey: (hash) => lookup.forget(hash),
    forgetKeys: () => lookup.forgetAll(),
    close: () => use.close(),

    async credits(account, unwritten) {
      return presentCredits(account.mode, await ledger.balances(db, account, unwritten));
    },

    async refillTestCredits(actor) {
      checkMay(actor, 'edit');
      const account: Account = { orgId: actor.orgId, mode: 'test' };
      const balances = await db.inTransaction(async (tx) => {
        // Two concurrent requests would both see the low balance and refill it twice.
        await lockOrganization(tx, actor.orgId);
        const { available } = await ledger.balances(tx, account);
        if (available < TEST_CREDITS)
          await ledger.grant(tx, account, TEST_CREDITS - available, `refill-${randomUUID()}`);
        return ledger.balances(tx, account);
      });
      return presentCredits(account.mode, balances);
    },
  };
}
