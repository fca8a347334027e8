import type { Db } from '../db/database';
import { findKeyOfOrganization } from '../db/keys';
import type { Actor } from '../domain/caller';
import { checkMay } from '../domain/check-may';
import { GatewayError } from '../domain/errors';

/**
 * Throws `role_required` unless the actor may change projects and the policy of the organisation: owners, admins, and
 * their keys. A key of a project may not, because it could raise its own budget or widen its own policy. `what`
 * completes "may not change …".
 */
export async function checkMayChangePolicies(db: Db, actor: Actor, what: string): Promise<void> {
  checkMay(actor, 'policies');
  if (actor.keyId === undefined) return;
  const own = await findKeyOfOrganization(db, actor.orgId, actor.keyId);
  if (own?.project)
    throw new GatewayError(
      'role_required',
      `This key belongs to a project, so it may not change ${what}. Use the console, or a key that is in no project.`,
    );
}
