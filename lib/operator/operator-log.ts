import type { OperatorEntryJson, OperatorEntryPageJson } from '../contract/audit';
import { presentPage, withPageIds } from '../contract/present-page';
import { findOperatorEntry, insertAuditEntry, listOperatorEntries, type OperatorAuditRow } from '../db/audit';
import type { Db } from '../db/database';
import { unixSeconds } from '../domain/clock';
import { GatewayError } from '../domain/errors';
import { isId, newId, type OrgId, type UserId } from '../domain/ids';

// Records the operator's actions in two audit logs: that of the organisation concerned, which its owners and admins
// read, and that of the installation, which has all of them.

/** The acting operator: a person who operates the installation, or without a person the holder of the token. */
export interface OperatorIdentity {
  readonly userId?: UserId | undefined;
}

export interface OperatorEntry {
  /** The organisation concerned; null if the action concerns the installation. */
  readonly orgId: OrgId | null;
  /** Such as `organization.suspended`. */
  readonly action: string;
  readonly target?: string;
  readonly detail?: string | undefined;
}

/** Adds an operator's action to the audit log of the installation and, with `orgId`, to that of the organisation. */
export async function recordEntry(
  db: Db,
  at: Date,
  { userId }: OperatorIdentity,
  { orgId, action, target, detail }: OperatorEntry,
): Promise<void> {
  await insertAuditEntry(db, {
    id: newId('audit'),
    orgId,
    userId: userId ?? null,
    byOperator: true,
    action,
    target: target ?? null,
    detail: detail ?? null,
    at,
  });
}

export interface EntryPage {
  readonly limit: number;
  /** The id of the last entry of the page before. */
  readonly after?: string | undefined;
}

/** Newest first. Rejects with `unsupported_value` for an unknown `after`. */
export async function listEntries(db: Db, { limit, after }: EntryPage): Promise<OperatorEntryPageJson> {
  const place = after !== undefined && isId('audit', after) ? await findOperatorEntry(db, after) : undefined;
  if (after !== undefined && !place)
    throw new GatewayError('unsupported_value', 'after must be the id of an entry of this list.', { param: 'after' });
  return withPageIds(presentPage(await listOperatorEntries(db, limit + 1, place), limit, presentEntry));
}

function presentEntry({ entry, email, orgName }: OperatorAuditRow): OperatorEntryJson {
  return {
    id: entry.id,
    object: 'operator_audit_entry',
    organization: entry.orgId === null ? null : { id: entry.orgId, name: orgName ?? '' },
    actor: entry.userId === null ? null : { id: entry.userId, email },
    action: entry.action,
    target: entry.target,
    detail: entry.detail,
    at: unixSeconds(entry.at),
  };
}
