import { and, desc, eq, gt, notExists } from 'drizzle-orm';
import { presentQuote, quoteVideo } from '../../lib/billing/quote';
import { creditTransfers, videos } from '../../lib/db/schema/index';
import { videoInsert } from '../../lib/db/submitted-videos';
import { claimStarts, endAttempt, markSubmitted, storeStarts, type StoredStart } from '../../lib/db/video-starts';
import { eraseVideo, recordChecks, updateUnfinishedVideo } from '../../lib/db/videos';
import { eraseDeliveries } from '../../lib/db/webhooks';
import type { Account, Caller } from '../../lib/domain/caller';
import { newId, type KeyId, type VideoId } from '../../lib/domain/ids';
import { createFinishVideo, type VideoEnd } from '../../lib/videos/finish-video';
import { snapshotSubmission, fingerprintOf } from '../../lib/videos/submitted-body';
import { ignoredBy, orderFor, parseVideoRequest } from '../../lib/videos/video-request';
import type { ScheduleWebhooks } from '../../lib/webhooks/schedule-webhooks';
import { HOUR_MS } from './clock';
import { callbackUrl, completedShare, endings, prompts, videoModels } from './plan';
import { findModel, servingProvider, type DemoWork } from './work';

/** The lifetime of a finished file at a provider. */
const FILE_LIFETIME_MS = HOUR_MS / 2;
const POLL_INTERVAL_MS = 100;
const START_TIMEOUT_MS = 60_000;

/** Writes finished videos of the past, and lets the product make current ones. */
export function createVideos(work: DemoWork, scheduleWebhooks: ScheduleWebhooks) {
  const { db, gateway, links, clock, owner, ledger, random, run } = work;
  const finishVideo = createFinishVideo({ ledger, links, clock, log: gateway.log, scheduleWebhooks });
  let count = 0;
  return { writeVideo, eraseOldest, refundLatest, makeVideosOfNow, count: () => count };

  async function writeVideo(account: Account, keyId: KeyId): Promise<void> {
    const model = findModel(work, 'video', random.pick(videoModels));
    const body = {
      model: model.id,
      prompt: random.pick(prompts),
      seconds: random.pick(model.video.seconds),
      ...(model.video.kind === 'i2v' && { image_url: 'https://images.example/harbour.jpg' }),
      ...(random.next() < 0.15 && { style: 'cinematic' }),
      ...(random.next() < 0.5 && { webhook: callbackUrl }),
    };
    // In test mode the sandbox answers for the first provider, and there is no second one.
    const bindings = account.mode === 'test' ? model.bindings.slice(0, 1) : model.bindings;
    const [binding] = bindings;
    if (!binding) throw new Error(`${model.id} has no provider.`);
    const request = parseVideoRequest(body, false, model, bindings);
    const order = orderFor(request.order, model, binding);
    const quote = quoteVideo(order, binding.price);
    const bodyHash = await fingerprintOf(body);
    const end = random.next() < completedShare ? undefined : random.pick(endings);
    const id = newId('video');
    await db.inTransaction(async (tx) => {
      const submittedMs = clock.nowMs();
      const video = videoInsert({
        id,
        ...account,
        keyId,
        requestId: newId('request'),
        model: model.id,
        candidates: bindings.map(({ providerId, modelName }) => ({
          provider: providerId,
          upstreamModel: modelName,
        })),
        order,
        request: snapshotSubmission(body),
        ignoredParams: ignoredBy(request, model, binding),
        seconds: String(order.seconds),
        size: `${order.width}x${order.height}`,
        quoteNanoUsd: quote.total,
        quoteLines: presentQuote(quote).lines,
        deadlineAt: new Date(submittedMs + model.video.deadlineSeconds * 1000),
        deadlineSeconds: model.video.deadlineSeconds,
        ...(request.webhook !== undefined && { webhookUrl: request.webhook }),
        bodyHash,
        createdAt: clock.now(),
      });
      await ledger.holdWith(tx, { account, keyId, amount: quote.total, subject: { kind: 'video', id } }, [video]);

      // If a model has two providers, the first is sometimes overloaded and the second takes the video.
      const refusals = bindings.length > 1 && random.next() < 0.3 ? 1 : 0;
      for (let attempt = 1; attempt <= refusals + 1; attempt += 1) {
        const attempted = bindings[attempt - 1] ?? binding;
        clock.moveTo(clock.nowMs() + 40 + random.below(200));
        const startedAt = clock.now();
        const provider = servingProvider(account.mode, attempted);
        const { modelName: upstreamModel } = attempted;
        await claimStarts(tx, [{ id, attempt, provider, upstreamModel, credentialId: null, at: startedAt }]);
        const sent = snapshotSubmission({ model: upstreamModel, prompt: order.prompt, duration: order.seconds });
        await markSubmitted(tx, [{ id, attempt, submittedAt: startedAt, sent: JSON.stringify(sent) }]);
        clock.moveTo(clock.nowMs() + 300 + random.below(900));
        if (attempt <= refusals)
          await endAttempt(tx, id, attempt, { outcome: 'failed', endedAt: clock.now(), code: 'overloaded' });
      }
      const jobId = `job_${id.slice(-12)}`;
      const start: StoredStart = {
        id,
        attempt: refusals + 1,
        receipt: JSON.stringify({ videoId: id }),
        acceptedAt: clock.now(),
        deadlineAt: new Date(clock.nowMs() + model.video.deadlineSeconds * 1000),
        providerJobId: jobId,
      };
      await storeStarts(tx, [start], []);
      clock.moveTo(clock.nowMs() + 2_000 + random.below(8_000));
      await updateUnfinishedVideo(tx, id, { status: 'in_progress', inProgressAt: clock.now() });
      const checks = 2 + random.below(8);
      for (let check = 0; check < checks; check += 1) {
        clock.moveTo(clock.nowMs() + 5_000 + random.below(10_000));
        await recordChecks(tx, [{ id, isCounted: false }], clock.now());
      }
      if (end?.code === 'upstream_timeout') clock.moveTo(clock.nowMs() + model.video.deadlineSeconds * 1000);
      await finishVideo(tx, id, end ? { status: 'failed', ...end } : completed(id, order));
    });
    count += 1;
  }

  /**
   * Returns the end of a completed video whose file has expired: the sandbox reports a receipt with `expired` as
   * expired, and other providers have deleted theirs.
   */
  function completed(videoId: VideoId, { width, height, fps, seconds }: ReturnType<typeof orderFor>): VideoEnd {
    const expiresAt = new Date(clock.nowMs() + FILE_LIFETIME_MS);
    return {
      status: 'completed',
      video: { file: { videoId, expired: true }, width, height, fps, durationSeconds: seconds, expiresAt },
    };
  }

  /** Erases the first video, as if its owner had deleted it; its charge stays. */
  async function eraseOldest(): Promise<void> {
    const [oldest] = await db.orm
      .select({ id: videos.id })
      .from(videos)
      .where(eq(videos.orgId, owner.orgId))
      .orderBy(videos.createdAt)
      .limit(1);
    if (!oldest) return;
    await db.inTransaction(async (tx) => {
      await eraseVideo(tx, oldest.id, clock.now());
      await eraseDeliveries(tx, oldest.id, clock.now());
    });
  }

  async function refundLatest(): Promise<void> {
    const [latest] = await db.orm
      .select({ id: videos.id, cost: videos.costNanoUsd })
      .from(videos)
      .where(
        and(
          eq(videos.orgId, owner.orgId),
          eq(videos.mode, 'live'),
          gt(videos.costNanoUsd, 0n),
          // Excludes videos that an earlier run refunded.
          notExists(db.orm.select().from(creditTransfers).where(eq(creditTransfers.subject, videos.id))),
        ),
      )
      .orderBy(desc(videos.createdAt))
      .limit(1);
    if (!latest || latest.cost === null) return;
    await gateway.creditTransfers.make(owner.orgId, {
      mode: 'live',
      kind: 'refund',
      amount: latest.cost,
      reference: `demo-${run}-ticket`,
      reason: 'The video showed the wrong boat',
      subject: latest.id,
    });
  }

  /**
   * Makes current videos with a test key: one that can be played, one in progress and one queued. The last two stay so
   * until their deadlines.
   */
  async function makeVideosOfNow(keyId: KeyId): Promise<void> {
    const caller: Caller = { orgId: owner.orgId, keyId, mode: 'test', policy: { scopes: ['inference'] } };
    for (const [status, scenario] of [
      ['completed', undefined],
      ['in_progress', 'hang'],
      ['queued', 'ratelimit:1000'],
    ] as const) {
      const { id } = await gateway.videos.submit(caller, {
        body: { model: 'sandbox-t2v', prompt: prompts[0], seconds: 2, size: '640x360', webhook: callbackUrl },
        textOnly: false,
        requestId: newId('request'),
        automaticRetry: false,
        ...(scenario !== undefined && { scenario }),
      });
      count += 1;
      if (status !== 'queued') await untilStatus(id, status);
    }
  }

  async function untilStatus(id: VideoId, wanted: 'completed' | 'in_progress'): Promise<void> {
    const endMs = clock.nowMs() + START_TIMEOUT_MS;
    for (;;) {
      const [row] = await db.orm.select({ status: videos.status }).from(videos).where(eq(videos.id, id));
      if (row?.status === wanted) return;
      if (row?.status === 'failed' || clock.nowMs() > endMs)
        throw new Error(`The sandbox did not bring a video to ${wanted}: it is ${row?.status ?? 'gone'}.`);
      await clock.sleep(POLL_INTERVAL_MS);
    }
  }
}
