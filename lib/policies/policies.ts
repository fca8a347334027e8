import { checkMayChangePolicies } from '../accounts/check-may-change-policies';
import { checkProviders, type IsProvider } from '../accounts/check-providers';
import { parseBody } from '../contract/parse-body';
import {
  policyChangesOf,
  presentPolicy,
  updatePolicyRequestSchema,
  type OrganizationPolicyJson,
  type SimulationJson,
} from '../contract/policies';
import type { Db } from '../db/database';
import { findOrganizations } from '../db/keys';
import { changeOrganizationPolicy } from '../db/organizations';
import type { Actor } from '../domain/caller';
import { GatewayError } from '../domain/errors';
import type { OrgId } from '../domain/ids';
import { createSimulator, type SimulatorDeps } from './simulate';

// The policy of an organisation, and the simulator. Those of projects and keys are changed with them.

export interface Policies {
  find(actor: Actor): Promise<OrganizationPolicyJson>;
  /** Effective everywhere within 5 seconds. Rejects with `role_required`, or as `parseBody` does. */
  update(actor: Actor, body: unknown): Promise<OrganizationPolicyJson>;
  /**
   * Returns what would happen to a request of a key, and why. Rejects with `key_not_found`, as `parseBody` does, and
   * for parameters that the model does not take with the error of the request itself.
   */
  simulate(actor: Actor, body: unknown): Promise<SimulationJson>;
}

export function createPolicies(
  deps: SimulatorDeps & {
    readonly db: Db;
    /** Makes this process reload the keys. */
    readonly forgetKeys: () => void;
    readonly isProvider: IsProvider;
  },
): Policies {
  const { db, forgetKeys, isProvider } = deps;

  async function getOrganization(orgId: OrgId) {
    const [organization] = await findOrganizations(db, [orgId]);
    if (!organization) throw new GatewayError('organization_not_found', 'There is no organisation with this id.');
    return organization;
  }

  return {
    async find({ orgId }) {
      return { object: 'policy', ...presentPolicy(await getOrganization(orgId)) };
    },

    async update(actor, body) {
      await checkMayChangePolicies(db, actor, 'the policy of the organisation');
      const request = parseBody(updatePolicyRequestSchema, body);
      checkProviders(request, isProvider, (await getOrganization(actor.orgId)).allowedProviders);
      await changeOrganizationPolicy(db, actor.orgId, policyChangesOf(request));
      forgetKeys();
      return this.find(actor);
    },

    simulate: createSimulator(deps),
  };
}
