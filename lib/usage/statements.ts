import { csvLine } from '../contract/csv';
import type { StatementJson } from '../contract/usage';
import type { Database } from '../db/database';
import { findOrganizationName } from '../db/organizations';
import { listTransfersBetween, sumGrantedBefore } from '../db/statements';
import { listUsageLines, sumSpentBefore, type UsageLine } from '../db/usage-reports';
import type { Account } from '../domain/caller';
import { unixSeconds, utcDay, type Clock } from '../domain/clock';
import { GatewayError } from '../domain/errors';
import { usdText } from '../domain/money';
import { groupName, keyName } from './usage-reports';

// The statement of a month: the credits at its beginning, what changed them, and the credits at its end. It is computed
// from the daily sums and the transfers, so it is the same however old the month is.

export interface Statements {
  /** `month` such as `2026-11`, in UTC. Rejects with `unsupported_value` for a month that has not begun. */
  read(account: Account, month: string): Promise<StatementJson>;
  /** Returns the lines of a CSV table with a header: one for each kind, model, provider and key. */
  readCsv(account: Account, month: string): Promise<readonly string[]>;
}

export function createStatements({ db, clock }: { readonly db: Database; readonly clock: Clock }): Statements {
  function getMonth(month: string) {
    const start = /^[2-9]\d{3}-(0[1-9]|1[0-2])$/.test(month) ? new Date(`${month}-01T00:00:00Z`) : undefined;
    if (!start || start.getTime() > clock.nowMs())
      throw new GatewayError('unsupported_value', 'month must be the current or an earlier month, such as 2026-11.', {
        param: 'month',
      });
    const end = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1));
    return { start, end, days: { from: utcDay(start.getTime()), to: utcDay(end.getTime() - 1) } };
  }

  return {
    async read(account, month) {
      const { start, end, days } = getMonth(month);
      const [name, before, earlier, lines, transfers] = await Promise.all([
        findOrganizationName(db, account.orgId),
        sumGrantedBefore(db, account, start),
        sumSpentBefore(db, account, days.from),
        listUsageLines(db, account, days),
        listTransfersBetween(db, account, start, end),
      ]);
      const opening = before.granted - earlier.spent;
      const sumOf = (kind: string) =>
        transfers.reduce((sum, transfer) => (transfer.kind === kind ? sum + transfer.amount : sum), 0n);
      const [granted, adjusted] = [sumOf('grant'), sumOf('adjust')];
      const charged = lines.reduce((sum, line) => sum + line.charged, 0n);
      const refunded = lines.reduce((sum, line) => sum + line.refunded, 0n);
      const firstAt = [before.firstAt?.toISOString(), earlier.firstDay]
        .filter((each) => typeof each === 'string')
        .sort()[0];
      return {
        object: 'statement',
        mode: account.mode,
        organization: { id: account.orgId, name: name ?? '' },
        month,
        complete: end.getTime() <= clock.nowMs(),
        first_month: firstAt?.slice(0, 7) ?? null,
        opening: usdText(opening),
        granted: usdText(granted),
        adjusted: usdText(adjusted),
        charged: usdText(charged),
        refunded: usdText(refunded),
        closing: usdText(opening + granted + adjusted - charged + refunded),
        models: linesBy(lines, ({ kind, model }) => `${kind} ${model}`).map(({ first, ...sums }) => ({
          kind: first.kind,
          id: first.model,
          name: groupName('model', first.model, null),
          ...sums,
        })),
        keys: linesBy(lines, ({ keyId }) => keyId).map(({ first, ...sums }) => ({
          id: first.keyId,
          name: keyName(first.keyId, first.keyName),
          ...sums,
        })),
        transfers: transfers.map(({ id, kind, amount, reference, reason, subject, at }) => ({
          id,
          kind,
          amount: usdText(amount),
          reference,
          reason,
          subject,
          created_at: unixSeconds(at),
        })),
      };
    },

    async readCsv(account, month) {
      const lines = await listUsageLines(db, account, getMonth(month).days);
      return [
        csvLine([
          'month',
          'kind',
          'model',
          'provider',
          'key_id',
          'key_name',
          'requests',
          'charged_usd',
          'refunded_usd',
          'spent_usd',
        ]),
        ...lines.map((line) =>
          csvLine([
            month,
            line.kind,
            line.model,
            line.provider,
            line.keyId,
            keyName(line.keyId, line.keyName),
            line.requests,
            usdText(line.charged),
            usdText(line.refunded),
            usdText(line.charged - line.refunded),
          ]),
        ),
      ];
    },
  };
}

/** Sums the lines that have the same key; the largest sum comes first. */
function linesBy(lines: readonly UsageLine[], keyOf: (line: UsageLine) => string) {
  const sums = new Map<string, { first: UsageLine; requests: number; charged: bigint; refunded: bigint }>();
  for (const line of lines) {
    const sum = sums.get(keyOf(line)) ?? { first: line, requests: 0, charged: 0n, refunded: 0n };
    sum.requests += line.requests;
    sum.charged += line.charged;
    sum.refunded += line.refunded;
    sums.set(keyOf(line), sum);
  }
  return [...sums.values()]
    .sort((one, other) => (other.charged - other.refunded > one.charged - one.refunded ? 1 : -1))
    .map(({ first, requests, charged, refunded }) => ({
      first,
      requests,
      charged: usdText(charged),
      refunded: usdText(refunded),
      spent: usdText(charged - refunded),
    }));
}
