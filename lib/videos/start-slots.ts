import type { Cancel, Clock } from '../domain/clock';
import { errorForLog } from '../domain/errors';
import type { OrgId, VideoId } from '../domain/ids';
import type { Log } from '../domain/log';
import type { VideoLimits } from '../domain/video';
import type { Database, Tx } from '../db/database';
import { lockText } from '../db/sql';
import { countStarts, type AttemptProvider } from '../db/video-starts';
import {
  accountText,
  countWaiting,
  joinQueue,
  listQueues,
  listNext,
  markCalled,
  removeLate,
  type WaitingStart,
} from '../db/waiting-starts';
import type { Queue } from '../jobs/queue';
import type { ProviderDirectory } from '../routing/provider-directory';

// The slots of an account at a provider that limits its running videos or its starts. A start without a slot waits in a
// queue of that account. A slot that becomes free goes to the start whose turn it is, in whichever process; no other
// start takes it. The jobs of waiting starts are due only at their deadline, or long after a slot should have become
// free; every second, each process looks for free slots and makes the jobs due whose turn it is.
//
// A start gets its slot before it prepares its media, so that starts without a slot read no media. If the media arrive
// slowly, the slot is given to another start, and this start keeps its media and waits for the next slot.

const MINUTE_MS = 60_000;
const CALL_INTERVAL_MS = 1_000;
/**
 * How long a free slot is kept for a start that was called. A start that comes later, because its process died or it
 * pauses after an error, joins the queue again.
 */
const CALL_TIMEOUT_MS = 10_000;
/** The time for a start that prepares its media: longer than reading an image may take. */
const PREPARE_TIMEOUT_MS = 30_000;
/** The maximum number of starts of one account that are called at once. */
const MAX_CALLED = 100;
/**
 * A start whose call was lost tries again after this time. It is longer if many starts wait, so that all of them
 * together try at most about once a second.
 */
const MIN_WAIT_MS = 60_000;
const WAIT_FOR_EACH_MS = 1_000;
/** The wait per start that another provider may be able to take: all together try at most 20 times a second. */
const WAIT_ELSEWHERE_FOR_EACH_MS = 50;
const MAX_COUNTED = 10_000;

export const limitsStarts = (limits: VideoLimits | undefined): limits is VideoLimits =>
  limits?.running !== undefined || limits?.startsPerMinute !== undefined;

/** The account at the provider has no slot for the start, which waits in its queue. Nothing was sent. */
export interface NoSlot {
  /** The time until the job is due, unless the start is called earlier. */
  readonly retryInMs: number;
  /** The minimum time until a start that another provider could take tries again. */
  readonly retryElsewhereInMs: number;
}

interface Slots {
  readonly free: number;
  /** By organisation, the starts that count against the limits or that lost their slot because of slow media. */
  readonly shares: ReadonlyMap<OrgId, number>;
}

/** Locks the account until the transaction ends, so that only one process counts its starts or changes its queue. */
async function lockSlots(
  tx: Tx,
  account: AttemptProvider,
  { running = Infinity, startsPerMinute = Infinity }: VideoLimits,
  { nowMs, except }: { readonly nowMs: number; readonly except?: VideoId },
): Promise<Slots> {
  await lockText(tx, `video starts ${account.provider} ${account.credentialId ?? ''}`);
  const since = { submitted: new Date(nowMs - MINUTE_MS), preparing: new Date(nowMs - PREPARE_TIMEOUT_MS) };
  const counts = await countStarts(tx, account, since, except);
  const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
  const all = [...counts.values()];
  return {
    free: Math.min(
      running - sum(all.map((each) => each.running - each.slow)),
      startsPerMinute - sum(all.map((each) => each.recent - each.slow)),
    ),
    shares: new Map(
      [...counts].map(([orgId, each]) => [
        orgId,
        (running === Infinity ? 0 : each.running) + (startsPerMinute === Infinity ? 0 : each.recent),
      ]),
    ),
  };
}

/**
 * Returns undefined if the start has a slot: it may be claimed in this transaction or, if `preparingSince` states since
 * when it has prepared its media, submitted. Otherwise the start has joined the queue of the account.
 */
export async function waitForSlot(
  tx: Tx,
  account: AttemptProvider,
  limits: VideoLimits,
  start: WaitingStart,
  nowMs: number,
  preparingSince?: Date,
): Promise<NoSlot | undefined> {
  const { free, shares } = await lockSlots(tx, account, limits, { nowMs, except: start.id });
  // The start still has its own slot, even while others wait. `free` is checked because another process, by its own
  // clock, may already have given the slot away.
  if (preparingSince && nowMs - preparingSince.getTime() < PREPARE_TIMEOUT_MS && free > 0) return undefined;
  const queueName = accountText(account);
  await joinQueue(tx, queueName, start);
  const next = free > 0 ? await listNext(tx, queueName, shares, free) : [];
  if (next.some(({ id }) => id === start.id)) return undefined;
  const waiting = await countWaiting(tx, queueName, MAX_COUNTED);
  return {
    retryInMs: Math.max(MIN_WAIT_MS, WAIT_FOR_EACH_MS * waiting),
    retryElsewhereInMs: WAIT_ELSEWHERE_FOR_EACH_MS * waiting,
  };
}

export interface StartCalls {
  start(): void;
  /** Stops the calls. Resolves when nothing is read or changed any more. */
  stop(): Promise<void>;
}

/** Calls the waiting starts whose turn it is, in every process that runs jobs. */
export function createStartCalls({
  db,
  clock,
  log,
  queue,
  providers,
}: {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly queue: Pick<Queue, 'runNext'>;
  readonly providers: Pick<ProviderDirectory, 'of'>;
}): StartCalls {
  let isStopped = false;
  let calling: Promise<void> = Promise.resolve();
  let cancelTimer: Cancel = () => {};

  function schedule(): void {
    if (isStopped) return;
    cancelTimer = clock.after(CALL_INTERVAL_MS, () => {
      calling = callAll().catch(recordFailure).finally(schedule);
    });
  }

  function recordFailure(error: unknown): void {
    log.warn('waiting videos could not be called', { error: errorForLog(error) });
  }

  async function callAll(): Promise<void> {
    for (const account of await listQueues(db)) {
      if (isStopped) return;
      await callNext(account).catch(recordFailure);
    }
  }

  async function callNext(account: AttemptProvider): Promise<void> {
    // If the provider is no longer set up, its limits are unknown and all starts are called.
    const limits = (await providers.of(account))?.video?.limits ?? {};
    const queueName = accountText(account);
    const called = await db.inTransaction(async (tx) => {
      const { free, shares } = await lockSlots(tx, account, limits, { nowMs: clock.nowMs() });
      await removeLate(tx, queueName, CALL_TIMEOUT_MS);
      if (free <= 0) return [];
      const next = await listNext(tx, queueName, shares, Math.min(free, MAX_CALLED));
      const ids = next.filter(({ isCalled }) => !isCalled).map(({ id }) => id);
      if (ids.length > 0) await markCalled(tx, queueName, ids);
      return ids;
    });
    // After the commit, because a job that ran earlier would wait for the lock. If this process dies here, the starts
    // are only late: they try again by themselves.
    for (const id of called) await queue.runNext('video.start', id);
  }

  return {
    start: schedule,
    async stop() {
      isStopped = true;
      cancelTimer();
      await calling;
    },
  };
}
