import type { Db } from '../db/database';
import { findAuditEntry, insertAuditEntry, listAuditEntries } from '../db/audit';
import type { AuditEntryJson, AuditPageJson } from '../contract/activity';
import { presentPage } from '../contract/present-page';
import type { Actor } from '../domain/caller';
import { checkMay } from '../domain/check-may';
import { unixSeconds, type Clock } from '../domain/clock';
import { GatewayError } from '../domain/errors';
import { isId, newId } from '../domain/ids';

// Records who changed keys, secrets, sign-ins and credits of an organisation, and when. Kept for a year
// (lib/housekeeping/housekeeping.ts).

export interface AuditLog {
  /**
   * `action` such as `key.created`; `target` is the id of the changed object, `detail` what the id does not say, and
   * `address` the network address of the request. Neither a person nor a key: the operator.
   */
  record(
    actor: Pick<Actor, 'orgId' | 'userId' | 'keyId'> & { readonly address?: string },
    action: string,
    target?: string,
    detail?: string,
  ): Promise<void>;
  /**
   * Newest first. Rejects with `role_required` unless the actor is an owner or admin, `unsupported_value` for an
   * invalid page.
   */
  list(actor: Actor, page: { readonly limit: string | null; readonly after: string | null }): Promise<AuditPageJson>;
}

const USUAL = 50;
const MOST = 100;

export function createAuditLog({ db, clock }: { readonly db: Db; readonly clock: Clock }): AuditLog {
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

    async list(actor, page) {
      checkMay(actor, 'auditLog');
      const limit = parseLimit(page.limit);
      const after =
        page.after === null
          ? undefined
          : isId('audit', page.after)
            ? await findAuditEntry(db, actor.orgId, page.after)
            : undefined;
      if (page.after !== null && !after)
        throw new GatewayError('unsupported_value', 'after must be the id of an entry of this log.', {
          param: 'after',
        });
      const rows = await listAuditEntries(db, actor.orgId, limit + 1, after);
      return presentPage(rows, limit, (row): AuditEntryJson => {
        const person =
          row.userId === null
            ? undefined
            : ({ type: 'person', id: row.userId, ...(row.email === null ? {} : { email: row.email }) } as const);
        const key = row.keyId === null ? undefined : ({ type: 'key', id: row.keyId } as const);
        return {
          id: row.id,
          object: 'audit_entry',
          actor: person ?? key ?? { type: 'operator' },
          action: row.action,
          target: row.target,
          at: unixSeconds(row.at),
        };
      });
    },
  };
}

function parseLimit(text: string | null): number {
  if (text === null) return USUAL;
  const limit = Number(text);
  if (/^\d{1,3}$/.test(text) && limit >= 1 && limit <= MOST) return limit;
  throw new GatewayError('unsupported_value', `limit must be a whole number from 1 to ${MOST}.`, { param: 'limit' });
}
