import type { Actor } from '../domain/caller';
import { GatewayError } from '../domain/errors';

/** Throws `role_required` for a viewer. */
export function checkMayChange(actor: Actor): void {
  if (actor.role !== 'viewer') return;
  throw new GatewayError(
    'role_required',
    'Your role (viewer) may look but not change anything. Ask an owner or admin of your organisation.',
  );
}

/** Throws `role_required` unless the role is owner or admin; `what` completes "may not change …". */
export function checkAdministrator(actor: Actor, what: string): void {
  checkMayChange(actor);
  if (actor.role === 'owner' || actor.role === 'admin') return;
  throw new GatewayError('role_required', `Your role (${actor.role}) may not change ${what}. Ask an owner or admin.`);
}
