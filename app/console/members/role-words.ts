import type { Role } from '../../../lib/domain/caller';

/** The names and descriptions of the roles, from the most to the least powerful. */
export const ROLE_WORDS: readonly { readonly role: Role; readonly name: string; readonly description: string }[] = [
  {
    role: 'owner',
    name: 'Owner',
    description: 'Everything, and decides who else is an owner. Gets alerts by e-mail.',
  },
  {
    role: 'admin',
    name: 'Admin',
    description: 'Members, settings, own accounts at providers, alerts, the audit log and keys with the scope manage.',
  },
  { role: 'developer', name: 'Developer', description: 'Keys, playgrounds, videos, webhooks and test credits.' },
  { role: 'viewer', name: 'Viewer', description: 'Sees everything but secrets, and changes nothing.' },
];

export function roleName(role: Role): string {
  return ROLE_WORDS.find((each) => each.role === role)?.name ?? role;
}
