import { csvLine } from '../contract/csv';
import type { LedgerEntryJson, LedgerPageJson } from '../contract/usage';
import type { Database } from '../db/database';
import { listLedger, type EntryPlace, type LedgerFilter, type LedgerRow } from '../db/ledger-pages';
import type { Account } from '../domain/caller';
import { unixSeconds } from '../domain/clock';
import { GatewayError } from '../domain/errors';
import { usdText, type NanoUsd } from '../domain/money';
import { keyName } from './usage-reports';

// The ledger of an account as the API and the console show it. In the list without filters each entry has the balance
// after it: the first page begins with the balance of the account, and the cursor carries the balance to the next page.
// It ends where entries were deleted by age: from there on the balance is not known.

export interface LedgerQuery {
  readonly filter: LedgerFilter;
  readonly limit: number;
  /** The `next` of the previous page. */
  readonly after?: string | undefined;
}

export interface LedgerReports {
  /** Rejects with `unsupported_value` when `after` is not the `next` of a page. */
  list(account: Account, query: LedgerQuery): Promise<LedgerPageJson>;
  /**
   * Yields the lines of a CSV table with a header, read page by page as they are consumed; at most a million entries.
   */
  listCsv(account: Account, filter: LedgerFilter): AsyncIterable<string>;
}

const CSV_PAGE = 500;
const MAX_CSV_ENTRIES = 1_000_000;

interface Balance {
  readonly available: NanoUsd;
  readonly held: NanoUsd;
}

export function createLedgerReports({ db }: { readonly db: Database }): LedgerReports {
  async function list(account: Account, { filter, limit, after }: LedgerQuery): Promise<LedgerPageJson> {
    const isFiltered = Object.values(filter).some((value) => value !== undefined && value !== false);
    const cursor = after === undefined ? undefined : parseCursor(after);
    const { rows, next, balances, completeSince } = await listLedger(db, account, filter, limit, cursor?.place);
    let balance: Balance | undefined = isFiltered ? undefined : cursor ? cursor.balance : balances;
    const data: LedgerEntryJson[] = [];
    for (const row of rows) {
      if (completeSince && row.at < completeSince) balance = undefined;
      data.push(presentEntry(row, balance));
      balance = balance && { available: balance.available - row.available, held: balance.held - row.held };
    }
    return { object: 'list', data, next: next === undefined ? null : cursorText(next, balance) };
  }

  return {
    list,
    async *listCsv(account, filter) {
      yield csvLine(CSV_HEADER);
      let written = 0;
      let after: string | undefined;
      do {
        const page: LedgerPageJson = await list(account, { filter, limit: CSV_PAGE, after });
        for (const entry of page.data) yield csvLine(valuesOf(entry));
        written += page.data.length;
        after = page.next ?? undefined;
      } while (after !== undefined && written < MAX_CSV_ENTRIES);
    },
  };
}

const CURSOR = /^(\d{1,19})(?:\.(\d{1,19})\.(\d{1,19}))?$/;

function cursorText(place: EntryPlace, balance: Balance | undefined): string {
  return balance ? `${place}.${balance.available}.${balance.held}` : String(place);
}

function parseCursor(text: string): { readonly place: EntryPlace; readonly balance?: Balance } {
  const [, place, available, held] = CURSOR.exec(text) ?? [];
  if (place === undefined || BigInt(place) >= 2n ** 63n)
    throw new GatewayError('unsupported_value', 'after must be the "next" of an earlier page of this list.', {
      param: 'after',
    });
  return {
    place: BigInt(place),
    ...(available !== undefined &&
      held !== undefined && { balance: { available: BigInt(available), held: BigInt(held) } }),
  };
}

function presentEntry(row: LedgerRow, balance: Balance | undefined): LedgerEntryJson {
  const { hold } = row;
  return {
    id: row.id,
    object: 'ledger_entry',
    kind: row.kind,
    available: usdText(row.available),
    held: usdText(row.held),
    charged: usdText(row.spent),
    balance: balance ? { available: usdText(balance.available), held: usdText(balance.held) } : null,
    cause: causeOf(row),
    hold: hold ? { id: hold.id, state: hold.state } : null,
    key: hold ? { id: hold.keyId, name: keyName(hold.keyId, hold.keyName) } : null,
    created_at: unixSeconds(row.at),
  };
}

function causeOf({ kind, hold, reference, reason, refundedSubject }: LedgerRow): LedgerEntryJson['cause'] {
  if (!hold || kind === 'refund') return { kind: 'transfer', reference, reason, subject: refundedSubject };
  switch (hold.subject) {
    case 'video':
      return { kind: 'video', id: hold.subjectId, model: hold.model, deleted: hold.isDeleted };
    case 'message':
      return {
        kind: 'message',
        count: hold.messageCount,
        messages: hold.messages.map(({ id, model, cost }) => ({ id, model, cost: usdText(cost) })),
      };
    default:
      return { kind: hold.subject, id: hold.subjectId, session: hold.sessionId, model: hold.model };
  }
}

const CSV_HEADER = [
  'created_at',
  'kind',
  'available_usd',
  'held_usd',
  'charged_usd',
  'balance_available_usd',
  'balance_held_usd',
  'cause',
  'subject',
  'model',
  'messages',
  'key_id',
  'key_name',
  'reference',
  'reason',
  'hold',
  'id',
] as const;

function valuesOf(entry: LedgerEntryJson) {
  const { cause } = entry;
  return [
    new Date(entry.created_at * 1000).toISOString(),
    entry.kind,
    entry.available,
    entry.held,
    entry.charged,
    entry.balance?.available,
    entry.balance?.held,
    cause.kind,
    ...causeValues(cause),
    entry.key?.id,
    entry.key?.name,
    cause.kind === 'transfer' ? cause.reference : null,
    cause.kind === 'transfer' ? cause.reason : null,
    entry.hold?.id,
    entry.id,
  ];
}

/** Returns the columns of an entry's cause: subject, model, and number of messages. */
function causeValues(cause: LedgerEntryJson['cause']) {
  switch (cause.kind) {
    case 'video':
      return [cause.id, cause.model, null];
    case 'message':
      return [
        cause.messages.map(({ id }) => id).join(' '),
        [...new Set(cause.messages.map(({ model }) => model))].join(' '),
        cause.count,
      ];
    case 'transfer':
      return [cause.subject, null, null];
    default:
      return [cause.session ?? cause.id, cause.model, null];
  }
}
