import type { Role } from './caller';

// What each role may do in an organisation. The API, its use cases and the pages of the console all read this table,
// and docs/management.md shows it.

/** From the weakest to the strongest; each may do what those before it may. */
export const roles = ['viewer', 'developer', 'admin', 'owner'] as const satisfies readonly Role[];

/** The weakest role that has each permission, and words that complete "may not …". */
export const permissions = {
  /** Keys without the scope `manage`, videos, messages, speech, webhooks, test credits; see signing secrets. */
  edit: { least: 'developer', to: 'change anything' },
  /** Give a key the scope `manage`, or widen or rotate one that has it. */
  manageKeys: { least: 'admin', to: 'give a key the scope "manage"' },
  alerts: { least: 'admin', to: 'change the alerts' },
  ownAccounts: { least: 'admin', to: 'change the own accounts of the organisation' },
  /** See what is missing for providers that are not offered. */
  providers: { least: 'admin', to: 'see which providers are set up here' },
  /** Projects, the project of a key, and the policy of the organisation. */
  policies: { least: 'admin', to: 'change projects and policies' },
  auditLog: { least: 'admin', to: 'read the audit log' },
  /** Members and invitations, except for owners. */
  members: { least: 'admin', to: 'change the members' },
  settings: { least: 'admin', to: 'change the settings of the organisation' },
  /** Make a member an owner, change or remove an owner, transfer the ownership. */
  owners: { least: 'owner', to: 'change who is an owner' },
  deletion: { least: 'owner', to: 'delete or restore the organisation' },
} as const satisfies Record<string, { readonly least: Role; readonly to: string }>;

export type Permission = keyof typeof permissions;

/** Roles are ordered: each has the permissions of those below it. */
export function may(role: Role, permission: Permission): boolean {
  return roles.indexOf(role) >= roles.indexOf(permissions[permission].least);
}

/** The facts that decide what a person may change in an organisation. */
export interface Standing {
  readonly role: Role;
  /** Whether the operator of the installation has suspended the organisation. */
  readonly orgSuspended: boolean;
  /** Unix milliseconds at which the organisation is erased; undefined if it is not being deleted. */
  readonly orgDeletesAtMs?: number | undefined;
}

/** Whether everything of an organisation can only be read. */
export function isClosed({ orgSuspended, orgDeletesAtMs }: Omit<Standing, 'role'>): boolean {
  return orgSuspended || orgDeletesAtMs !== undefined;
}

/** Whether the role may make a change. Like `may`, but false for every role in a closed organisation. */
export function mayChange(standing: Standing, permission: Permission): boolean {
  return !isClosed(standing) && may(standing.role, permission);
}

/** The weakest of these roles. */
export function weakestRole(...these: readonly [Role, ...Role[]]): Role {
  return roles.find((role) => these.includes(role)) ?? 'viewer';
}
