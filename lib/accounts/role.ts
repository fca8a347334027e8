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
