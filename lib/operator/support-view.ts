import type { Accounts } from '../accounts/accounts';
import type { SupportViewJson } from '../contract/installation';
import type { Db } from '../db/database';
import type { Actor } from '../domain/caller';
import type { Clock } from '../domain/clock';
import type { OrgId } from '../domain/ids';
import type { Mode } from '../domain/video';
import type { Members } from '../organizations/members';
import type { Requests } from '../requests/requests';
import type { CreditTransfers } from './credit-transfers';
import type { ManagedOrganizations } from './managed-organizations';
import { recordEntry, type OperatorIdentity } from './operator-log';
import type { OrganizationLimits } from './organization-limits';

// Lets an operator view an organisation, to help its members. A view changes nothing, shows neither secrets nor the
// content of requests, and is recorded in the organisation's audit log.

/** Rejects with `organization_not_found`. */
export type ReadSupportView = (orgId: OrgId, mode: Mode, by: OperatorIdentity) => Promise<SupportViewJson>;

export interface SupportViewDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly organizations: Pick<ManagedOrganizations, 'read'>;
  readonly members: Pick<Members, 'list'>;
  readonly accounts: Pick<Accounts, 'listKeys'>;
  readonly limits: Pick<OrganizationLimits, 'read'>;
  readonly requests: Pick<Requests, 'list'>;
  readonly transfers: Pick<CreditTransfers, 'list'>;
}

const REQUESTS = 50;
const TRANSFERS = 20;

export function createSupportView(deps: SupportViewDeps): ReadSupportView {
  const { db, clock, organizations, members, accounts, limits, requests, transfers } = deps;

  return async (orgId, mode, by) => {
    const organization = await organizations.read(orgId);
    // Recorded before anything is read, so that a view that cannot be recorded is refused.
    await recordEntry(db, clock.now(), by, { orgId, action: 'organization.viewed', target: orgId, detail: mode });
    const actor: Actor = { orgId, role: 'viewer' };
    const account = { orgId, mode };
    const [people, keys, inForce, latest, moved] = await Promise.all([
      members.list(actor),
      accounts.listKeys(actor),
      limits.read(orgId),
      requests.list(account, { limit: REQUESTS }),
      transfers.list(account, { limit: TRANSFERS }),
    ]);
    return {
      object: 'support_view',
      mode,
      organization,
      members: people.data,
      keys,
      limits: inForce,
      requests: latest,
      transfers: moved.data,
    };
  };
}
