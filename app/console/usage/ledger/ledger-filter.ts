import type { LedgerEntryJson } from '../../../../lib/contract/usage';
import type { Mode } from '../../../../lib/domain/video';
import { dateParams } from '../../components/list/period';
import { readTexts, someText } from '../../components/list/url-filter';
import { apiPaths } from '../../api-paths';

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
  /** `true` to show only the entries of open holds. */
  readonly open: string;
  readonly after: string;
}

export function parseLedgerFilter(query: URLSearchParams): LedgerFilter {
  const texts = readTexts(query, ['kind', 'key', 'from', 'to', 'subject', 'open', 'after']);
  return { ...texts, open: texts.open === 'true' ? 'true' : '' };
}

/** Whether any filter is active. The page of the list is not a filter. */
export function isNarrowed({ after: _after, ...filter }: LedgerFilter): boolean {
  return Object.values(filter).some((value) => value !== '');
}

/** Changes to the query that clear every filter. */
export const NO_FILTER = {
  kind: undefined,
  key: undefined,
  from: undefined,
  to: undefined,
  subject: undefined,
  open: undefined,
  after: undefined,
} as const;

export function ledgerPath(mode: Mode, filter: LedgerFilter, format?: 'csv'): string {
  return apiPaths.ledger(mode, {
    kind: someText(filter.kind),
    key: someText(filter.key),
    ...dateParams(filter),
    subject: someText(filter.subject),
    open: someText(filter.open),
    after: format ? undefined : someText(filter.after),
    format,
  });
}
