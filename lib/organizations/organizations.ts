import type { Accounts, ActivePerson } from '../accounts/accounts';
import { makeOrganization, type FirstOrganizationDeps } from '../accounts/first-organization';
import {
  createOrganizationRequestSchema,
  type OwnOrganizationJson,
  type OwnOrganizationListJson,
} from '../contract/organizations';
import { parseBody } from '../contract/parse-body';
import type { Database } from '../db/database';
import { addMember, countOwned } from '../db/members';
import { lockPerson } from '../db/people';
import { GatewayError } from '../domain/errors';
import type { OrgId } from '../domain/ids';

// The organisations of a person. Everyone who can sign in may create one: it begins with test credits only, and only
// the operator grants live ones.

export interface Organizations {
  /** Lists the organisations of the person, the one that they joined first at the top. */
  list(person: ActivePerson): OwnOrganizationListJson;
  /**
   * `{"name"}`: the person becomes its owner. Rejects with `unsupported_value` if they own too many, or as `parseBody`
   * does.
   */
  create(person: Pick<ActivePerson, 'userId'>, body: unknown): Promise<OwnOrganizationJson & { readonly id: OrgId }>;
}

const MAX_OWNED = 20;

export interface OrganizationsDeps extends FirstOrganizationDeps {
  readonly db: Database;
  readonly accounts: Pick<Accounts, 'forgetPerson'>;
}

export function createOrganizations(deps: OrganizationsDeps): Organizations {
  const { db, clock, accounts } = deps;

  return {
    list: ({ memberships }) => ({
      object: 'list',
      data: memberships.map(({ orgId, orgName, role, orgSuspended, orgDeletesAtMs }) => ({
        id: orgId,
        object: 'organization',
        name: orgName,
        role,
        suspended: orgSuspended,
        deletes_at: orgDeletesAtMs === undefined ? null : Math.floor(orgDeletesAtMs / 1000),
      })),
    }),

    async create({ userId }, body) {
      const { name } = parseBody(createOrganizationRequestSchema, body);
      const orgId = await db.inTransaction(async (tx) => {
        // Without the lock, two concurrent requests could exceed the maximum.
        await lockPerson(tx, userId);
        if ((await countOwned(tx, userId)) >= MAX_OWNED)
          throw new GatewayError(
            'unsupported_value',
            `A person can own at most ${MAX_OWNED} organisations. Delete one, or transfer its ownership.`,
          );
        const made = await makeOrganization(deps, tx, { name, liveCredits: 0n });
        await addMember(tx, { orgId: made.orgId, userId, role: 'owner', createdAt: clock.now() });
        return made.orgId;
      });
      accounts.forgetPerson(userId);
      return { id: orgId, object: 'organization', name, role: 'owner', suspended: false, deletes_at: null };
    },
  };
}
