import { messageCost } from '../billing/message-cost';
import type { Database } from '../db/database';
import { insertMessage } from '../db/messages';
import type { MessageAttempt } from '../db/schema/index';
import type { Caller } from '../domain/caller';
import type { Clock } from '../domain/clock';
import { errorForLog } from '../domain/errors';
import type { Log } from '../domain/log';
import type { MessagesRoute } from '../routing/messages-router';
import type { RollingHold } from './rolling-hold';
import type { UsageMeter } from './usage-meter';

// The end of a message: its row and its charge, in one transaction, behind the answer's back, so that nobody waits for it.

export interface EndedMessage {
  readonly id: string;
  readonly caller: Caller;
  readonly requestId: string;
  readonly model: string;
  /** Absent, with its meter: nothing was delivered, and nothing is charged. */
  readonly route?: MessagesRoute;
  readonly meter?: UsageMeter;
  readonly attempts: readonly MessageAttempt[];
  readonly streamed: boolean;
  /** What ended it early. */
  readonly code?: string;
  readonly firstTokenMs?: number;
  readonly totalMs: number;
  readonly createdAt: Date;
}

export interface Settlements {
  settle(hold: RollingHold, ended: EndedMessage): void;
  /** Resolves when all that were begun are done. */
  settled(): Promise<void>;
}

const MOST_TRIES = 5;
const FIRST_PAUSE_MS = 250;

export function createSettlements({ db, clock, log }: { db: Database; clock: Clock; log: Log }): Settlements {
  const running = new Set<Promise<void>>();

  async function write(hold: RollingHold, ended: EndedMessage): Promise<void> {
    const { route, meter, caller } = ended;
    const tokens = meter && route ? meter.counts() : nothing;
    const cost = route ? messageCost(tokens, route.binding.price) : 0n;
    await db.inTransaction(async (tx) => {
      const charged = cost > 0n ? await hold.capture(tx, cost) : 0n;
      if (cost === 0n) await hold.release(tx);
      await insertMessage(tx, {
        id: ended.id,
        orgId: caller.orgId,
        keyId: caller.keyId,
        mode: caller.mode,
        requestId: ended.requestId,
        model: ended.model,
        provider: route?.providerId ?? null,
        upstreamModel: route?.binding.modelName ?? null,
        attempts: ended.attempts,
        streamed: ended.streamed,
        outcome: meter?.isComplete ? 'completed' : charged > 0n ? 'partial' : 'failed',
        code: ended.code ?? null,
        stopReason: meter?.stopReason ?? null,
        inputTokens: tokens.input,
        cacheReadTokens: tokens.cacheRead,
        cacheWrite5mTokens: tokens.cacheWrite5m,
        cacheWrite1hTokens: tokens.cacheWrite1h,
        outputTokens: tokens.output,
        webSearches: tokens.webSearches,
        estimated: cost > 0n && meter?.isEstimated === true,
        holdId: hold.id,
        costNanoUsd: charged,
        firstTokenMs: ended.firstTokenMs ?? null,
        totalMs: ended.totalMs,
        createdAt: ended.createdAt,
      });
    });
  }

  async function writeSurely(hold: RollingHold, ended: EndedMessage): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await write(hold, ended);
      } catch (error) {
        if (tries >= MOST_TRIES) {
          log.error('a message could not be charged', { requestId: ended.requestId, orgId: ended.caller.orgId, error: errorForLog(error) });
          return;
        }
        await clock.sleep(FIRST_PAUSE_MS * 2 ** (tries - 1));
      }
    }
  }

  return {
    settle(hold, ended) {
      const work = writeSurely(hold, ended);
      running.add(work);
      void work.then(() => running.delete(work));
    },
    async settled() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

const nothing = { input: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0, webSearches: 0 };
