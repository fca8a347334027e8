import type { Db } from '../db/database';
import { findOrganizations } from '../db/keys';
import { consoleKeyId, type Account, type Caller } from '../domain/caller';
import { GatewayError } from '../domain/errors';
import { keptDaysOf, policyOfPeople } from './key-lookup';

/**
 * Returns a caller of the use cases of `/v1` for a person in the console. The policy of the organisation applies to
 * people too.
 */
export async function callerOfPeople(db: Db, { orgId, mode }: Account): Promise<Caller> {
  const [organization] = await findOrganizations(db, [orgId]);
  if (!organization) throw new GatewayError('organization_not_found', 'There is no organisation with this id.');
  return {
    orgId,
    mode,
    keyId: consoleKeyId,
    policy: policyOfPeople(organization),
    limits: { organization: organization.limits },
    ...keptDaysOf(organization),
  };
}
