import { ledgerKinds, usageDimensions, usageIntervals, usageKinds } from '../../contract/usage';
import { utcDay } from '../../domain/clock';
import { GatewayError } from '../../domain/errors';
import type { LedgerQuery } from '../../usage/ledger-reports';
import type { UsageQuery } from '../../usage/usage-reports';
import { jsonResponse, pathParam, type ActorContext, type GatewayResponse } from '../handler';
import { wholeNumberParam, wordParam } from '../query';
import { csvResponse, isCsv } from './csv-response';
import { instantParam, keyParam, projectParam, textParam } from './query-params';
import { accountOf, accountOfNamed } from './request-parts';

// Reports of usage and costs. Each is JSON, or CSV with `?format=csv`.

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;
const MAX_DAYS = 1_100;

export async function readUsage(context: ActorContext): Promise<GatewayResponse> {
  const { gateway, request } = context;
  const query = parseUsageQuery(request.query, gateway.clock.nowMs());
  const account = accountOf(context);
  const { reports } = gateway.usage;
  if (isCsv(request.query)) return csvResponse(`usage-${query.by}`, await reports.readCsv(account, query));
  return jsonResponse(200, await reports.read(account, query));
}

export async function readPerformance(context: ActorContext): Promise<GatewayResponse> {
  const { gateway, request } = context;
  const query = parseUsageQuery(request.query, gateway.clock.nowMs());
  const account = accountOf(context);
  const { reports } = gateway.usage;
  if (isCsv(request.query)) return csvResponse('performance', await reports.performanceCsv(account, query));
  return jsonResponse(200, await reports.performance(account, query));
}

export async function listLedger(context: ActorContext): Promise<GatewayResponse> {
  const { gateway, request } = context;
  const query = parseLedgerQuery(request.query);
  const { ledger } = gateway.usage;
  const account = await accountOfNamed(context, ['subject'], (either) =>
    ledger.list(either, { filter: query.filter, limit: 1 }),
  );
  if (isCsv(request.query)) return csvResponse('ledger', ledger.listCsv(account, query.filter));
  return jsonResponse(200, await ledger.list(account, query));
}

export async function readStatement(context: ActorContext): Promise<GatewayResponse> {
  const { statements } = context.gateway.usage;
  const [account, month] = [accountOf(context), pathParam(context, 'month')];
  if (isCsv(context.request.query)) return csvResponse(`statement-${month}`, await statements.readCsv(account, month));
  return jsonResponse(200, await statements.read(account, month));
}

/**
 * Reads `from` and `to` (days of UTC, both included; by default the last 30 days), `by`, `interval`, and the filters
 * `model`, `provider`, `key`, `project` and `kind`.
 */
export function parseUsageQuery(query: URLSearchParams, nowMs: number): UsageQuery {
  const to = dayParam(query, 'to') ?? utcDay(nowMs);
  const from = dayParam(query, 'from') ?? utcDay(Date.parse(to) - (DEFAULT_DAYS - 1) * DAY_MS);
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  if (days < 1 || days > MAX_DAYS)
    throw new GatewayError('unsupported_value', `from must be a day before to, at most ${MAX_DAYS} days earlier.`, {
      param: 'from',
    });
  return {
    days: { from, to },
    by: wordParam(query, 'by', usageDimensions, 'model'),
    interval: wordParam(query, 'interval', usageIntervals, 'day'),
    filter: {
      model: textParam(query, 'model'),
      provider: textParam(query, 'provider'),
      key: keyParam(query),
      project: projectParam(query),
      kind: wordParam(query, 'kind', usageKinds, undefined),
    },
  };
}

/** Reads `kind`, `key`, `created_from`, `created_to` (Unix seconds), `subject`, `open`, `limit` and `after`. */
export function parseLedgerQuery(query: URLSearchParams): LedgerQuery {
  return {
    filter: {
      kind: wordParam(query, 'kind', ledgerKinds, undefined),
      keyId: keyParam(query),
      from: instantParam(query, 'created_from'),
      to: instantParam(query, 'created_to'),
      subject: textParam(query, 'subject'),
      open: wordParam(query, 'open', ['true', 'false'], 'false') === 'true',
    },
    limit: wholeNumberParam(query, 'limit', 1, 100, 50),
    after: textParam(query, 'after'),
  };
}

function dayParam(query: URLSearchParams, name: string): string | undefined {
  const text = query.get(name);
  if (text === null || text === '') return undefined;
  const atMs = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  // Compared with the text, because `Date` turns an impossible day such as February 30 into another one.
  if (!Number.isNaN(atMs) && utcDay(atMs) === text && text >= '2000-01-01') return text;
  throw new GatewayError('unsupported_value', `${name} must be a day such as 2026-11-23.`, { param: name });
}
