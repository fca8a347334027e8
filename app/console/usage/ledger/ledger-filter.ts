import type { LedgerEntryJson } from '../../../../lib/contract/usage';
import type { Mode } from '../../../../lib/domain/video';
import { apiPaths } from '../../paths';

// The filters of the ledger in the page's URL, and the API request that they produce.

export const KINDS = [
  ['hold', 'Hold'],
  ['capture', 'Charge'],
  ['release', 'Release'],
  ['grant', 'Grant'],
  ['adjust', 'Adjustment'],
  ['refund', 'Refund'],
] as const satisfies readonly (readonly [LedgerEntryJson['kind'], string])[];

export interface LedgerFilter {
  readonly kind: string;
  /** The id of a key, or `console`. */
  readonly key: string;
  /** Days of UTC as ISO dates; both are included. */
  readonly from: string;
  readonly to: string;
  /** The id of a video, message, session, hold or transfer. */
  readonly subject: string;
  /** `true`: only what is held now. */
  readonly open: string;
  readonly after: string;
}

export function parseLedgerFilter(query: URLSearchParams): LedgerFilter {
  const text = (name: string) => query.get(name)?.trim() ?? '';
  return {
    kind: text('kind'),
    key: text('key'),
    from: text('from'),
    to: text('to'),
    subject: text('subject'),
    open: text('open') === 'true' ? 'true' : '',
    after: text('after'),
  };
}

/** Whether any filter is active; the page does not count. */
export function isNarrowed({ after: _after, ...filter }: LedgerFilter): boolean {
  return Object.values(filter).some((value) => value !== '');
}

/** Clears every filter. */
export const NO_FILTER = {
  kind: undefined,
  key: undefined,
  from: undefined,
  to: undefined,
  subject: undefined,
  open: undefined,
  after: undefined,
} as const;

const DAY_SECONDS = 86_400;

export function ledgerPath(mode: Mode, filter: LedgerFilter, format?: 'csv'): string {
  const some = (value: string) => (value === '' ? undefined : value);
  return apiPaths.ledger(mode, {
    kind: some(filter.kind),
    key: some(filter.key),
    created_from: secondOf(filter.from),
    created_to: secondOf(filter.to, DAY_SECONDS),
    subject: some(filter.subject),
    open: some(filter.open),
    after: format ? undefined : some(filter.after),
    format,
  });
}

/** The first second of a UTC day plus an offset; undefined for an invalid date. */
function secondOf(day: string, plusSeconds = 0): string | undefined {
  const atMs = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(day) : Number.NaN;
  return Number.isNaN(atMs) ? undefined : String(atMs / 1000 + plusSeconds);
}
