import type { Role } from './caller';
import { GatewayError } from './errors';
import { may, permissions, type Permission } from './roles';

/** Throws `role_required` if the role does not have the permission. */
export function checkMay({ role }: { readonly role: Role }, permission: Permission): void {
  if (may(role, permission)) return;
  const { least, to } = permissions[permission];
  throw new GatewayError(
    'role_required',
    role === 'viewer'
      ? 'Your role (viewer) cannot change anything. Ask an owner or admin of your organisation.'
      : `Your role (${role}) may not ${to}. Ask ${least === 'owner' ? 'an owner' : 'an owner or admin'}.`,
  );
}
