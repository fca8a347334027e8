import { messageCost, usedPrices, type TokenCounts } from '../../billing/message-cost';
import type { MessageAttempt } from '../../db/schema/index';
import type { Route } from '../../routing/route';
import type { RollingHold } from './rolling-hold';
import type { TokenUsage } from './token-usage';

// Settles a message: charges its cost and stores the row with its tokens and cost.

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

/** Returns the tokens of the message. */
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

const nothing = { input: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0, webSearches: 0 };
