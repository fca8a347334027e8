import type { RequestAttemptJson, RequestEvent, RequestStatus } from '../contract/requests';
import { presentLedger } from '../billing/present-ledger';
import type { QuoteJson } from '../contract/quotes';
import type { MessageDetails } from '../contract/requests';
import type { Db } from '../db/database';
import { findHold, listEntriesOfHold } from '../db/ledger';
import { exactSeconds } from '../domain/clock';
import type { Account } from '../domain/caller';
import type { HoldId } from '../domain/ids';
import { usdText, type NanoUsd } from '../domain/money';

// The common parts of the histories of messages and sessions.

/** One call of a provider, as a message or a session stores it. */
export interface Call {
  readonly provider: string;
  readonly upstreamModel?: string;
  readonly outcome: RequestAttemptJson['outcome'];
  readonly code?: string | undefined;
  readonly ms: number;
  /** The time from the request to the call; absent in the first call, and in calls of earlier versions. */
  readonly startMs?: number | undefined;
}

/** Returns the calls with their times. A call without a stored time began when the one before it ended. */
export function presentAttempts(createdAt: Date, calls: readonly Call[]): RequestAttemptJson[] {
  let endMs = 0;
  return calls.map(({ provider, upstreamModel, outcome, code, ms, startMs = endMs }, index) => {
    endMs = startMs + ms;
    return {
      attempt: index + 1,
      provider,
      ...(upstreamModel === undefined ? {} : { upstream_model: upstreamModel }),
      outcome,
      ...(code === undefined ? {} : { code }),
      started_at: exactSeconds(new Date(createdAt.getTime() + startMs)),
      duration_ms: ms,
    };
  });
}

/** Returns the events in chronological order; events at the same instant stay in their logical order. */
export function presentTimeline(work: {
  readonly createdAt: Date;
  readonly attempts: readonly RequestAttemptJson[];
  readonly firstResultMs: number | null;
  /** The end of the work; absent while it runs. */
  readonly end?: { readonly at: Date; readonly status: RequestStatus; readonly code?: string | undefined } | undefined;
}): RequestEvent[] {
  const { createdAt, attempts, firstResultMs, end } = work;
  const events: RequestEvent[] = [
    { event: 'accepted', at: exactSeconds(createdAt) },
    ...attempts.flatMap(({ attempt, provider, outcome, code, started_at: at, duration_ms: ms }): RequestEvent[] => [
      { event: 'called', at, attempt, provider },
      ...(outcome === 'served'
        ? []
        : [
            {
              event: 'provider_failed' as const,
              at: at + ms / 1000,
              attempt,
              provider,
              ...(code === undefined ? {} : { code }),
            },
          ]),
    ]),
    ...(firstResultMs === null
      ? []
      : [{ event: 'first_result' as const, at: exactSeconds(new Date(createdAt.getTime() + firstResultMs)) }]),
  ];
  const sorted = events.toSorted((a, b) => a.at - b.at);
  if (!end) return sorted;
  const { at, status, code } = end;
  // The end is measured with another clock than the calls, so it may seem to be some milliseconds earlier.
  const last = sorted.at(-1)?.at ?? 0;
  return [
    ...sorted,
    { event: 'ended', at: Math.max(exactSeconds(at), last), status, ...(code === undefined ? {} : { code }) },
  ];
}

/** Returns the price, from the hold to the charge. `charged` is undefined while the work runs. */
export async function presentPrice(
  db: Db,
  account: Account,
  work: {
    readonly holdId: HoldId | null;
    readonly shared: boolean;
    readonly calculation: QuoteJson | undefined;
    readonly charged: NanoUsd | undefined;
  },
): Promise<MessageDetails['price']> {
  const { holdId, shared, calculation, charged } = work;
  const [hold, entries] =
    holdId === null
      ? [undefined, []]
      : await Promise.all([findHold(db, account, holdId), listEntriesOfHold(db, account, holdId)]);
  return {
    ...(calculation && { calculation }),
    ...(hold && { held: { amount: usdText(hold.amountNanoUsd), state: hold.state } }),
    shared,
    ...(charged === undefined ? {} : { charged: usdText(charged) }),
    ledger: presentLedger(entries),
  };
}
