import {
  createAlertRequestSchema,
  updateAlertRequestSchema,
  type AlertJson,
  type AlertListJson,
} from '../contract/alerts';
import { parseBody } from '../contract/parse-body';
import {
  findAlert,
  insertAlert,
  listAlerts,
  measureAlerts,
  removeAlert,
  updateAlert,
  type AlertRow,
} from '../db/alerts';
import type { Database } from '../db/database';
import { lockOrganization } from '../db/people';
import type { Account, Actor } from '../domain/caller';
import { unixSeconds, type Clock } from '../domain/clock';
import { GatewayError } from '../domain/errors';
import { isId, newId, type OrgId } from '../domain/ids';
import { usdText, type NanoUsd } from '../domain/money';
import type { Mode } from '../domain/video';
import { checkMay } from '../domain/check-may';
import { alertPeriods } from './alert-periods';

// Alerts on an account: when its credits fall below an amount, or when it has spent an amount in a day or a month.
// Every member sees them; owners and admins change them. lib/alerts/check-alerts.ts announces the crossings.

export interface Alerts {
  /** Lists the alerts, oldest first, with the current value of what each watches. */
  list(account: Account): Promise<AlertListJson>;
  /**
   * Creates an alert from `{"kind", "amount"}`. Rejects with `role_required`, with `unsupported_value` if the threshold
   * exists or the account has too many, or as `parseBody` does.
   */
  create(actor: Actor, mode: Mode, body: unknown): Promise<AlertJson>;
  /** Changes the threshold to that of `{"amount"}`. Rejects with `alert_not_found`, or as `create` does. */
  update(actor: Actor, id: string, body: unknown): Promise<AlertJson>;
  /** Rejects with `role_required` or `alert_not_found`. */
  remove(actor: Actor, id: string): Promise<void>;
}

const MAX_ALERTS = 20;

export function createAlerts({
  db,
  clock,
  canMail,
}: {
  readonly db: Database;
  readonly clock: Clock;
  /** Whether this installation can send e-mails. */
  readonly canMail: boolean;
}): Alerts {
  async function list(account: Account): Promise<AlertJson[]> {
    const periods = alertPeriods(clock.nowMs());
    const rows = await listAlerts(db, account);
    if (rows.length === 0) return [];
    const values = new Map((await measureAlerts(db, account, periods)).map(({ id, value }) => [id, value]));
    return rows.map((row) => present(row, values.get(row.id) ?? 0n, { low: 'low', ...periods }));
  }

  async function read({ id, orgId, mode }: AlertRow): Promise<AlertJson> {
    const found = (await list({ orgId, mode })).find((each) => each.id === id);
    if (!found) throw alertNotFound();
    return found;
  }

  async function getOwn(orgId: OrgId, id: string): Promise<AlertRow> {
    const row = isId('alert', id) ? await findAlert(db, id) : undefined;
    if (row?.orgId !== orgId) throw alertNotFound();
    return row;
  }

  return {
    list: async (account) => ({ object: 'list', data: await list(account), mail: canMail }),

    async create(actor, mode, body) {
      checkMayManage(actor);
      const { kind, amount } = parseBody(createAlertRequestSchema, body);
      const row: AlertRow = {
        id: newId('alert'),
        orgId: actor.orgId,
        mode,
        kind,
        amountNanoUsd: amount,
        createdAt: clock.now(),
        crossedPeriod: null,
        crossedAt: null,
        crossedNanoUsd: null,
      };
      await db.inTransaction(async (tx) => {
        // Two concurrent calls could otherwise exceed the maximum.
        await lockOrganization(tx, actor.orgId);
        if ((await listAlerts(tx, row)).length >= MAX_ALERTS)
          throw new GatewayError('unsupported_value', `An account has at most ${MAX_ALERTS} alerts. Remove one first.`);
        if (!(await insertAlert(tx, row))) throw sameAlert(amount);
      });
      return read(row);
    },

    async update(actor, id, body) {
      checkMayManage(actor);
      const { amount } = parseBody(updateAlertRequestSchema, body);
      const row = await getOwn(actor.orgId, id);
      await db.inTransaction(async (tx) => {
        await lockOrganization(tx, actor.orgId);
        const others = (await listAlerts(tx, row)).filter((each) => each.id !== row.id && each.kind === row.kind);
        if (others.some(({ amountNanoUsd }) => amountNanoUsd === amount)) throw sameAlert(amount);
        if (!(await updateAlert(tx, row.id, amount))) throw alertNotFound();
      });
      return read(row);
    },

    async remove(actor, id) {
      checkMayManage(actor);
      const row = await getOwn(actor.orgId, id);
      await db.inTransaction((tx) => removeAlert(tx, actor.orgId, row.id));
    },
  };
}

function checkMayManage(actor: Actor): void {
  checkMay(actor, 'alerts');
}

function present(row: AlertRow, value: NanoUsd, periods: Readonly<Record<'low' | 'day' | 'month', string>>): AlertJson {
  const { kind, amountNanoUsd: amount } = row;
  const period = kind === 'low_balance' ? periods.low : kind === 'daily_spend' ? periods.day : periods.month;
  const isAnnounced = row.crossedPeriod === period;
  // A refund may take the spending back below the amount, but the owners have already been informed, so the alert stays
  // crossed.
  const crossed = kind === 'low_balance' ? value < amount : value >= amount || isAnnounced;
  return {
    id: row.id,
    object: 'alert',
    mode: row.mode,
    kind,
    amount: usdText(amount),
    value: usdText(value),
    crossed,
    announced_at: crossed && isAnnounced && row.crossedAt ? unixSeconds(row.crossedAt) : null,
    created_at: unixSeconds(row.createdAt),
  };
}

function alertNotFound(): GatewayError {
  return new GatewayError('alert_not_found', 'Your organisation has no alert with this id.');
}

function sameAlert(amount: NanoUsd): GatewayError {
  return new GatewayError('unsupported_value', `There is already an alert of this kind at $${usdText(amount)}.`, {
    param: 'amount',
  });
}
