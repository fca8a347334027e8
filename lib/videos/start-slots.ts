import type { Cancel, Clock } from '../domain/clock';
import { errorForLog, type GatewayError } from '../domain/errors';
import type { OrgId, VideoId } from '../domain/ids';
import type { Log } from '../domain/log';
import type { VideoLimits } from '../domain/video';
import type { Database, Tx } from '../db/database';
import { lockText } from '../db/sql';
import { currentLimit, learnLimit, listLearnedLimits, type LearnedLimit } from '../db/start-limits';
import { countStarts, type AttemptProvider, type StartCount } from '../db/video-starts';
import {
  countWaiting,
  hasTurn,
  joinQueue,
  listQueues,
  listNext,
  markCalled,
  queueText,
  removeLate,
  type StartQueue,
  type WaitingStart,
} from '../db/waiting-starts';
import type { Queue } from '../jobs/queue';
import type { ProviderDirectory } from '../routing/provider-directory';

// The slots of an account at a provider that limits its running videos or its starts. Few providers publish their
// limits, so an account that refuses a start because of its limits is taken to allow as many running videos as it has
// then; while it refuses none, the limit is raised step by step (`lib/db/start-limits.ts`).
//
// A start without a slot waits in a queue of that account. A slot that becomes free goes to the start whose turn it is,
// in whichever process; no other start takes it. The jobs of waiting starts are due only at their deadline, or long
// after a slot should have become free; every second, each process looks for free slots and makes the jobs due whose
// turn it is. Only this call compares the waiting starts. A start that was not called takes a slot only if there is one
// for each start that waits, so that no start reads the others.
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
/**
 * The maximum number of starts of one account whose turn it is at once, also if it has more free slots. Each of them
 * counts the others.
 */
const MAX_CALLED = 100;
/**
 * A start whose calls were lost tries again after this time. It is longer if many starts wait, so that all of them
 * together try at most about once a second.
 */
const MIN_WAIT_MS = 60_000;
/** The same with a learned limit, which a start that waits alone may find raised at any time. */
const MIN_WAIT_TO_RAISE_MS = 1_000;
const WAIT_FOR_EACH_MS = 1_000;
/** The wait per start that another provider may be able to take: all together try at most 20 times a second. */
const WAIT_ELSEWHERE_FOR_EACH_MS = 50;
const MAX_COUNTED = 10_000;
/** How long a refused start lets others pass: longer than two pauses of a learned limit. */
const REFUSED_MS = 150_000;

const limitsStarts = (limits: VideoLimits) => limits.running !== undefined || limits.startsPerMinute !== undefined;

/** The account at the provider has no slot for the start, which waits in its queue. */
export interface NoSlot {
  /** With this error the provider refused the start. Absent: nothing was sent. */
  readonly refusal?: GatewayError;
  /** The time until the job is due, unless the start is called earlier. */
  readonly retryInMs: number;
  /** The minimum time until a start that another provider could take tries again. */
  readonly retryElsewhereInMs: number;
}

interface Slots {
  readonly free: number;
  /** Absent without a learned limit. */
  readonly learned?: LearnedLimit | undefined;
  /** By organisation, the starts that count against the limits or that lost their slot because of slow media. */
  readonly shares: ReadonlyMap<OrgId, number>;
}

/** The account and the upstream model of a start. */
export interface StartRoute extends AttemptProvider {
  readonly upstreamModel: string;
}

/**
 * Returns the queue of a start. The stated limits of a provider are those of the account. Learned ones may be those of
 * a model, so the starts of each model wait apart: otherwise those of one that is full would keep the others waiting.
 */
const queueOf = ({ provider, credentialId, upstreamModel }: StartRoute, limits: VideoLimits): StartQueue => ({
  provider,
  credentialId,
  model: limitsStarts(limits) ? null : upstreamModel,
});

/** Locks the account until the transaction ends, so that only one process counts its starts or changes its queues. */
async function lockSlots(
  tx: Tx,
  queue: StartQueue,
  { running = Infinity, startsPerMinute = Infinity }: VideoLimits,
  { nowMs, except }: { readonly nowMs: number; readonly except?: VideoId },
): Promise<Slots> {
  const counts = await lockStarts(tx, queue, {
    nowMs,
    except,
    submittedSinceMs: startsPerMinute === Infinity ? nowMs : nowMs - MINUTE_MS,
  });
  const now = runningOf(counts);
  const learned = await currentLimit(tx, queueText(queue), now, new Date(nowMs));
  return {
    free: Math.min(
      (learned?.running ?? Infinity) - now.inQueue,
      running - now.inQueue,
      startsPerMinute - sumOf(counts, ({ recent, slow }) => recent - slow),
    ),
    learned,
    shares: new Map(
      [...counts].map(([orgId, each]) => [
        orgId,
        (running === Infinity && !learned ? 0 : each.running) + (startsPerMinute === Infinity ? 0 : each.recent),
      ]),
    ),
  };
}

/** Locks the account as `lockSlots` does, and counts its starts. */
async function lockStarts(
  tx: Tx,
  queue: StartQueue,
  {
    nowMs,
    except,
    submittedSinceMs,
  }: { readonly nowMs: number; readonly except?: VideoId | undefined; readonly submittedSinceMs: number },
): Promise<ReadonlyMap<OrgId, StartCount>> {
  await lockText(tx, `video starts ${queue.provider} ${queue.credentialId ?? ''}`);
  const since = { submitted: new Date(submittedSinceMs), preparing: new Date(nowMs - PREPARE_TIMEOUT_MS) };
  return countStarts(tx, queue, since, except);
}

const sumOf = (counts: ReadonlyMap<OrgId, StartCount>, number: (count: StartCount) => number) =>
  [...counts.values()].reduce((sum, each) => sum + number(each), 0);

/** The starts of all organisations that take a slot. */
const runningOf = (counts: ReadonlyMap<OrgId, StartCount>) => ({
  inQueue: sumOf(counts, ({ running, slow }) => running - slow),
  accepted: sumOf(counts, ({ accepted }) => accepted),
  atAccount: sumOf(counts, ({ ofAllModels }) => ofAllModels),
});

/**
 * Returns undefined if the start has a slot: it may be claimed in this transaction or, if `preparingSince` states since
 * when it has prepared its media, submitted. Otherwise the start has joined the queue of the account.
 */
export async function waitForSlot(
  tx: Tx,
  route: StartRoute,
  limits: VideoLimits,
  start: WaitingStart,
  nowMs: number,
  preparingSince?: Date,
): Promise<NoSlot | undefined> {
  const queue = queueOf(route, limits);
  const { free, learned } = await lockSlots(tx, queue, limits, { nowMs, except: start.id });
  // The start still has its own slot, even while others wait. `free` is checked because another process, by its own
  // clock, may already have given the slot away.
  if (preparingSince && nowMs - preparingSince.getTime() < PREPARE_TIMEOUT_MS && free > 0) return undefined;
  // The learned limit was forgotten.
  if (free === Infinity) return undefined;
  const queueName = queueText(queue);
  const counted = Math.min(free, MAX_COUNTED);
  if (free > 0 && (await hasTurn(tx, queueName, start.id, counted, refusedSince(nowMs)))) return undefined;
  await joinQueue(tx, queueName, start);
  return waitOf(tx, queueName, learned);
}

const refusedSince = (nowMs: number) => new Date(nowMs - REFUSED_MS);

/**
 * Returns the starts whose turn it is, at most `free` and MAX_CALLED. One that was just refused comes after those that
 * were not: the provider may refuse this request whenever it is sent, and the others must not wait for it.
 */
async function listNextOf(tx: Tx, queueName: string, shares: Slots['shares'], free: number, nowMs: number) {
  const max = Math.min(free, MAX_CALLED);
  const others = await listNext(tx, queueName, shares, max, refusedSince(nowMs));
  return others.length > 0 ? others : listNext(tx, queueName, shares, max);
}

/** Returns how long a start waits unless it is called. One that waits alone tries when the learned limit is raised. */
async function waitOf(tx: Tx, queueName: string, learned: LearnedLimit | undefined): Promise<NoSlot> {
  const waiting = await countWaiting(tx, queueName, MAX_COUNTED);
  const minMs = learned ? Math.max(MIN_WAIT_TO_RAISE_MS, learned.raisedInMs) : MIN_WAIT_MS;
  return {
    retryInMs: Math.max(minMs, WAIT_FOR_EACH_MS * (waiting - 1)),
    retryElsewhereInMs: WAIT_ELSEWHERE_FOR_EACH_MS * waiting,
  };
}

/** A start that a provider refused because of the limits of the account. */
export interface RefusedStart {
  readonly video: WaitingStart;
  readonly route: StartRoute;
  /** Those that the provider states. */
  readonly limits: VideoLimits;
  readonly beganAt: Date;
  /** Whether the start had a slot. */
  readonly hadSlot: boolean;
  readonly error: GatewayError;
}

export interface StartSlots {
  /** Calls the waiting starts whose turn it is, every second from now on. */
  start(): void;
  /** Stops the calls. Resolves when nothing is read or changed any more. */
  stop(): Promise<void>;
  /**
   * Returns whether a start needs a slot. `limits` are those that the provider states. A limit that another process
   * learned is known within a second.
   */
  needsSlot(route: StartRoute, limits: VideoLimits): boolean;
  /** Learns a limit from a refusal. The start joins its queue. */
  refused(start: RefusedStart): Promise<NoSlot>;
}

/** Creates the slots of all accounts, as one process that runs jobs sees them. */
export function createStartSlots({
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
}): StartSlots {
  /** The queues with a learned limit. */
  let limited: ReadonlySet<string> = new Set();
  let round = 0;
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
    limited = await listLearnedLimits(db, clock.now());
    const queues = await listQueues(db);
    // Each time another one is the first, because the first one gets the slot that several queues of an account share.
    round += 1;
    for (let n = 0; n < queues.length; n += 1) {
      if (isStopped) return;
      await callNext(queues[(round + n) % queues.length]!).catch(recordFailure);
    }
  }

  async function callNext(waiting: StartQueue): Promise<void> {
    // If the provider is no longer set up, its limits are unknown and all starts are called.
    const limits = (await providers.of(waiting))?.video?.limits ?? {};
    const queueName = queueText(waiting);
    const called = await db.inTransaction(async (tx) => {
      const { free, shares } = await lockSlots(tx, waiting, limits, { nowMs: clock.nowMs() });
      const late = await removeLate(tx, queueName, CALL_TIMEOUT_MS);
      if (free <= 0) return late;
      const next = await listNextOf(tx, queueName, shares, free, clock.nowMs());
      const ids = next.filter(({ isCalled }) => !isCalled).map(({ id }) => id);
      if (ids.length > 0) await markCalled(tx, queueName, ids);
      return [...late, ...ids];
    });
    // After the commit, because a job that ran earlier would wait for the lock. If this process dies here, the starts
    // are only late: they are called once more, to join the queue again, and otherwise try again by themselves.
    for (const id of called) await queue.runNext('video.start', id);
  }

  return {
    start: schedule,
    async stop() {
      isStopped = true;
      cancelTimer();
      await calling;
    },
    needsSlot: (route, limits) => limitsStarts(limits) || limited.has(queueText(queueOf(route, limits))),
    async refused({ video, route, limits, beganAt, hadSlot, error }) {
      const waiting = queueOf(route, limits);
      const queueName = queueText(waiting);
      limited = new Set([...limited, queueName]);
      const at = clock.now();
      const wait = await db.inTransaction(async (tx) => {
        const nowMs = at.getTime();
        const counts = await lockStarts(tx, waiting, { nowMs, except: video.id, submittedSinceMs: nowMs });
        const { retryAfterMs = 0 } = error.extra.upstream ?? {};
        const learned = await learnLimit(tx, {
          queue: queueName,
          running: runningOf(counts),
          beganAt,
          at,
          retryAfterMs,
        });
        await joinQueue(tx, queueName, video, hadSlot ? at : undefined);
        return waitOf(tx, queueName, learned);
      });
      return { ...wait, refusal: error };
    },
  };
}
