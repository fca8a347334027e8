import type { HoldRequest } from '../billing/hold';
import type { Ledger } from '../billing/ledger';
import { costOfCharacters } from '../billing/quote-audio';
import type { Caller } from '../domain/caller';
import { currentPeriods, type Cancel, type Clock } from '../domain/clock';
import { errorForLog } from '../domain/errors';
import { newId, type HoldId, type MeterId, type ProviderId } from '../domain/ids';
import type { Log } from '../domain/log';
import { noTelemetry, type Telemetry } from '../domain/telemetry';
import type { NanoUsd, UnitPrice } from '../domain/money';
import { createLru } from '../io/lru';
import type { Limits } from '../limits/limits';
import type { Database, Tx } from '../db/database';
import {
  endMeter,
  meterInsert,
  lockTranscriptionFunds,
  listAbandonedMeters,
  writeMeterCounts,
  type MeterEnd,
} from '../db/meters';
import type { MeterAttempt, MeterOutcome } from '../db/schema/index';
import type { ActiveMeter, MeterSubject } from './active-meter';
import { createBudgets, type Budgets, type TranscriptionMeter } from './session-budget';

// Audio is metered while it runs, and each count is charged once. The counts of all running meters are written every
// few seconds. If a process dies, another process finds its meters and charges the last written counts, which are never
// too high.

export interface SpeechMeter {
  /** Sets the provider that speaks. Only the last one is recorded. */
  servedBy(provider: ProviderId): void;
  /** Adds an attempt to the record of the text. */
  attempted(attempt: MeterAttempt): void;
  /** Records that audio has reached the session. From now on all characters of the text are charged. */
  delivered(): void;
  /**
   * Charges the text, or nothing if no audio was delivered. `code` is the error code that ended it. Safe to
   * repeat. Resolves even if the charge could not be written yet.
   */
  settle(outcome: MeterOutcome, code?: string): Promise<void>;
}

/** A text whose credit hold is being opened. */
export interface SpeechOpening {
  readonly id: MeterId;
  /**
   * Whether the account had plenty of credit at its last text. If so, the provider may start while the hold is opened,
   * but no audio may be delivered before `opened` has resolved. If the ledger rejects the hold, the started work is
   * discarded.
   */
  readonly isAmple: boolean;
  /** Rejects as `Ledger.hold` does, and with `rate_limit_exceeded`. */
  readonly opened: Promise<SpeechMeter>;
}

export interface Meters {
  /** Starts metering a transcription. Rejects as `Ledger.hold` does. */
  transcription(metered: MeterSubject, perMinute: UnitPrice): Promise<TranscriptionMeter>;
  /** Holds the price of a text with this many characters. */
  speech(metered: MeterSubject, perCharacter: UnitPrice, characters: number): SpeechOpening;
  /** Settles the meters of processes that have died. Resolves to their number. */
  recover(): Promise<number>;
  /** Calls `recover` every minute. */
  start(): void;
  /** Writes the counts for the last time. */
  close(): Promise<void>;
}

const CHECKPOINT_MS = 10_000;
const RECOVER_INTERVAL_MS = 60_000;
/** After nine missed checkpoints the process is considered dead. */
const ABANDONED_MS = 90_000;
const ABANDONED_AT_ONCE = 200;
/** If the account could afford AMPLE_TIMES such texts within AMPLE_MS, assume it still can. */
const AMPLE_TIMES = 100n;
const AMPLE_MS = 60_000;
const MAX_REMEMBERED = 10_000;
const SETTLE_TRIES = 4;
const SETTLE_PAUSE_MS = 500;

export function createMeters(deps: {
  db: Database;
  ledger: Ledger;
  limits: Pick<Limits, 'count' | 'spent'>;
  clock: Clock;
  log: Log;
  telemetry?: Telemetry;
}): Meters {
  const { db, ledger, limits, clock, log, telemetry: { metrics } = noTelemetry } = deps;
  const running = new Map<MeterId, ActiveMeter>();
  /**
   * The credit that an account had left when a text was last held. By account and key, because users of all
   * organisations and modes share the key id of the console.
   */
  const lastLeft = createLru<string, { readonly left: NanoUsd; readonly atMs: number }>(MAX_REMEMBERED);
  let cancelCheckpoint: Cancel | undefined;
  let cancelRecovery: Cancel | undefined;

  async function begin(
    tx: Tx,
    metered: MeterSubject,
    perMinute: UnitPrice,
    amount: NanoUsd,
  ): Promise<{ id: MeterId; holdId: HoldId }> {
    const id = newId('meter');
    const held = await ledger.holdWith(tx, requestOf('transcription', id, metered.caller, amount), [
      meterInsert({ ...metered, unitPrice: perMinute }),
    ]);
    return { id, holdId: held.id };
  }

  /** The client waits for the first audio, so this takes a single database query. */
  async function holdForSpeech(
    id: MeterId,
    metered: MeterSubject,
    unitPrice: UnitPrice,
    amount: NanoUsd,
  ): Promise<HoldId> {
    const { caller } = metered;
    const insert = meterInsert({ ...metered, unitPrice });
    const held = await ledger.holdWith(db, requestOf('speech', id, caller, amount), [insert]);
    if (held.available === undefined) lastLeft.delete(nameOf(caller));
    else lastLeft.set(nameOf(caller), { left: held.available, atMs: clock.nowMs() });
    return held.id;
  }

  async function openSpeech(
    id: MeterId,
    metered: MeterSubject,
    perCharacter: UnitPrice,
    characters: number,
    amount: NanoUsd,
  ): Promise<SpeechMeter> {
    // The session was admitted when it was opened; each text is new work.
    const counting = limits.count(metered.caller, 'spend_per_minute', 0);
    if (counting) await counting;
    const startedAt = clock.nowMs();
    const holdId = await holdForSpeech(id, metered, perCharacter, amount).catch((error: unknown) => {
      lastLeft.delete(nameOf(metered.caller));
      throw error;
    });
    let firstResultMs: number | undefined;
    let settled: Promise<void> | undefined;
    let { provider } = metered;
    const attempts: MeterAttempt[] = [];
    const counted = () => (firstResultMs === undefined ? 0 : characters);
    const accrued = () => costOfCharacters(perCharacter, counted());
    const meter: ActiveMeter = {
      id,
      kind: 'speech',
      model: metered.model,
      caller: metered.caller,
      provider: () => provider,
      attempts: () => attempts,
      firstResultMs: () => firstResultMs,
      audioMillis: () => 0,
      characters: counted,
      accrued,
    };
    count(meter);
    return {
      servedBy(id) {
        provider = id;
      },
      attempted: (attempt) => void attempts.push(attempt),
      delivered() {
        firstResultMs ??= clock.nowMs() - startedAt;
      },
      settle: (outcome, code) => (settled ??= settle(meter, holdId, accrued(), { outcome, code })),
    };
  }

  function isAmple(caller: Caller, amount: NanoUsd): boolean {
    const known = lastLeft.get(nameOf(caller));
    return known !== undefined && clock.nowMs() - known.atMs < AMPLE_MS && known.left >= amount * AMPLE_TIMES;
  }

  function count(meter: ActiveMeter): void {
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

  /**
   * Captures once, together with the end of the meter. If the database does not respond for long, recovery does it
   * later.
   */
  async function settle(
    meter: ActiveMeter,
    holdId: HoldId,
    cost: NanoUsd,
    { outcome, code }: Pick<MeterEnd, 'outcome' | 'code'>,
  ): Promise<void> {
    running.delete(meter.id);
    const firstResultMs = meter.firstResultMs();
    metrics.audioEnded({
      kind: meter.kind,
      model: meter.model,
      provider: meter.provider(),
      outcome,
      audioMillis: meter.audioMillis(),
      characters: firstResultMs === undefined ? 0 : meter.characters(),
      ...(firstResultMs !== undefined && { firstResultMs }),
    });
    for (let attempt = 1; ; attempt++) {
      try {
        await db.inTransaction(async (tx) => {
          const now = clock.now();
          // Without a next hold, this is a capture, or a release if the cost is 0. If the meter had already ended, its
          // hold is closed, and nothing changes.
          await ledger.renew(tx, { hold: holdId, charged: cost }, now);
          await endMeter(tx, countOf(meter), {
            costNanoUsd: cost,
            outcome,
            code,
            firstResultMs: meter.firstResultMs(),
            attempts: meter.attempts(),
            now,
          });
        });
        if (meter.caller) limits.spent(meter.caller, cost);
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
      lockTranscriptionFunds(tx, account, keyId, hold, currentPeriods(clock.now())),
    begin,
    count,
    settle,
  });

  async function recover(): Promise<number> {
    const abandoned = await listAbandonedMeters(db, ABANDONED_MS, ABANDONED_AT_ONCE);
    for (const { meter: row, heldNanoUsd } of abandoned) {
      if (running.has(row.id)) continue;
      // The count can exceed the hold: a process may have lost the response to a COMMIT that released a part of the
      // hold.
      const cost = row.accruedNanoUsd < heldNanoUsd ? row.accruedNanoUsd : heldNanoUsd;
      await settle(
        {
          id: row.id,
          kind: row.kind,
          model: row.model,
          provider: () => row.provider,
          attempts: () => row.attempts,
          firstResultMs: () => row.firstResultMs ?? undefined,
          audioMillis: () => row.audioMillis,
          characters: () => row.characters,
          accrued: () => row.accruedNanoUsd,
        },
        row.holdId,
        cost,
        { outcome: 'recovered', code: 'process_ended' },
      );
    }
    if (abandoned.length > 0)
      log.warn('sessions whose process ended were charged by their last count', { count: abandoned.length });
    return abandoned.length;
  }

  function recoverSoon(): void {
    cancelRecovery = clock.after(RECOVER_INTERVAL_MS, () => {
      recover()
        .catch((error: unknown) =>
          log.warn('sessions of ended processes could not be searched for', { error: errorForLog(error) }),
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

function countOf(meter: ActiveMeter) {
  return {
    id: meter.id,
    provider: meter.provider(),
    audioMillis: Math.ceil(meter.audioMillis()),
    characters: meter.characters(),
    accruedNanoUsd: meter.accrued(),
  };
}
