import { createAccounts, type CreatedAccounts } from '../../../lib/accounts/create-accounts';
import { makeFirstOrganization } from '../../../lib/accounts/first-organization';
import type { Passwords } from '../../../lib/accounts/password';
import { createSealer } from '../../../lib/accounts/seal';
import { createLedger, type Ledger } from '../../../lib/billing/ledger';
import type { Database } from '../../../lib/db/database';
import { insertMember } from '../../../lib/db/people';
import type { Actor, Role } from '../../../lib/domain/caller';
import type { Cancel, Clock } from '../../../lib/domain/clock';
import { newId, type OrgId, type UserId } from '../../../lib/domain/ids';
import { parseUsd } from '../../../lib/domain/money';
import { recordLog, type RecordedLog } from '../../support/log';
import { cheapPasswords } from '../../support/passwords';

/** A clock that moves only on request; timers that come due on the way run in order. */
export interface HandClock extends Clock {
  pass(ms: number): void;
}

export function handClock(start = '2026-11-18T10:30:00Z'): HandClock {
  let nowMs = Date.parse(start);
  const timers = new Set<{ atMs: number; run: () => void }>();
  const after = (ms: number, run: () => void): Cancel => {
    const timer = { atMs: nowMs + ms, run };
    timers.add(timer);
    return () => void timers.delete(timer);
  };
  return {
    now: () => new Date(nowMs),
    nowMs: () => nowMs,
    after,
    sleep: (ms) => new Promise((resolve) => void after(ms, resolve)),
    pass(ms) {
      const untilMs = nowMs + ms;
      for (;;) {
        const [next] = [...timers].filter((timer) => timer.atMs <= untilMs).toSorted((a, b) => a.atMs - b.atMs);
        if (!next) break;
        timers.delete(next);
        nowMs = next.atMs;
        next.run();
      }
      nowMs = untilMs;
    },
  };
}

const masterKey = 'a master key that is only for tests, 32+';
export const sealer = createSealer(masterKey);

export interface TestAccounts {
  readonly accounts: CreatedAccounts;
  readonly ledger: Ledger;
  readonly log: RecordedLog;
}

export function makeAccounts(db: Database, clock: Clock, passwords: Passwords = cheapPasswords()): TestAccounts {
  const log = recordLog();
  const ledger = createLedger({ clock });
  const isProvider = (id: string) => id !== 'nope';
  return { accounts: createAccounts({ db, clock, log, sealer, ledger, passwords, isProvider }), ledger, log };
}

/** One more organisation with an owner; `passwordHash` matters only to tests that sign in. */
export async function makeOrganization(
  db: Database,
  clock: Clock,
  passwordHash = 'scrypt$16$8$1$AAAA$AAAA',
): Promise<{ orgId: OrgId; userId: UserId; email: string; owner: Actor; webhookSecret: string }> {
  const email = `${newId('user')}@example.com`;
  const deps = { ledger: createLedger({ clock }), sealer, clock };
  const { orgId, userId, webhookSecret } = await db.inTransaction((tx) =>
    makeFirstOrganization(deps, tx, {
      name: 'Example',
      owner: { email, passwordHash },
      liveCredits: parseUsd('10'),
    }),
  );
  return { orgId, userId, email, owner: { orgId, userId, role: 'owner' }, webhookSecret };
}

/** Adds a new person to the organisation, without a password. */
export async function makeMember(
  db: Database,
  clock: Clock,
  orgId: OrgId,
  role: Role,
): Promise<Actor & { userId: UserId }> {
  const userId = newId('user');
  const person = { id: userId, email: `${userId}@example.com`, createdAt: clock.now() };
  await db.inTransaction((tx) => insertMember(tx, orgId, role, person));
  return { orgId, userId, role };
}

/** The same database, with a count of the statements and transactions that begin through it. */
export function countQueries(db: Database): { db: Database; count: () => number } {
  let count = 0;
  const statements = new Set<PropertyKey>([
    'select',
    'selectDistinct',
    'insert',
    'update',
    'delete',
    'execute',
    'transaction',
    'query',
    'with',
    '$with',
  ]);
  const orm = new Proxy(db.orm, {
    get(target, property, receiver) {
      if (statements.has(property)) count++;
      return Reflect.get(target, property, receiver);
    },
  });
  return {
    count: () => count,
    db: {
      ...db,
      orm,
      query: (text, values) => {
        count++;
        return db.query(text, values);
      },
      inTransaction: (run) => {
        count++;
        return db.inTransaction(run);
      },
    },
  };
}

/** The error that a promise rejects with, for several assertions on it. */
export async function refusal(
  promise: Promise<unknown>,
): Promise<{ code: string; message: string; param: string | undefined }> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof Error && 'code' in error && 'extra' in error) {
      const extra = error.extra;
      const param = typeof extra === 'object' && extra !== null && 'param' in extra ? String(extra.param) : undefined;
      return { code: String(error.code), message: error.message, param };
    }
    throw error;
  }
  throw new Error('It was expected to be refused.');
}
