import { createLedger } from '../../lib/billing/ledger';
import type { Database } from '../../lib/db/database';
import { insertMessages, messageText, type MessageRow } from '../../lib/db/messages';
import { endMeter, insertMeter } from '../../lib/db/meters';
import type { MeterOutcome } from '../../lib/db/schema/index';
import type { Caller } from '../../lib/domain/caller';
import type { Clock } from '../../lib/domain/clock';
import { newId, type MeterId, type SessionId } from '../../lib/domain/ids';
import type { NanoUsd } from '../../lib/domain/money';

// Messages and audio sessions that have ended, written as the product writes them but without a request: for tests of
// what is read from them.

export interface WorkDone {
  readonly model?: string;
  readonly provider?: string;
  /** From the request to the first content of a message; absent: unknown. */
  readonly firstTokenMs?: number;
}

/** The row of a completed message of 10 input and 20 output tokens. */
export const messageRow = (
  row: Pick<MessageRow, 'id' | 'costNanoUsd' | 'createdAt'> & Partial<MessageRow>,
): MessageRow => ({
  requestId: newId('request'),
  model: 'sandbox-text',
  provider: 'sandbox',
  upstreamModel: row.model ?? 'sandbox-text',
  attempts: [],
  streamed: false,
  outcome: 'completed',
  inputTokens: 10,
  cacheReadTokens: 0,
  cacheWrite5mTokens: 0,
  cacheWrite1hTokens: 0,
  outputTokens: 20,
  webSearches: 0,
  estimated: false,
  totalMs: 1_000,
  ...row,
});

export function createWork({ db, clock }: { readonly db: Database; readonly clock: Clock }) {
  const ledger = createLedger({ clock });
  const hold = (
    { orgId, mode, keyId }: Caller,
    kind: 'message' | 'speech' | 'transcription',
    id: string,
    amount: NanoUsd,
  ) => ({
    account: { orgId, mode },
    keyId,
    amount,
    subject: { kind, id },
  });

  return {
    /** Messages (`messageRow`) that were charged to one hold; returns their ids. */
    async messages(
      caller: Caller,
      costs: readonly NanoUsd[],
      { model = 'sandbox-text', provider = 'sandbox', firstTokenMs }: WorkDone = {},
    ) {
      const { orgId, mode, keyId } = caller;
      const total = costs.reduce((sum, cost) => sum + cost, 0n);
      const ids = costs.map(() => newId('request').replace('req_', 'msg_'));
      await db.inTransaction(async (tx) => {
        const now = clock.now();
        const holdId = await ledger.hold(tx, hold(caller, 'message', newId('transfer'), total * 2n));
        await ledger.renew(tx, { hold: holdId, charged: total }, now);
        const rows = costs.map((cost, place) =>
          messageText(
            messageRow({
              id: ids[place]!,
              model,
              provider,
              firstTokenMs: firstTokenMs ?? null,
              costNanoUsd: cost.toString(),
              createdAt: now.toISOString(),
            }),
          ),
        );
        await insertMessages(tx, { orgId, mode, keyId, holdId, chargedAt: now }, rows);
      });
      return ids;
    },

    /** One generation of speech, or one transcription of a second, that has ended; returns its id. */
    async audio(
      caller: Caller,
      cost: NanoUsd,
      {
        kind = 'speech',
        sessionId = newId('session'),
        model = kind === 'speech' ? 'sandbox-tts' : 'sandbox-stt',
        provider = 'sandbox',
        outcome = 'done',
      }: WorkDone & {
        readonly kind?: 'speech' | 'transcription';
        readonly sessionId?: SessionId;
        readonly outcome?: MeterOutcome;
      } = {},
    ): Promise<MeterId> {
      const { orgId, mode, keyId } = caller;
      const id = newId('meter');
      const count = {
        id,
        provider,
        audioMillis: kind === 'speech' ? 0 : 1_000,
        characters: kind === 'speech' ? 12 : 0,
      };
      await db.inTransaction(async (tx) => {
        const now = clock.now();
        const holdId = await ledger.hold(tx, hold(caller, kind, id, cost));
        await insertMeter(tx, { id, kind, orgId, mode, keyId, sessionId, model, provider, holdId, startedAt: now });
        await ledger.renew(tx, { hold: holdId, charged: cost }, now);
        await endMeter(tx, { ...count, accruedNanoUsd: cost }, { costNanoUsd: cost, outcome, attempts: [], now });
      });
      return id;
    },
  };
}
