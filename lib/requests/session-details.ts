import { presentBill } from '../billing/quote';
import type { SessionDetails } from '../contract/requests';
import type { Database } from '../db/database';
import { findContentExpiry } from '../db/kept-contents';
import { findKeyName } from '../db/keys';
import { findMeter, type MeterRow } from '../db/meters';
import { statusOfMeter } from '../db/requests';
import type { MeterAttempt } from '../db/schema/index';
import { exactSeconds, unixSeconds, type Clock } from '../domain/clock';
import type { OrgId } from '../domain/ids';
import type { BillLine } from '../domain/money';
import { presentAttempts, presentPrice, presentTimeline } from './history';
import { sessionNotFound } from './session-content';

/** Creates the reader of all stored data of one transcription, or of one text of a speech session, for the console. */
export function createSessionDetails({ db, clock }: { readonly db: Database; readonly clock: Clock }) {
  return async function sessionDetails(orgId: OrgId, id: string): Promise<SessionDetails> {
    const row = await findMeter(db, orgId, id);
    if (!row) throw sessionNotFound();
    const { kind, mode, startedAt, endedAt, firstResultMs } = row;
    const code = row.code ?? undefined;
    const status = statusOfMeter(row.outcome);
    const charged = endedAt ? row.costNanoUsd : undefined;
    const line = lineOf(row);
    const [keyName, contentExpiresAt, price] = await Promise.all([
      findKeyName(db, orgId, row.keyId),
      findContentExpiry(db, 'session', orgId, row.id, clock.now()),
      presentPrice(
        db,
        { orgId, mode },
        {
          holdId: row.holdId,
          shared: false,
          calculation: line && charged !== 0n ? presentBill([line], charged ?? row.accruedNanoUsd) : undefined,
          charged,
        },
      ),
    ]);
    const attempts = presentAttempts(
      startedAt,
      row.attempts.map((attempt) => ({ ...attempt, outcome: OUTCOMES[attempt.outcome] })),
    );
    return {
      object: 'session',
      kind,
      id: row.id,
      mode,
      status,
      ...(code === undefined ? {} : { code }),
      model: row.model,
      provider: row.provider,
      key: { id: row.keyId, ...(keyName === undefined ? {} : { name: keyName }) },
      request_id: row.sessionId,
      ...(kind === 'transcription' ? { seconds: row.audioMillis / 1_000 } : { characters: row.characters }),
      content_expires_at: contentExpiresAt ? unixSeconds(contentExpiresAt) : null,
      ...(firstResultMs === null ? {} : { first_result_ms: firstResultMs }),
      ...(endedAt ? { duration_ms: endedAt.getTime() - startedAt.getTime(), completed_at: exactSeconds(endedAt) } : {}),
      created_at: exactSeconds(startedAt),
      timeline: presentTimeline({
        createdAt: startedAt,
        attempts,
        firstResultMs,
        end: endedAt ? { at: endedAt, status, code } : undefined,
      }),
      attempts,
      price,
    };
  };
}

const OUTCOMES = { served: 'served', lost: 'lost', refused: 'failed' } as const satisfies Record<
  MeterAttempt['outcome'],
  string
>;

/**
 * Returns the line with the charged units and their price. Audio is charged by the millisecond; the line shows minutes
 * with three decimals.
 */
function lineOf({ kind, unitPrice, audioMillis, characters }: MeterRow): BillLine | undefined {
  if (unitPrice === null) return undefined;
  const price = BigInt(unitPrice);
  return kind === 'transcription'
    ? { label: 'minutes of sound', price, quantityMilli: BigInt(Math.round(audioMillis / 60)) }
    : { label: 'characters', price, quantityMilli: BigInt(characters) * 1000n };
}
