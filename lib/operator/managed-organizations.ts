import { makeOrganization, type FirstOrganizationDeps } from '../accounts/first-organization';
import { presentCredits } from '../accounts/present-credits';
import type { Accounts } from '../accounts/accounts';
import type { MadeInvitationJson } from '../contract/invitations';
import {
  inviteOwnerRequestSchema,
  newOrganizationRequestSchema,
  suspensionRequestSchema,
  type MadeOrganizationJson,
  type OrganizationJson,
  type OrganizationPageJson,
} from '../contract/organizations';
import { parseBody } from '../contract/parse-body';
import { presentPage, withPageIds } from '../contract/present-page';
import type { Database } from '../db/database';
import {
  findOrganization,
  findOrganizationRow,
  listOrganizations,
  setSuspended,
  stateOf,
  type OrganizationFilter,
  type OrganizationRow,
} from '../db/organizations';
import { lockOrganization } from '../db/people';
import { unixSeconds, utcDay } from '../domain/clock';
import { GatewayError } from '../domain/errors';
import type { OrgId } from '../domain/ids';
import { usdText } from '../domain/money';
import type { Mode } from '../domain/video';
import type { Invitations } from '../organizations/invitations';
import { recordEntry, type OperatorIdentity } from './operator-log';

// The organisations of the installation: the operator lists, creates, suspends and resumes them.

export interface ManagedOrganizations {
  /** Rejects with `unsupported_value` if `after` is not an organisation. */
  list(page: OrganizationListing): Promise<OrganizationPageJson>;
  /** Rejects with `organization_not_found`. */
  read(orgId: OrgId): Promise<OrganizationJson>;
  /** Creates an organisation from `{"name", "owner_email"}`, with test credits only and an invitation for its owner. */
  create(body: unknown, by: OperatorIdentity): Promise<MadeOrganizationJson>;
  /**
   * Makes a new invitation for an owner from `{"email"}`. Rejects with `organization_not_found`, or with `owner_exists`
   * if the organisation has an owner, who then decides who joins.
   */
  inviteOwner(orgId: OrgId, body: unknown, by: OperatorIdentity): Promise<MadeInvitationJson>;
  /**
   * Suspends an organisation, with `{"reason"}`: within 5 seconds its keys are refused everywhere, its open connections
   * end, and its console is read-only. Running videos are finished. Safe to repeat; rejects with
   * `organization_not_found`.
   */
  suspend(orgId: OrgId, body: unknown, by: OperatorIdentity): Promise<OrganizationJson>;
  /** Lifts the suspension, with `{"reason"}`, everywhere within 5 seconds. Rejects as `suspend` does. */
  resume(orgId: OrgId, body: unknown, by: OperatorIdentity): Promise<OrganizationJson>;
}

export interface OrganizationListing extends OrganizationFilter {
  readonly limit: number;
  readonly after?: string | undefined;
  /** The order by time of creation. Absent: oldest first. */
  readonly order?: 'asc' | 'desc' | undefined;
}

export interface ManagedOrganizationsDeps extends FirstOrganizationDeps {
  readonly db: Database;
  readonly invitations: Pick<Invitations, 'create'>;
  readonly accounts: Pick<Accounts, 'forgetOrganization'>;
}

const ACTIVITY_DAYS = 30;
const DAY_MS = 86_400_000;

export function createManagedOrganizations(deps: ManagedOrganizationsDeps): ManagedOrganizations {
  const { db, clock, invitations, accounts } = deps;

  const firstDay = () => utcDay(clock.nowMs() - (ACTIVITY_DAYS - 1) * DAY_MS);

  async function read(orgId: OrgId): Promise<OrganizationJson> {
    const row = await findOrganizationRow(db, orgId, firstDay());
    if (!row) throw organizationNotFound();
    return present(row);
  }

  async function invite(orgId: OrgId, email: string | undefined, by: OperatorIdentity): Promise<MadeInvitationJson> {
    const made = await invitations.create({ orgId, role: 'owner' }, { role: 'owner', ...(email && { email }) });
    await recordEntry(db, clock.now(), by, {
      orgId,
      action: 'invitation.created',
      target: made.id,
      detail: `${email ?? 'anyone with the link'}: owner`,
    });
    return made;
  }

  async function change(orgId: OrgId, body: unknown, by: OperatorIdentity, isSuspended: boolean) {
    const { reason } = parseBody(suspensionRequestSchema, body);
    await db.inTransaction(async (tx) => {
      await lockOrganization(tx, orgId);
      const row = await findOrganization(tx, orgId);
      if (!row) throw organizationNotFound();
      if ((row.suspendedAt !== null) === isSuspended) return;
      const at = clock.now();
      await setSuspended(tx, orgId, isSuspended ? at : null);
      const action = isSuspended ? 'organization.suspended' : 'organization.resumed';
      await recordEntry(tx, at, by, { orgId, action, target: orgId, detail: reason });
    });
    accounts.forgetOrganization(orgId);
    return read(orgId);
  }

  return {
    async list({ search, state, limit, after, order = 'asc' }) {
      const rows = await listOrganizations(db, { search, state }, { limit: limit + 1, after, order }, firstDay());
      if (!rows)
        throw new GatewayError('unsupported_value', 'after must be the id of an organisation.', { param: 'after' });
      return withPageIds(presentPage(rows, limit, present));
    },

    read,

    async create(body, by) {
      const { name, owner_email: email } = parseBody(newOrganizationRequestSchema, body);
      const orgId = await db.inTransaction(async (tx) => {
        const made = await makeOrganization(deps, tx, { name, liveCredits: 0n });
        await recordEntry(tx, clock.now(), by, {
          orgId: made.orgId,
          action: 'organization.created',
          target: made.orgId,
        });
        return made.orgId;
      });
      const invitation = await invite(orgId, email, by);
      return { ...(await read(orgId)), invitation };
    },

    async inviteOwner(orgId, body, by) {
      const { email } = parseBody(inviteOwnerRequestSchema, body);
      const { state, owners } = await read(orgId);
      if (state === 'erased') throw organizationNotFound();
      if (owners > 0)
        throw new GatewayError(
          'owner_exists',
          'This organisation has an owner. Only its owners and admins invite others.',
        );
      return invite(orgId, email, by);
    },

    suspend: (orgId, body, by) => change(orgId, body, by, true),
    resume: (orgId, body, by) => change(orgId, body, by, false),
  };
}

export function organizationNotFound(): GatewayError {
  return new GatewayError(
    'organization_not_found',
    'There is no organisation with this id. List them with GET /internal/operator/organizations (npm run credits -- list).',
    { param: 'organization' },
  );
}

function present({ organization, accounts, members, owners, activity }: OrganizationRow): OrganizationJson {
  const credits = (mode: Mode) => {
    const account = accounts.find((each) => each.mode === mode);
    return presentCredits(mode, {
      available: account?.availableNanoUsd ?? 0n,
      held: account?.heldNanoUsd ?? 0n,
      spent: account?.spentNanoUsd ?? 0n,
    });
  };
  const active = (mode: Mode) => {
    const found = activity.find((each) => each.mode === mode);
    return { requests: found?.requests ?? 0, charged: usdText(found?.charged ?? 0n) };
  };
  const { suspendedAt, deletesAt } = organization;
  return {
    id: organization.id,
    object: 'organization',
    name: organization.name,
    state: stateOf(organization),
    suspended: suspendedAt !== null,
    suspended_at: suspendedAt && unixSeconds(suspendedAt),
    deletes_at: deletesAt && unixSeconds(deletesAt),
    credits: { live: credits('live'), test: credits('test') },
    members,
    owners,
    activity: {
      live: active('live'),
      test: active('test'),
      last_day:
        activity
          .map(({ lastDay }) => lastDay)
          .toSorted()
          .at(-1) ?? null,
    },
    created_at: unixSeconds(organization.createdAt),
  };
}
