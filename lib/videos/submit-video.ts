import { checkModelAccess, allowedBindings } from '../accounts/access';
import type { Ledger } from '../billing/ledger';
import { presentQuote, quoteVideo } from '../billing/quote';
import type { CurrentCatalog } from '../catalog/catalog';
import { entryOfVideoModel } from '../catalog/entry-of-model';
import { resolveModelOf } from '../catalog/resolve';
import type { Caller } from '../domain/caller';
import type { Clock } from '../domain/clock';
import { GatewayError } from '../domain/errors';
import { newId } from '../domain/ids';
import { limitSentence } from '../domain/limits';
import { usdText, type NanoUsd } from '../domain/money';
import type { Database, Db, Tx } from '../db/database';
import {
  countRunningVideos,
  findIdempotencyKey,
  findVideo,
  insertVideo,
  lockText,
  replaysRetries,
  takeIdempotencyKey,
  takeRetriedVideo,
  type VideoRow,
} from '../db/videos';
import type { Queue } from '../jobs/queue';
import type { Limits } from '../limits/limits';
import type { ProviderDirectory } from '../routing/provider-directory';
import type { Router } from '../routing/router';
import { fingerprintOf } from './body-fingerprint';
import type { CheckAddresses } from './check-addresses';
import { snapshotSubmission } from './request-snapshot';
import { presentSubmitted } from './present';
import { readScenario } from '../routing/scenario';
import type { Submission, Submitted } from './videos';
import type { PublishedMedia } from './published-media';
import { needsOf } from './video-needs';
import { ignoredBy, orderFor, parseModelName, parseVideoRequest } from './video-request';

// From a request body to a durable job. Job, price, hold and the outcome of an Idempotency-Key are stored in one
// transaction, before the 202 and before any provider is called. A crash after the 202 loses nothing; a crash before it
// costs nothing.

const ROUTE = 'POST /v1/videos';
const KEEP_IDEMPOTENCY_MS = 24 * 3_600_000;

export function createSubmitVideo(deps: {
  db: Database;
  clock: Clock;
  catalog: CurrentCatalog;
  router: Router<'video'>;
  providers: Pick<ProviderDirectory, 'servedBy'>;
  ledger: Ledger;
  limits: Pick<Limits, 'spend' | 'takeBackSpending' | 'runningVideos'>;
  queue: Queue;
  checkAddresses: CheckAddresses;
  publishedMedia: Pick<PublishedMedia, 'reach'>;
}) {
  const { db, clock, router, providers, ledger, limits, queue, checkAddresses, publishedMedia } = deps;

  return async function submitVideo(caller: Caller, submission: Submission): Promise<Submitted> {
    const repeated = await findRepeated(db, caller, submission);
    if (repeated) return repeated;

    const catalog = deps.catalog();
    const { model, bindings: named } = resolveModelOf(catalog, parseModelName(submission.body), 'video', caller.policy);
    checkModelAccess(caller.policy, model.id);
    const bindings = allowedBindings(caller.policy, named);
    const request = parseVideoRequest(submission.body, submission.textOnly, model, bindings);
    const { media, webhook, parameters } = await checkAddresses(caller, {
      ...request,
      parameters: request.order.parameters,
    });

    // Stored as the caller ordered it: each provider gets what it supports of it.
    const order = { ...request.order, media, ...(parameters && { parameters }) };
    const needs = needsOf({ ...request, order }, model, caller.mode, publishedMedia.reach);
    const routes = router.routes(model, bindings, await providers.servedBy(caller), needs);
    const quoting = routes[0].binding;
    const ignoredParams = ignoredBy(request, quoting);
    // The slowest provider that may serve it: a fallback has no less time than it needs.
    const deadlineSeconds = Math.max(
      ...routes.map(({ binding }) => binding.deadlineSeconds ?? model.video.deadlineSeconds),
    );
    const quoted = orderFor(order, model, quoting);
    const quote = quoteVideo(quoted, quoting.price);
    checkAgreed(submission.agreedTotal, quote.total);
    const scenario =
      caller.mode === 'test' || router.isTestProvider(quoting.providerId)
        ? readScenario(submission.scenario, order.prompt)
        : undefined;
    const bodyHash = await fingerprintOf(submission.body);
    const now = clock.now();
    const id = newId('video');

    await limits.spend(caller, quote.total);
    const submit = db.inTransaction(async (tx): Promise<Submitted> => {
      const replayed = await replayWithin(tx, caller, submission, bodyHash, id);
      if (replayed) return replayed;
      await queue.enqueue(
        tx,
        { kind: 'video.start', videoId: id },
        { orgId: caller.orgId, mode: caller.mode, place: routes[0].providerId },
      );
      // The hold locks the account until the end of the transaction, so the count of running videos is exact. What does
      // not need the lock comes before it: an organisation can submit only as fast as its lock is released.
      const holdId = await ledger.hold(tx, {
        account: caller,
        keyId: caller.keyId,
        amount: quote.total,
        subject: { kind: 'video', id },
      });
      await checkRunning(tx, caller);
      const row = await insertVideo(tx, {
        id,
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
        // Our models change only with a new version; one of CATALOG_FILE may be another one when the video is started.
        ...(catalog.isFromFile(model) && { catalogEntry: entryOfVideoModel(model) }),
        request: snapshotSubmission(submission.body),
        ignoredParams,
        ...(scenario === undefined ? {} : { scenario }),
        seconds: String(quoted.seconds),
        size: `${quoted.width}x${quoted.height}`,
        quoteNanoUsd: quote.total,
        quoteLines: presentQuote(quote).lines,
        holdId,
        deadlineAt: new Date(now.getTime() + deadlineSeconds * 1000),
        deadlineSeconds,
        ...(webhook === undefined ? {} : { webhookUrl: webhook }),
        bodyHash,
        createdAt: now,
      });
      return { id, video: presentSubmitted(row), replayed: false, ignoredParams };
    });
    const submitted = await submit.catch((error: unknown) => {
      limits.takeBackSpending(caller, quote.total);
      throw error;
    });
    if (submitted.replayed) limits.takeBackSpending(caller, quote.total);
    return submitted;
  };

  /** Throws `concurrency_limit_exceeded`. */
  async function checkRunning(tx: Tx, caller: Caller): Promise<void> {
    const checks = limits.runningVideos(caller);
    if (checks.length === 0) return;
    const counts = await countRunningVideos(tx, caller, checks);
    const reached = checks.find(({ scope, max }) => counts[scope] >= max);
    if (reached)
      throw new GatewayError('concurrency_limit_exceeded', limitSentence('running_videos', reached.scope, reached.max));
  }

  /**
   * The outcome of an earlier request with the same key. Looked up before validation, because the model may have been
   * retired since.
   */
  async function findRepeated(from: Db, caller: Caller, submission: Submission): Promise<Submitted | undefined> {
    if (submission.idempotencyKey === undefined) return undefined;
    const slot = { account: caller, route: ROUTE, key: submission.idempotencyKey };
    const stored = await findIdempotencyKey(from, slot, new Date(clock.nowMs() - KEEP_IDEMPOTENCY_MS));
    if (!stored) return undefined;
    if (stored.bodyHash !== (await fingerprintOf(submission.body))) {
      throw new GatewayError(
        'idempotency_key_reused',
        'This Idempotency-Key was used with another body within the last 24 hours. Use a new key for a new request.',
      );
    }
    return answerAgain(await findVideo(from, caller, stored.videoId));
  }

  async function replayWithin(
    tx: Tx,
    caller: Caller,
    submission: Submission,
    bodyHash: string,
    id: VideoRow['id'],
  ): Promise<Submitted | undefined> {
    const now = clock.now();
    if (submission.idempotencyKey !== undefined) {
      const slot = { account: caller, route: ROUTE, key: submission.idempotencyKey };
      const since = new Date(now.getTime() - KEEP_IDEMPOTENCY_MS);
      if (await takeIdempotencyKey(tx, slot, { bodyHash, videoId: id, now, since })) return undefined;
      // Another request inserted the key after our lookup. Its transaction is committed, because our insert waited for
      // it.
      return findRepeated(tx, caller, submission);
    }
    // The first request takes this lock too, so that an early automatic retry waits for it.
    await lockText(tx, `${caller.keyId} ${bodyHash}`);
    if (!submission.automaticRetry || !(await replaysRetries(tx, caller))) return undefined;
    const retried = await takeRetriedVideo(tx, { keyId: caller.keyId, bodyHash, now });
    return retried && answerAgain(retried);
  }
}

function answerAgain(row: VideoRow | undefined): Submitted {
  if (!row)
    throw new GatewayError(
      'video_not_found',
      'The video of this Idempotency-Key was deleted. Use a new key to make another.',
    );
  return { id: row.id, video: presentSubmitted(row), replayed: true, ignoredParams: [] };
}

/** The first provider of the route can change between the time a price is shown and the submission. */
function checkAgreed(agreed: NanoUsd | undefined, total: NanoUsd): void {
  if (agreed === undefined || agreed === total) return;
  throw new GatewayError(
    'price_changed',
    `This costs $${usdText(total)} now, and not $${usdText(agreed)}. Nothing was started; look at the new price and send it again.`,
    {
      details: { total: usdText(total) },
    },
  );
}
