import { allowedBindings, checkModelAccess, priceRefusals } from '../accounts/access';
import type { Ledger } from '../billing/ledger';
import { presentQuote, quoteVideo } from '../billing/quote';
import type { CurrentCatalog } from '../catalog/catalog';
import { entryOfVideoModel } from '../catalog/entry-of-model';
import { resolveModelOf } from '../catalog/resolve';
import type { Caller } from '../domain/caller';
import type { Clock } from '../domain/clock';
import { errorForLog, GatewayError, isGatewayError } from '../domain/errors';
import { noTelemetry, type Telemetry } from '../domain/telemetry';
import { newId, type ProviderId } from '../domain/ids';
import type { Log } from '../domain/log';
import { usdText, type NanoUsd } from '../domain/money';
import type { Database, Db, Tx } from '../db/database';
import { lockText } from '../db/sql';
import {
  findIdempotencyKey,
  idempotencyInsert,
  isKeyTaken,
  removeExpiredKey,
  replaysRetries,
  takeRetriedVideo,
  videoInsert,
  type IdempotencySlot,
  type NewVideo,
} from '../db/submitted-videos';
import { findVideo, recordAnswerCut, type VideoRow } from '../db/videos';
import { createTurns, createRepeatedRefusals } from './submission-limits';
import type { Queue } from '../jobs/queue';
import type { Limits } from '../limits/limits';
import type { ProviderDirectory } from '../routing/provider-directory';
import type { Router } from '../routing/router';
import type { CheckUrls } from './check-urls';
import { snapshotSubmission, fingerprintOf } from './submitted-body';
import { presentSubmitted } from './present';
import { readScenario } from '../routing/test-mode';
import type { Submission, Submitted, Videos } from './videos';
import type { PublishedMedia } from './published-media';
import { ignoredBy, orderFor, parseModelName, parseVideoRequest, needsOf } from './video-request';

// Turns a request body into a durable job. Job, price, hold and the outcome of an Idempotency-Key are stored in one
// statement, before the 202 and before any provider is called. A crash after the 202 loses nothing; a crash before it
// costs nothing. One statement, because it locks the account: with several round trips, the time for which this process
// holds the lock would limit how fast an organisation can submit.

const ROUTE = 'POST /v1/videos';
/** How long an Idempotency-Key returns the first outcome. */
export const KEEP_IDEMPOTENCY_MS = 24 * 3_600_000;
/**
 * The maximum number of submissions of one account that this process stores at the same time. They wait for the lock of
 * the account, so more of them would only occupy connections that other accounts need.
 */
const MAX_STORING = 2;
/**
 * The maximum wait of a submission for its turn: as long as a query may wait for a connection. With pauses it is longer
 * by as much as they are, so that as many submissions may wait.
 */
const MAX_WAIT_MS = 1_500;
/**
 * While other organisations send requests, the place of a test video stays unused after it was stored, for this many
 * times as long as storing it took. A busy database or processor takes longer to store one, so the pause is longer too.
 */
const TEST_PAUSE = 3;

export function createSubmitVideo(deps: {
  db: Database;
  clock: Clock;
  catalog: CurrentCatalog;
  router: Router<'video'>;
  providers: Pick<ProviderDirectory, 'servedBy'>;
  ledger: Ledger;
  limits: Pick<Limits, 'spend' | 'runningVideos' | 'isShared'>;
  queue: Queue;
  checkUrls: CheckUrls;
  publishedMedia: Pick<PublishedMedia, 'reach'>;
  telemetry?: Telemetry;
}) {
  const { db, clock, router, providers, ledger, limits, queue, checkUrls, publishedMedia } = deps;
  const { metrics, tracing } = deps.telemetry ?? noTelemetry;
  const turns = createTurns(MAX_STORING, clock);
  const refusals = createRepeatedRefusals(clock);

  return async function submitVideo(caller: Caller, submission: Submission): Promise<Submitted> {
    const repeated = await findRepeated(db, caller, submission);
    if (repeated) return repeated;

    // Without a key and not an automatic retry, it can only be a new video, so nothing needs to be prepared.
    if (submission.idempotencyKey === undefined && !submission.automaticRetry) refusals.check(nameOf(caller));
    const { video, place } = await prepare(caller, submission);
    const takeBackSpending = await limits.spend(caller, video.quoteNanoUsd);
    const pause = () => (caller.mode === 'test' && limits.isShared() ? TEST_PAUSE : 0);
    const submitted = await turns
      .run(
        `${caller.orgId} ${caller.mode}`,
        async (waitedMs) => {
          if (waitedMs > MAX_WAIT_MS * (1 + pause())) throw tooManySubmissions();
          return store(caller, submission, video, place);
        },
        (tookMs) => pause() * tookMs,
      )
      .catch((error: unknown) => {
        takeBackSpending();
        throw error;
      });
    if (submitted.replayed) takeBackSpending();
    else metrics.videoSubmitted({ model: video.model, mode: caller.mode });
    return submitted;
  };

  /**
   * Returns the video as it will be stored, and the provider that is called first. Rejects with errors of the request.
   */
  async function prepare(
    caller: Caller,
    submission: Submission,
  ): Promise<{ readonly video: NewVideo; readonly place: ProviderId }> {
    const catalog = deps.catalog();
    const { model, bindings: named } = resolveModelOf(catalog, parseModelName(submission.body), 'video', caller.policy);
    checkModelAccess(caller.policy, model.id);
    const bindings = allowedBindings(caller.policy, named);
    const request = parseVideoRequest(submission.body, submission.textOnly, model, bindings);
    const { media, webhook, parameters } = await checkUrls(caller, {
      ...request,
      parameters: request.order.parameters,
    });

    // Stored as the caller ordered it: each provider is sent only the parameters that it supports.
    const order = { ...request.order, media, ...(parameters && { parameters }) };
    const needs = needsOf({ ...request, order }, model, caller.mode, publishedMedia.reach);
    const refusesPrice = priceRefusals(caller.policy, 'request', needs.costAt);
    const routes = router.routes(model, bindings, await providers.servedBy(caller), needs, refusesPrice);
    const quoting = routes[0].binding;
    const ignoredParams = ignoredBy(request, model, quoting);
    // The deadline of the slowest provider that may serve it, so that a fallback has enough time.
    const deadlineSeconds = Math.max(
      ...routes.map(({ binding }) => binding.deadlineSeconds ?? model.video.deadlineSeconds),
    );
    const quoted = orderFor(order, model, quoting);
    const quote = quoteVideo(quoted, quoting.price);
    checkAgreed(submission.agreedTotal, quote.total);
    const scenario =
      caller.mode === 'test' || router.isTestProvider(quoting.providerId)
        ? readScenario(submission.scenario, order.prompt, 'video')
        : undefined;
    const bodyHash = await fingerprintOf(submission.body);
    const now = clock.now();

    const video: NewVideo = {
      id: newId('video'),
      orgId: caller.orgId,
      keyId: caller.keyId,
      mode: caller.mode,
      requestId: submission.requestId,
      model: model.id,
      candidates: routes.map(({ binding, credentialId }) => ({
        provider: binding.providerId,
        upstreamModel: binding.modelName,
        ...(credentialId !== undefined && { credentialId }),
      })),
      order,
      // Built-in models change only with a new version; a model of CATALOG_FILE may change before the video is started.
      ...(catalog.isFromFile(model) && { catalogEntry: entryOfVideoModel(model) }),
      request: snapshotSubmission(submission.body),
      ignoredParams,
      ...(scenario === undefined ? {} : { scenario }),
      seconds: String(quoted.seconds),
      size: `${quoted.width}x${quoted.height}`,
      quoteNanoUsd: quote.total,
      quoteLines: presentQuote(quote).lines,
      deadlineAt: new Date(now.getTime() + deadlineSeconds * 1000),
      deadlineSeconds,
      ...(webhook === undefined ? {} : { webhookUrl: webhook }),
      bodyHash,
      createdAt: now,
    };
    return { video, place: routes[0].providerId };
  }

  async function store(caller: Caller, submission: Submission, video: NewVideo, place: string): Promise<Submitted> {
    const { idempotencyKey } = submission;
    const { keyId, bodyHash } = video;
    if (idempotencyKey !== undefined)
      return storeOnce(caller, submission, video, place, slotOf(caller, idempotencyKey));
    // The first request takes this lock too, so that an early automatic retry waits until it is stored.
    const lock = `${keyId} ${bodyHash}`;
    if (!submission.automaticRetry) return insert(db, caller, video, place, { lock });
    return db.inTransaction(async (tx) => {
      await lockText(tx, lock);
      const retried = (await replaysRetries(tx, caller))
        ? await takeRetriedVideo(tx, { keyId, bodyHash, now: video.createdAt })
        : undefined;
      return retried ? answerAgain(retried) : insert(tx, caller, video, place, {});
    });
  }

  /**
   * Stores the video with its Idempotency-Key. If another request had the same key, returns the video of that one, even
   * if it has used up the credits or a limit.
   */
  async function storeOnce(
    caller: Caller,
    submission: Submission,
    video: NewVideo,
    place: string,
    slot: IdempotencySlot,
  ): Promise<Submitted> {
    // Twice: an expired outcome is removed in between, and another request may have taken the key again by then.
    for (let isLast = false; ; isLast = true) {
      try {
        return await insert(db, caller, video, place, { slot });
      } catch (error) {
        if (!isKeyTaken(error) && !isGatewayError(error)) throw error;
        // The other request was stored after our lookup, or more than 24 hours ago.
        const repeated = await findRepeated(db, caller, submission);
        if (repeated) return repeated;
        if (isLast || isGatewayError(error)) throw error;
      }
      await removeExpiredKey(db, slot, keptSince());
    }
  }

  async function insert(
    target: Db | Tx,
    caller: Caller,
    video: NewVideo,
    place: string,
    { slot, lock }: { readonly slot?: IdempotencySlot; readonly lock?: string },
  ): Promise<Submitted> {
    const { id: videoId, orgId, mode, keyId, bodyHash, createdAt: now, requestId } = video;
    refusals.check(nameOf(caller));
    const trace = tracing.origin(requestId);
    const held = ledger.holdWith(
      target,
      {
        account: { orgId, mode },
        keyId,
        amount: video.quoteNanoUsd,
        subject: { kind: 'video', id: videoId },
        maxRunning: limits.runningVideos(caller),
      },
      [
        videoInsert(video),
        queue.insertOf({ kind: 'video.start', videoId, ...(trace !== undefined && { trace }) }, { orgId, mode, place }),
        ...(slot ? [idempotencyInsert(slot, { bodyHash, videoId, now })] : []),
      ],
      lock,
    );
    await held.catch((error: unknown) => {
      if (isGatewayError(error) && error.code === 'concurrency_limit_exceeded') refusals.add(nameOf(caller), error);
      throw error;
    });
    if ('afterCommit' in target) target.afterCommit(() => queue.nudge('video.start'));
    else queue.nudge('video.start');
    return { id: videoId, video: presentSubmitted(video), replayed: false, ignoredParams: video.ignoredParams ?? [] };
  }

  /** Returns the time since which outcomes of an Idempotency-Key are kept. */
  function keptSince(): Date {
    return new Date(clock.nowMs() - KEEP_IDEMPOTENCY_MS);
  }

  /**
   * Returns the outcome of an earlier request with the same key. Called before validation, because the model may have
   * been retired since.
   */
  async function findRepeated(from: Db, caller: Caller, submission: Submission): Promise<Submitted | undefined> {
    if (submission.idempotencyKey === undefined) return undefined;
    const stored = await findIdempotencyKey(from, slotOf(caller, submission.idempotencyKey), keptSince());
    if (!stored) return undefined;
    if (stored.bodyHash !== (await fingerprintOf(submission.body))) {
      throw new GatewayError(
        'idempotency_key_reused',
        'This Idempotency-Key was used with another body within the last 24 hours. Use a new key for a new request.',
      );
    }
    return answerAgain(await findVideo(from, caller, stored.videoId));
  }
}

/** Creates `Videos.recordAnswer`. */
export function createRecordAnswer({ db, log }: { readonly db: Db; readonly log: Log }): Videos['recordAnswer'] {
  return function recordAnswer({ id, replayed }, how) {
    // A delivered response need not be recorded, unless an earlier response to the same submission was cut off.
    if (how === 'finished' && !replayed) return;
    recordAnswerCut(db, id, how === 'closed').catch((error: unknown) =>
      log.warn('the delivery of a response could not be recorded', { videoId: id, error: errorForLog(error) }),
    );
  };
}

/** Returns the name of a caller, because people of all organisations have the same key id, in both modes. */
function nameOf({ orgId, mode, keyId }: Caller): string {
  return `${orgId} ${mode} ${keyId}`;
}

function slotOf({ orgId, mode }: Caller, key: string): IdempotencySlot {
  return { account: { orgId, mode }, route: ROUTE, key };
}

function answerAgain(row: VideoRow | undefined): Submitted {
  if (!row)
    throw new GatewayError(
      'video_not_found',
      'The video of this Idempotency-Key was deleted. Use a new key to make another.',
    );
  return { id: row.id, video: presentSubmitted(row), replayed: true, ignoredParams: row.ignoredParams ?? [] };
}

function tooManySubmissions(): GatewayError {
  return new GatewayError(
    'overloaded',
    'Your organisation submits videos faster than this instance can store them. Try again in a few seconds.',
    { retryAfterSeconds: 2 },
  );
}

/** Throws `price_changed` if the user confirmed another price: the first provider can change in the meantime. */
function checkAgreed(agreed: NanoUsd | undefined, total: NanoUsd): void {
  if (agreed === undefined || agreed === total) return;
  throw new GatewayError(
    'price_changed',
    `The price is now $${usdText(total)}, not $${usdText(agreed)}. Nothing was started; check the new price and send the request again.`,
    {
      details: { total: usdText(total) },
    },
  );
}
