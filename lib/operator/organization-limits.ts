import {
  organizationLimitsRequest,
  type OrganizationLimitsJson,
  type OrganizationLimitsRequest,
} from '../contract/limits';
import { parseBody } from '../contract/parse-body';
import type { Database } from '../db/database';
import { changeOrganizationLimits, findOrganizationLimits } from '../db/organizations';
import type { OrgId } from '../domain/ids';
import { limitNames, shownLimit, withOverrides, type LimitOverrides, type LimitValues } from '../domain/limits';

// The limits of one organisation. Only what the operator has changed is stored, so that a change of the configuration
// applies to all others.

export interface OrganizationLimits {
  read(orgId: OrgId): Promise<OrganizationLimitsJson>;
  /** Takes effect within 5 seconds, which is how long keys are cached. */
  change(orgId: OrgId, request: OrganizationLimitsRequest): Promise<OrganizationLimitsJson>;
}

/** Parses the body of a change of limits. Throws as `parseBody` does. */
export function parseOrganizationLimits(body: unknown): OrganizationLimitsRequest {
  return parseBody(organizationLimitsRequest, body);
}

export function createOrganizationLimits({
  db,
  configured,
}: {
  readonly db: Database;
  readonly configured: LimitValues;
}): OrganizationLimits {
  function present(orgId: OrgId, overrides: LimitOverrides | null): OrganizationLimitsJson {
    const inForce = withOverrides(configured, overrides);
    const limits = limitNames.flatMap((name) => {
      const value = inForce[name];
      return name in configured || overrides?.[name] !== undefined
        ? [[name, value === undefined ? 'off' : shownLimit(name, value)] as const]
        : [];
    });
    return {
      object: 'organization_limits',
      organization: orgId,
      limits: Object.fromEntries(limits),
      changed: limitNames.filter((name) => overrides?.[name] !== undefined),
    };
  }

  return {
    read: async (orgId) => present(orgId, await findOrganizationLimits(db, orgId)),
    async change(orgId, { limits: { set, reset } }) {
      return present(orgId, await changeOrganizationLimits(db, orgId, set, reset));
    },
  };
}
