import { openPolicy } from '../contract/policies';
import type { KeyPolicy } from '../domain/caller';
import { parseUsd } from '../domain/money';
import type { Mode } from '../domain/video';
import type { Database, Tx } from '../db/database';
import { findKeyByHash, insertKey } from '../db/keys';
import { hasPeople, lockFirstPerson } from '../db/people';
import { makeFirstOrganization, type FirstOrganizationDeps } from './first-organization';
import { firstRunFile, type FirstRun } from './first-run-file';
import { hashSecret } from './secrets';
import { makeKey } from './keys';
import { readablePassword, type Passwords } from './password';
import { normalizeEmail } from '../contract/sign-in';

// The initial data of a new installation. An embedded database gets everything needed to try the product; an external
// one gets only the owner that the operator configured.

export interface SeedDeps extends FirstOrganizationDeps {
  readonly db: Database;
  readonly passwords: Passwords;
  readonly baseUrl: string;
  readonly dataDir: string;
  readonly embedded: boolean;
  /** The first owner of an empty external database. */
  readonly bootstrap?: { readonly email: string; readonly password: string } | undefined;
}

/** What this start created, for the console of the person who started it; never logged. */
export type Seeded =
  | { readonly kind: 'first-run'; readonly file: string; readonly firstRun: FirstRun }
  | { readonly kind: 'owner'; readonly email: string };

const ORGANIZATION = 'My organisation';
const OWNER_EMAIL = 'owner@patchbay.local';
const LIVE_CREDITS = parseUsd('25');

/**
 * Seeds an empty database. Resolves to undefined if there was nothing to do. Several instances may call this at once;
 * only one of them seeds.
 */
export function seedFirstRun(deps: SeedDeps): Promise<Seeded | undefined> {
  return deps.embedded ? seedEmbedded(deps) : seedOwner(deps);
}

async function seedEmbedded(deps: SeedDeps): Promise<Seeded | undefined> {
  const file = firstRunFile(deps.dataDir);
  if (await hasPeople(deps.db)) {
    // The process may have ended between the commit and the rename. The file belongs to this database only if the keys
    // in it exist; a file of an attempt that did not commit is worthless.
    const pending = await file.readPending();
    const belongs = pending && (await findKeyByHash(deps.db, hashSecret(pending.keys.test)));
    if (!belongs) {
      await file.discardPending();
      return undefined;
    }
    await file.publish();
    return { kind: 'first-run', file: file.path, firstRun: pending };
  }

  const password = readablePassword();
  const passwordHash = await deps.passwords.hash(password);
  const firstRun = await deps.db.inTransaction(async (tx) => {
    await lockFirstPerson(tx);
    if (await hasPeople(tx)) return undefined;
    const made = await makeFirstOrganization(deps, tx, {
      name: ORGANIZATION,
      owner: { email: OWNER_EMAIL, passwordHash, isOperator: true },
      liveCredits: LIVE_CREDITS,
    });
    const makeFirstKey = async (mode: Mode, scopes: KeyPolicy['scopes']) => {
      const { key, row } = makeKey(made, deps.clock.now(), {
        ...unrestricted,
        mode,
        scopes: [...scopes],
        name: `First ${mode} key`,
      });
      await insertKey(tx, row);
      return key;
    };
    const secrets: FirstRun = {
      base_url: deps.baseUrl,
      console_url: `${deps.baseUrl}/console`,
      owner: { email: OWNER_EMAIL, password },
      keys: {
        test: await makeFirstKey('test', ['inference']),
        live: await makeFirstKey('live', ['inference', 'manage']),
      },
      webhook_secret: made.webhookSecret,
    };
    // Last, and inside the transaction: if the file cannot be written, nothing is seeded.
    await file.writePending(secrets);
    return secrets;
  });
  if (!firstRun) return undefined;
  await file.publish();
  return { kind: 'first-run', file: file.path, firstRun };
}

async function seedOwner(deps: SeedDeps): Promise<Seeded | undefined> {
  const { db, passwords, bootstrap } = deps;
  if (!bootstrap || (await hasPeople(db))) return undefined;
  const email = normalizeEmail(bootstrap.email);
  const passwordHash = await passwords.hash(bootstrap.password);
  const made = await db.inTransaction(async (tx: Tx) => {
    await lockFirstPerson(tx);
    if (await hasPeople(tx)) return false;
    await makeFirstOrganization(deps, tx, {
      name: ORGANIZATION,
      // Trusted without a confirmation: the person who sets the environment owns the installation.
      owner: { email, passwordHash, emailVerifiedAt: deps.clock.now(), isOperator: true },
      liveCredits: 0n,
    });
    return true;
  });
  return made ? { kind: 'owner', email } : undefined;
}

/** The rights of a key without restrictions. */
export const unrestricted = {
  ...openPolicy,
  projectId: null,
  limitNanoUsd: null,
  limitPeriod: null,
  limits: null,
  expiresAt: null,
  rotatedFrom: null,
  spendKeyId: null,
};
