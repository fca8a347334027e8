import { insertAuditEntry, findAuditEntry, listAuditEntries, type AuditEntryFilter, type AuditRow } from '../db/audit';
import type { Db } from '../db/database';
import type { AuditEntryJson, AuditPageJson } from '../contract/audit';
import { csvLine } from '../contract/csv';
import { presentPage, withPageIds } from '../contract/present-page';
import type { Actor } from '../domain/caller';
import { checkMay } from '../domain/check-may';
import { unixSeconds, type Clock } from '../domain/clock';
import { GatewayError } from '../domain/errors';
import { isId, newId } from '../domain/ids';

// Records who changed what in an organisation, from where and when. Entries are kept for AUDIT_RETENTION_DAYS
// (lib/housekeeping/housekeeping.ts).

export interface AuditLog {
  /**
   * Adds an entry. `action` is such as `key.created`; `target` is the id of the changed object, `detail` says what the
   * id does not, and `address` is the network address of the request.
   */
  record(
    actor: Pick<Actor, 'orgId' | 'userId' | 'keyId'> & { readonly address?: string },
    action: string,
    target?: string,
    detail?: string,
  ): Promise<void>;
  /**
   * Lists entries, newest first. Rejects with `role_required` unless the actor is an owner or admin, and with
   * `unsupported_value` for an unknown `after`.
   */
  list(actor: Actor, filter: AuditFilter, page: AuditPage): Promise<AuditPageJson>;
  /**
   * Yields the lines of a table with a header, at most a million entries. They are read page by page while they are
   * consumed.
   */
  listCsv(actor: Actor, filter: AuditFilter): AsyncIterable<string>;
}

export type AuditFilter = AuditEntryFilter;

export interface AuditPage {
  readonly limit: number;
  /** The id of the last entry of the previous page. */
  readonly after?: string | undefined;
}

const CSV_PAGE = 500;
const MAX_CSV_ENTRIES = 1_000_000;

export function createAuditLog({ db, clock }: { readonly db: Db; readonly clock: Clock }): AuditLog {
  async function list(actor: Actor, filter: AuditFilter, { limit, after }: AuditPage): Promise<AuditPageJson> {
    checkMay(actor, 'auditLog');
    const place =
      after !== undefined && isId('audit', after) ? await findAuditEntry(db, actor.orgId, after) : undefined;
    if (after !== undefined && !place)
      throw new GatewayError('unsupported_value', 'after must be the id of an entry of this log.', { param: 'after' });
    const rows = await listAuditEntries(db, actor.orgId, filter, limit + 1, place);
    return withPageIds(presentPage(rows, limit, presentEntry));
  }

  return {
    async record({ orgId, userId, keyId, address }, action, target, detail) {
      await insertAuditEntry(db, {
        id: newId('audit'),
        orgId,
        userId: userId ?? null,
        keyId: keyId ?? null,
        action,
        target: target ?? null,
        detail: detail ?? null,
        address: address ?? null,
        at: clock.now(),
      });
    },

    list,

    async *listCsv(actor, filter) {
      yield csvLine(CSV_HEADER);
      let written = 0;
      let after: string | undefined;
      do {
        const page: AuditPageJson = await list(actor, filter, { limit: CSV_PAGE, after });
        for (const entry of page.data) yield csvLine(valuesOf(entry));
        written += page.data.length;
        after = page.has_more ? (page.last_id ?? undefined) : undefined;
      } while (after !== undefined && written < MAX_CSV_ENTRIES);
    },
  };
}

function presentEntry(row: AuditRow): AuditEntryJson {
  return {
    id: row.id,
    object: 'audit_entry',
    actor: actorOf(row),
    action: row.action,
    target: row.target,
    target_name: row.targetName,
    detail: row.detail,
    address: row.address,
    at: unixSeconds(row.at),
  };
}

function actorOf({ byOperator, userId, email, keyId, keyName }: AuditRow): AuditEntryJson['actor'] {
  if (byOperator && userId !== null) return { type: 'operator', id: userId, ...(email === null ? {} : { email }) };
  if (userId !== null) return { type: 'person', id: userId, ...(email === null ? {} : { email }) };
  if (keyId !== null) return { type: 'key', id: keyId, ...(keyName === null ? {} : { name: keyName }) };
  return { type: 'operator' };
}

const CSV_HEADER = [
  'at',
  'actor_type',
  'actor',
  'actor_id',
  'action',
  'target',
  'target_name',
  'detail',
  'address',
  'id',
] as const;

function valuesOf({ at, actor, action, target, target_name: name, detail, address, id }: AuditEntryJson) {
  const who = actor.type === 'key' ? actor.name : actor.email;
  return [new Date(at * 1000).toISOString(), actor.type, who, actor.id, action, target, name, detail, address, id];
}
