import { storedMessageLines } from '../billing/message-cost';
import { presentBill } from '../billing/quote';
import type { MessageDetails } from '../contract/requests';
import type { Database } from '../db/database';
import { findContentExpiry } from '../db/kept-contents';
import { findKeyName } from '../db/keys';
import { findMessage } from '../db/messages';
import { exactSeconds, unixSeconds, type Clock } from '../domain/clock';
import { GatewayError } from '../domain/errors';
import type { OrgId } from '../domain/ids';
import { presentAttempts, presentPrice, presentTimeline } from './history';

/** Creates the reader of all stored data of one message, for the console. */
export function createMessageDetails({ db, clock }: { readonly db: Database; readonly clock: Clock }) {
  return async function messageDetails(orgId: OrgId, id: string): Promise<MessageDetails> {
    const row = id.includes('\0') ? undefined : await findMessage(db, orgId, id);
    if (!row) throw new GatewayError('message_not_found', 'There is no message with this id in your organisation.');
    const { mode, code, provider, createdAt, firstTokenMs, totalMs } = row;
    const counts = {
      input: row.inputTokens,
      cacheRead: row.cacheReadTokens,
      cacheWrite5m: row.cacheWrite5mTokens,
      cacheWrite1h: row.cacheWrite1hTokens,
      output: row.outputTokens,
      webSearches: row.webSearches,
    };
    const [keyName, contentExpiresAt, price] = await Promise.all([
      findKeyName(db, orgId, row.keyId),
      findContentExpiry(db, 'message', orgId, id, clock.now()),
      presentPrice(
        db,
        { orgId, mode },
        {
          holdId: row.holdId,
          shared: true,
          calculation: row.prices ? presentBill(storedMessageLines(counts, row.prices)) : undefined,
          charged: row.costNanoUsd,
        },
      ),
    ]);
    const attempts = presentAttempts(
      createdAt,
      row.attempts.map((attempt) => ({ ...attempt, outcome: attempt.code === undefined ? 'served' : 'failed' })),
    );
    const endedAt = new Date(createdAt.getTime() + totalMs);
    return {
      object: 'message',
      id: row.id,
      mode,
      status: row.outcome,
      ...(code === null ? {} : { code }),
      model: row.model,
      ...(provider === null ? {} : { provider }),
      ...(row.upstreamModel === null ? {} : { upstream_model: row.upstreamModel }),
      key: { id: row.keyId, ...(keyName === undefined ? {} : { name: keyName }) },
      request_id: row.requestId,
      streamed: row.streamed,
      ...(row.stopReason === null ? {} : { stop_reason: row.stopReason }),
      tokens: {
        input: counts.input,
        cache_read: counts.cacheRead,
        cache_write: counts.cacheWrite5m + counts.cacheWrite1h,
        output: counts.output,
        estimated: row.estimated,
      },
      web_searches: row.webSearches,
      content_expires_at: contentExpiresAt ? unixSeconds(contentExpiresAt) : null,
      ...(firstTokenMs === null ? {} : { first_result_ms: firstTokenMs }),
      duration_ms: totalMs,
      created_at: exactSeconds(createdAt),
      completed_at: exactSeconds(endedAt),
      timeline: presentTimeline({
        createdAt,
        attempts,
        firstResultMs: firstTokenMs,
        end: { at: endedAt, status: row.outcome, code: code ?? undefined },
      }),
      attempts,
      price,
    };
  };
}
