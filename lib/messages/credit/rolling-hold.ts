import { checkPriceAccess } from '../../accounts/access';
import { messageCost, rateFor, usedPrices, type TokenCounts } from '../../billing/message-cost';
import type { Caller } from '../../domain/caller';
import type { MessagesBinding, MessagesBody } from '../../domain/messages';
import type { NanoUsd } from '../../domain/money';
import type { MessageAttempt } from '../../db/schema/index';
import type { Route } from '../../routing/route';
import type { CreditReservations, Reservation } from './credit-reservations';
import type { TokenUsage } from './token-usage';

// Credit for an answer of unknown length. A first slice is reserved before the provider is called, and more as the
// answer grows. A large `max_tokens` therefore does not block a small balance, and a long answer cannot overdraw it. At
// the end, the cost is charged and the message is stored.

const SLICE_TOKENS = 4_096;
/** The next slice is reserved when only this much of the last one is left, so that the answer rarely waits for it. */
const MARGIN_TOKENS = 512;

export interface RollingHold extends Pick<Reservation, 'settle'> {
  /** Returns whether this much output is covered, with a margin. If not, await `cover` before delivering more. */
  covers(outputTokens: number): boolean;
  /**
   * Reserves enough for this much output. Rejects as `Ledger.extend` does when the credit runs out, and with
   * `price_not_allowed` when a price ceiling is reached.
   */
  cover(outputTokens: number): Promise<void>;
  /** Returns the amount that is reserved for this answer now. */
  heldNanoUsd(): NanoUsd;
}

/** Returns the amount to reserve before a provider is called, enough for any of these routes. */
export function firstHold(routes: HoldPlan['routes'], body: MessagesBody, estimatedInputTokens: number): NanoUsd {
  const firstTokens = Math.min(body.max_tokens ?? 0, SLICE_TOKENS);
  const counts = maxTokenCounts(body, estimatedInputTokens, firstTokens);
  return highest(routes, ({ price }) => messageCost(counts, price));
}

/**
 * Returns the most tokens that an answer with this much output can use: the estimated input with a margin, all of it as
 * cache writes if the body marks any of it for the cache.
 */
export function maxTokenCounts(body: MessagesBody, estimatedInputTokens: number, outputTokens: number): TokenCounts {
  const input = inputOf(estimatedInputTokens);
  const marked = findMarks(body);
  return {
    input: marked ? 0 : input,
    cacheRead: 0,
    cacheWrite5m: marked === '5m' ? input : 0,
    cacheWrite1h: marked === '1h' ? input : 0,
    output: outputTokens,
    webSearches: 0,
  };
}

/** Estimates have a margin of 10 %. */
const inputOf = (estimatedTokens: number) => Math.ceil(estimatedTokens * 1.1);

export interface HoldPlan {
  /** The hold covers an answer from any of these. */
  readonly routes: readonly { readonly binding: MessagesBinding }[];
  readonly body: MessagesBody;
  readonly estimatedInputTokens: number;
}

/** Reserves the first slice, usually synchronously. Rejects as `Ledger.hold` does. */
export function openRollingHold(
  reservations: CreditReservations,
  caller: Caller,
  plan: HoldPlan,
): RollingHold | Promise<RollingHold> {
  const { routes, body, estimatedInputTokens } = plan;
  const maxTokens = body.max_tokens ?? 0;
  const inputTokens = inputOf(estimatedInputTokens);
  const outputPrice = (tokens: number) =>
    highest(routes, ({ price }) =>
      messageCost({ ...nothing, output: tokens }, { ...price, tiers: [rateFor(price, inputTokens)] }),
    );

  const firstTokens = Math.min(maxTokens, SLICE_TOKENS);
  let held = firstHold(routes, body, estimatedInputTokens);
  const reserved = reservations.reserve(caller, held);
  return reserved instanceof Promise ? reserved.then(holdOf) : holdOf(reserved);

  function holdOf(reservation: Reservation): RollingHold {
    let coveredTokens = firstTokens;
    return {
      settle: reservation.settle,
      covers: (outputTokens) => outputTokens + MARGIN_TOKENS <= coveredTokens || coveredTokens >= maxTokens,
      async cover(outputTokens) {
        const wanted = Math.min(maxTokens, Math.max(coveredTokens, outputTokens + MARGIN_TOKENS) + SLICE_TOKENS);
        const more = outputPrice(wanted - coveredTokens);
        checkPriceAccess(caller.policy, { per: 'request', amount: held + more });
        await reservation.extend(more);
        held += more;
        coveredTokens = wanted;
      },
      heldNanoUsd: () => held,
    };
  }
}

const nothing: TokenCounts = { input: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0, webSearches: 0 };

/** Returns the most expensive cache TTL that the request marks. */
function findMarks(body: MessagesBody): '5m' | '1h' | undefined {
  let found: '5m' | '1h' | undefined;
  const look = (value: unknown) => {
    if (typeof value !== 'object' || value === null || !('cache_control' in value)) return;
    const mark = value.cache_control;
    if (typeof mark !== 'object' || mark === null) return;
    if (found !== '1h') found = 'ttl' in mark && mark.ttl === '1h' ? '1h' : '5m';
  };
  look(body);
  for (const tool of body.tools ?? []) look(tool);
  if (typeof body.system === 'object') for (const block of body.system) look(block);
  for (const { content } of body.messages) if (typeof content !== 'string') for (const block of content) look(block);
  return found;
}

function highest(routes: HoldPlan['routes'], amountOf: (binding: MessagesBinding) => NanoUsd): NanoUsd {
  let most = 0n;
  for (const { binding } of routes) {
    const amount = amountOf(binding);
    if (amount > most) most = amount;
  }
  return most;
}

/** The route that answers, and what its answer has used so far. */
export interface Answering {
  readonly route: Route<'messages'>;
  readonly meter: TokenUsage;
  /** Non-streaming answer: a caller that disconnects early is charged an estimate of the input tokens. */
  readonly isBuffered: boolean;
}

export interface EndedMessage {
  readonly id: string;
  readonly requestId: string;
  readonly model: string;
  /** Undefined if nothing was delivered; nothing is charged then. */
  readonly answering: Answering | undefined;
  readonly attempts: readonly MessageAttempt[];
  readonly streamed: boolean;
  /** The code of the error that ended the message early; undefined if none did. */
  readonly code: string | undefined;
  readonly firstTokenMs: number | undefined;
  readonly totalMs: number;
  readonly createdAt: Date;
}

/** Charges the cost of a message and stores its row. Returns its tokens. */
export function settleMessage(hold: RollingHold, ended: EndedMessage): TokenCounts {
  const { answering } = ended;
  const { route, meter } = answering ?? {};
  const tokens = meter ? meter.counts() : nothing;
  const cost = route ? messageCost(tokens, route.binding.price) : 0n;
  hold.settle(cost, (charged) => ({
    id: ended.id,
    requestId: ended.requestId,
    model: ended.model,
    provider: route?.providerId ?? null,
    upstreamModel: route?.binding.modelName ?? null,
    attempts: ended.attempts,
    streamed: ended.streamed,
    // An answer can be complete at the provider and still end with an error here, if the credit does not cover its end.
    outcome: meter?.isComplete && ended.code === undefined ? 'completed' : charged > 0n ? 'partial' : 'failed',
    code: ended.code ?? null,
    stopReason: meter?.stopReason ?? null,
    inputTokens: tokens.input,
    cacheReadTokens: tokens.cacheRead,
    cacheWrite5mTokens: tokens.cacheWrite5m,
    cacheWrite1hTokens: tokens.cacheWrite1h,
    outputTokens: tokens.output,
    webSearches: tokens.webSearches,
    prices: charged > 0n && route ? usedPrices(tokens, route.binding.price) : null,
    estimated: cost > 0n && meter?.isEstimated === true,
    firstTokenMs: ended.firstTokenMs ?? null,
    totalMs: ended.totalMs,
    createdAt: ended.createdAt.toISOString(),
    costNanoUsd: charged.toString(),
  }));
  return tokens;
}
