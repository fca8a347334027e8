import { LRUCache } from 'lru-cache';
import { periodOf } from '../billing/key-period';
import type { HoldRequest } from '../billing/hold';
import type { Ledger } from '../billing/ledger';
import { costOfCharacters } from '../billing/quote-audio';
import type { Caller } from '../domain/caller';
import type { Cancel, Clock } from '../domain/clock';
import { errorForLog } from '../domain/errors';
import { newId, type HoldId, type MeterId, type SessionId } from '../domain/ids';
import type { Log } from '../domain/log';
import type { ProviderId } from '../domain/model';
import type { NanoUsd, UnitPrice } from '../domain/money';
import type { Database, Tx } from '../db/database';
import {
  endMeter,
  insertMeter,
  meterBeside,
  lockTranscriptionFunds,
  listAbandonedMeters,
  writeMeterCounts,
  type NewMeterRow,
} from '../db/meters';
import type { MeterAttempt, MeterOutcome } from '../db/schema/index';
import { createBudgets, type Budgets, type TranscriptionMeter } from './session-budget';

// What runs is counted, and what is counted is paid for once. The counts of all running meters are written every few
// seconds; when a process dies, another one finds its meters and charges what was written last, which is never too much.

/** Whose work it is, and what it is charged as. */
export interface Metered {
  readonly caller: Caller;
  readonly sessionId: SessionId;
  /** The catalog id. */
  readonly model: string;
  readonly provider: string;
}

export interface SpeechMeter {
  /** Sound has reached the session: from now on the characters cost something. */
  delivered(): void;
  /** Characters worked on so far, in total. */
  count(characters: number): void;
  /** Charges what was counted, or nothing when no sound was delivered. Safe to repeat; resolves also when it could not be written now. */
  settle(outcome: MeterOutcome): Promise<void>;
}

/** A text whose price is being held. */
export interface SpeechOpening {
  readonly id: MeterId;
  /**
   * The account had plenty when its last text was held: the provider may begin while the ledger is asked, as long as nobody
   * hears anything of it before `opened` has resolved. When the ledger says no after all, what was begun is given up.
   */
  readonly isAmple: boolean;
  /** Rejects with `insufficient_credits` or `key_limit_exceeded`. */
  readonly opened: Promise<SpeechMeter>;
}

export interface Meters {
  /** Begins to count sound; rejects with `insufficient_credits` or `key_limit_exceeded`. */
  transcription(metered: Metered, perMinute: UnitPrice): Promise<TranscriptionMeter>;
  /** Holds the price of a whole text of so many characters. */
  speech(metered: Metered, perCharacter: UnitPrice, characters: number): SpeechOpening;
  /** Ends the meters of processes that are gone; how many. */
  recover(): Promise<number>;
  start(): void;
  /** Writes the counts a last time. */
  close(): Promise<void>;
}

export interface Running {
  readonly id: MeterId;
  provider(): ProviderId;
  attempts(): readonly MeterAttempt[];
  audioMillis(): number;
  characters(): number;
  accrued(): NanoUsd;
}

const CHECKPOINT_MS = 10_000;
const RECOVER_EVERY_MS = 60_000;
/** Nine checkpoints were missed: nobody is counting any more. */
const ABANDONED_MS = 90_000;
const ABANDONED_AT_ONCE = 200;
/** Credit for so many texts like this one, seen so lately, is taken to be there still. */
const AMPLE_TIMES = 100n;
const AMPLE_MS = 60_000;
const MAX_REMEMBERED = 10_000;
const SETTLE_TRIES = 4;
const SETTLE_PAUSE_MS = 500;

export function createMeters(deps: { db: Database; ledger: Ledger; clock: Clock; log: Log }): Meters {
  const { db, ledger, clock, log } = deps;
  const running = new Map<MeterId, Running>();
  /** What the account of a caller had left when a text was held for it. By account and key: people of all organisations and modes share the key id of the console. */
  const lastLeft = new LRUCache<string, { readonly left: NanoUsd; readonly atMs: number }>({ max: MAX_REMEMBERED });
  let cancelCheckpoint: Cancel | undefined;
  let cancelRecovery: Cancel | undefined;

  async function begin(
    tx: Tx,
    kind: 'transcription' | 'speech',
    { caller, sessionId, model, provider }: Metered,
    amount: NanoUsd,
    id = newId('meter'),
  ): Promise<{ id: MeterId; holdId: HoldId }> {
    const holdId = await ledger.hold(tx, requestOf(kind, id, caller, amount));
    const row: NewMeterRow = {
      id,
      kind,
      orgId: caller.orgId,
      mode: caller.mode,
      keyId: caller.keyId,
      sessionId,
      model,
      provider,
      holdId,
      startedAt: clock.now(),
    };
    await insertMeter(tx, row);
    return { id, holdId };
  }

  /** Somebody waits for the first sound: where it can be, it is one question to the database. */
  async function holdForSpeech(id: MeterId, metered: Metered, amount: NanoUsd): Promise<HoldId> {
    const { caller } = metered;
    const held = await ledger.holdAtOnce(db, requestOf('speech', id, caller, amount), meterBeside(metered));
    if (held) {
      lastLeft.set(nameOf(caller), { left: held.left, atMs: clock.nowMs() });
      return held.id;
    }
    lastLeft.delete(nameOf(caller));
    return (await db.inTransaction((tx) => begin(tx, 'speech', metered, amount, id))).holdId;
  }

  async function openSpeech(
    id: MeterId,
    metered: Metered,
    perCharacter: UnitPrice,
    characters: number,
    amount: NanoUsd,
  ): Promise<SpeechMeter> {
    const holdId = await holdForSpeech(id, metered, amount).catch((error: unknown) => {
      lastLeft.delete(nameOf(metered.caller));
      throw error;
    });
    let counted = 0;
    let heard = false;
    let settled: Promise<void> | undefined;
    const accrued = () => (heard ? costOfCharacters(perCharacter, counted) : 0n);
    const meter: Running = {
      id,
      provider: () => metered.provider,
      attempts: () => [],
      audioMillis: () => 0,
      characters: () => counted,
      accrued,
    };
    count(meter);
    return {
      delivered() {
        heard = true;
      },
      count(total) {
        counted = Math.min(Math.max(counted, total), characters);
      },
      settle: (outcome) => (settled ??= settle(meter, holdId, accrued(), outcome)),
    };
  }

  function isAmple(caller: Caller, amount: NanoUsd): boolean {
    const known = lastLeft.get(nameOf(caller));
    return known !== undefined && clock.nowMs() - known.atMs < AMPLE_MS && known.left >= amount * AMPLE_TIMES;
  }

  function count(meter: Running): void {
    running.set(meter.id, meter);
    cancelCheckpoint ??= clock.after(CHECKPOINT_MS, checkpoint);
  }

  function checkpoint(): void {
    cancelCheckpoint = undefined;
    if (running.size === 0) return;
    cancelCheckpoint = clock.after(CHECKPOINT_MS, checkpoint);
    writeCounts().catch((error: unknown) =>
      log.warn('the counts of running sessions could not be written', { error: errorForLog(error) }),
    );
  }

  async function writeCounts(): Promise<void> {
    await writeMeterCounts(db, [...running.values()].map(countOf));
  }

  /** Captures once, together with the end of the meter. When the database is away for long, recovery does it later. */
  async function settle(meter: Running, holdId: HoldId, cost: NanoUsd, outcome: MeterOutcome): Promise<void> {
    running.delete(meter.id);
    for (let attempt = 1; ; attempt++) {
      try {
        await db.inTransaction(async (tx) => {
          const ended = await endMeter(tx, countOf(meter), {
            costNanoUsd: cost,
            outcome,
            attempts: meter.attempts(),
            now: clock.now(),
          });
          // Without a next hold, in one statement where `capture` and `release` need three.
          if (ended) await ledger.renew(tx, { hold: holdId, charged: cost });
        });
        return;
      } catch (error) {
        if (attempt < SETTLE_TRIES) {
          await clock.sleep(SETTLE_PAUSE_MS * 2 ** attempt);
          continue;
        }
        log.error('the end of a session could not be written; its last counts will be charged later', {
          error: errorForLog(error),
        });
        return;
      }
    }
  }

  const budgets: Budgets = createBudgets({
    db,
    ledger,
    clock,
    lockFunds: (tx, account, keyId, hold) =>
      lockTranscriptionFunds(tx, account, keyId, hold, (period) => periodOf(period, clock.now()).period),
    begin,
    count,
    settle,
  });

  async function recover(): Promise<number> {
    const abandoned = await listAbandonedMeters(db, ABANDONED_MS, ABANDONED_AT_ONCE);
    for (const { meter: row, heldNanoUsd } of abandoned) {
      if (running.has(row.id)) continue;
      // More was counted than held when a process lost the answer to a COMMIT that took a part of the hold back.
      const cost = row.accruedNanoUsd < heldNanoUsd ? row.accruedNanoUsd : heldNanoUsd;
      await settle(
        {
          id: row.id,
          provider: () => row.provider,
          attempts: () => row.attempts,
          audioMillis: () => row.audioMillis,
          characters: () => row.characters,
          accrued: () => row.accruedNanoUsd,
        },
        row.holdId,
        cost,
        'recovered',
      );
    }
    if (abandoned.length > 0)
      log.warn('sessions whose process ended were charged by their last count', { count: abandoned.length });
    return abandoned.length;
  }

  function recoverSoon(): void {
    cancelRecovery = clock.after(RECOVER_EVERY_MS, () => {
      recover()
        .catch((error: unknown) =>
          log.warn('abandoned sessions could not be looked for', { error: errorForLog(error) }),
        )
        .finally(() => {
          if (cancelRecovery) recoverSoon();
        });
    });
  }

  return {
    transcription: (metered, perMinute) => budgets.open(metered, perMinute),

    speech(metered, perCharacter, characters) {
      const id = newId('meter');
      const amount = costOfCharacters(perCharacter, characters);
      return {
        id,
        isAmple: isAmple(metered.caller, amount),
        opened: openSpeech(id, metered, perCharacter, characters, amount),
      };
    },

    recover,
    start: recoverSoon,
    async close() {
      cancelCheckpoint?.();
      cancelRecovery?.();
      cancelRecovery = undefined;
      if (running.size > 0) await writeCounts();
    },
  };
}

const nameOf = ({ orgId, mode, keyId }: Caller) => `${orgId} ${mode} ${keyId}`;

const requestOf = (
  kind: 'transcription' | 'speech',
  id: MeterId,
  { orgId, mode, keyId }: Caller,
  amount: NanoUsd,
): HoldRequest => ({ account: { orgId, mode }, keyId, amount, subject: { kind, id } });

function countOf(meter: Running) {
  return {
    id: meter.id,
    provider: meter.provider(),
    audioMillis: Math.ceil(meter.audioMillis()),
    characters: meter.characters(),
    accruedNanoUsd: meter.accrued(),
  };
}
