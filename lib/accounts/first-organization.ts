import type { Role } from '../domain/caller';
import type { Clock } from '../domain/clock';
import { newId, type OrgId, type UserId } from '../domain/ids';
import { parseUsd, type NanoUsd } from '../domain/money';
import { openAccounts, type Ledger } from '../billing/ledger';
import type { Tx } from '../db/database';
import { insertMember, insertOrganization } from '../db/people';
import type { Sealer } from './seal';
import { newWebhookSecret, webhookSecretOf } from './webhook-secret';

export interface FirstOrganizationDeps {
  readonly ledger: Ledger;
  readonly sealer: Sealer;
  readonly clock: Clock;
}

export interface FirstOrganization {
  readonly name: string;
  readonly owner: {
    readonly email: string;
    readonly name?: string | undefined;
    readonly passwordHash: string | null;
    readonly emailVerifiedAt?: Date | undefined;
    /** Whether the person also operates the installation: only for the person that the first start creates. */
    readonly isOperator?: true;
  };
  readonly liveCredits: NanoUsd;
}

/** The balance of test credits at first and after a refill. */
export const TEST_CREDITS = parseUsd('1000');

/** Creates an organisation with its webhook secret and its two balance accounts. It has no members yet. */
export async function makeOrganization(
  { ledger, sealer, clock }: FirstOrganizationDeps,
  tx: Tx,
  { name, liveCredits }: Omit<FirstOrganization, 'owner'>,
): Promise<{ orgId: OrgId; webhookSecret: string }> {
  const orgId = newId('org');
  const webhookSecret = newWebhookSecret();
  await insertOrganization(tx, {
    id: orgId,
    name,
    webhookSecret: sealer.seal(webhookSecret, webhookSecretOf(orgId)),
    createdAt: clock.now(),
  });
  await openAccounts(tx, orgId);
  await ledger.grant(tx, { orgId, mode: 'live' }, liveCredits, 'first-run');
  await ledger.grant(tx, { orgId, mode: 'test' }, TEST_CREDITS, 'first-run');
  return { orgId, webhookSecret };
}

/** Creates the first organisation with a new person as its owner. The caller must hold `lockFirstPerson`. */
export async function makeFirstOrganization(
  deps: FirstOrganizationDeps,
  tx: Tx,
  { owner, ...organization }: FirstOrganization,
): Promise<{ orgId: OrgId; userId: UserId; role: Role; webhookSecret: string }> {
  const { orgId, webhookSecret } = await makeOrganization(deps, tx, organization);
  const userId = newId('user');
  const role = 'owner';
  const now = deps.clock.now();
  await insertMember(tx, orgId, role, {
    id: userId,
    email: owner.email,
    name: owner.name ?? null,
    passwordHash: owner.passwordHash,
    emailVerifiedAt: owner.emailVerifiedAt ?? null,
    operatorSince: owner.isOperator ? now : null,
    createdAt: now,
  });
  return { orgId, userId, role, webhookSecret };
}
