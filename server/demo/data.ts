import { and, desc, eq, gt, notExists } from 'drizzle-orm';
import { messageCost, usedPrices } from '../../lib/billing/message-cost';
import { createLedger } from '../../lib/billing/ledger';
import { presentQuote, quoteVideo } from '../../lib/billing/quote';
import { costOfCharacters, costOfMillis } from '../../lib/billing/quote-audio';
import type { Database, Tx } from '../../lib/db/database';
import { touchKeys } from '../../lib/db/keys';
import { insertMessageContent } from '../../lib/db/message-contents';
import { insertMessages, messageText } from '../../lib/db/messages';
import { endMeter, insertMeter } from '../../lib/db/meters';
import { creditTransfers, videos, type MessageOutcome, type MeterOutcome } from '../../lib/db/schema/index';
import { eraseVideo, recordChecks, updateUnfinishedVideo } from '../../lib/db/videos';
import { videoInsert } from '../../lib/db/submitted-videos';
import { claimStarts, endAttempt, markSubmitted, storeStarts, type StoredStart } from '../../lib/db/video-starts';
import { listReceivers, type EventReceiver } from '../../lib/db/webhook-endpoints';
import { eraseDeliveries, insertDeliveries, recordAttempt } from '../../lib/db/webhooks';
import type { Account, Actor, Caller } from '../../lib/domain/caller';
import { newId, type KeyId, type VideoId } from '../../lib/domain/ids';
import type { ModelOf } from '../../lib/domain/model';
import { parseUsd, usdText, type NanoUsd, type UnitPrice } from '../../lib/domain/money';
import type { Mode } from '../../lib/domain/video';
import type { Gateway } from '../../lib/gateway';
import { fingerprintOf } from '../../lib/videos/body-fingerprint';
import { createFinishVideo, type VideoEnd } from '../../lib/videos/finish-video';
import { snapshotSubmission } from '../../lib/videos/request-snapshot';
import type { Links } from '../../lib/videos/links';
import { ignoredBy, orderFor, parseVideoRequest } from '../../lib/videos/video-request';
import type { WebhookMessage } from '../../lib/webhooks/schedule-webhooks';
import {
  callbackUrl,
  completedShare,
  conversations,
  endings,
  KEPT_DAYS,
  keyPlans,
  messageModels,
  meterCodes,
  organizationPlans,
  prompts,
  speechModels,
  videoModels,
} from './plan';
import type { DemoClock } from './clock';
import { makeTeam, type DemoTeam } from './team';

// Demo data to develop pages against: a year of finished work, most of it in the last five weeks, written with the
// functions that the product writes it with, and a few videos of this moment that the product itself makes. The books
// balance after it.

export interface DemoDeps {
  readonly db: Database;
  readonly gateway: Gateway;
  readonly links: Links;
  /** The clock that `gateway` was composed with. */
  readonly clock: DemoClock;
  /** The organisation's owner. */
  readonly owner: Actor;
}

/** How many of each were written. */
export interface DemoCounts {
  readonly keys: number;
  readonly videos: number;
  readonly deliveries: number;
  readonly messages: number;
  readonly audio: number;
  /** Besides that of the owner. */
  readonly organizations: number;
}

export interface DemoData {
  readonly counts: DemoCounts;
  /** Undefined: the organisation had members before. */
  readonly team: DemoTeam | undefined;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const DAYS = 35;
/** The days before have less work, for the reports on usage. */
const DAYS_OF_REPORTS = 365;
const DAYS_OF_INVOICE = 30;
/** History ends this long before now, so that the videos of this moment come last. */
const GAP_MS = HOUR_MS;
const POLL_MS = 100;
const START_TIMEOUT_MS = 60_000;
/** What the live account has left at the end. */
const LOW_BALANCE = parseUsd('0.42');

/** A key of the plan, with what spends its credits. */
interface DemoKey {
  readonly id: KeyId;
  readonly mode: Mode;
  /** Works until then. */
  readonly untilMs: number;
  lastUsedMs: number;
}

interface MessageOfPlan {
  readonly id: string;
  readonly model: string;
  readonly outcome: MessageOutcome;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** Writes the demo data. Rejects when the product refuses a part of it; what was written before stays. */
export async function writeDemoData(deps: DemoDeps): Promise<DemoData> {
  const { db, gateway, links, clock, owner } = deps;
  const { log } = gateway;
  const catalog = gateway.catalog();
  const ledger = createLedger({ clock });
  const random = createRandom(20_261_122);
  const nowMs = Date.now();
  const counts = { keys: 0, videos: 0, deliveries: 0, messages: 0, audio: 0, organizations: 0 };
  const run = newId('transfer').slice(-8);
  const finishVideo = createFinishVideo({ ledger, links, clock, log, scheduleWebhooks: writeDeliveries });

  clock.moveTo(nowMs - (DAYS_OF_REPORTS + 1) * DAY_MS);
  await grant('live', '120', 2041);
  await grant('test', '120', 2041);
  const keys = await makeKeys();
  await gateway.organizationSettings.update(owner, { keep_messages_days: KEPT_DAYS });
  for (let day = DAYS_OF_REPORTS; day > DAYS; day -= 1) await writeQuietDay(nowMs - GAP_MS - day * DAY_MS, day);
  await makeEndpoints();
  for (let day = DAYS; day >= 1; day -= 1) await writeDay(nowMs - GAP_MS - day * DAY_MS);
  clock.moveTo(nowMs - GAP_MS / 2);
  await restrictKeys(keys);
  await eraseOldest();
  await refundLatest();
  await lowerBalance();
  await makeOtherOrganizations();
  const team = await makeTeam(
    { db, gateway, clock, owner, nowMs },
    new Map([...keys].map(([name, { id }]) => [name, id])),
  );
  clock.moveTo(undefined);
  await makeVideosOfNow();
  return { counts, team };

  /** Others of the installation, for the pages of its operators. */
  async function makeOtherOrganizations(): Promise<void> {
    const { operator, invitations } = gateway;
    const by = { userId: owner.userId };
    for (const { name, daysAgo, liveCredits, suspendedFor, isJoined } of organizationPlans) {
      clock.moveTo(nowMs - daysAgo * DAY_MS);
      const { id } = await operator.createOrganization({ name }, by);
      if (liveCredits !== undefined)
        await operator.transfer(
          {
            organization: id,
            mode: 'live',
            kind: 'grant',
            amount: liveCredits,
            reference: `demo-${run}-contract`,
            reason: 'Credits of the contract',
          },
          by,
        );
      // After the owner of the demo data, who remains the first of the installation.
      clock.moveTo(undefined);
      if (isJoined) {
        const { link } = await operator.inviteOwner(id, {}, by);
        const email = `owner@${name.toLowerCase().replace(/\W+/g, '-')}-${run}.example`;
        const account = { email, name: `Owner of ${name}`, password: newId('request') };
        await invitations.signUp({ ...account, token: new URL(link).hash.slice(1) }, '127.0.0.1');
      }
      if (suspendedFor !== undefined) await operator.suspend(id, { reason: suspendedFor }, by);
      counts.organizations += 1;
    }
  }

  async function grant(mode: Mode, amount: string, invoice: number): Promise<void> {
    await gateway.creditTransfers.make(owner.orgId, {
      mode,
      kind: 'grant',
      amount: parseUsd(amount),
      reference: `demo-${run}-invoice-${invoice}`,
      reason: `Paid by invoice ${invoice}`,
    });
  }

  async function makeKeys(): Promise<ReadonlyMap<string, DemoKey>> {
    const made = new Map<string, DemoKey>();
    for (const { name, mode, scopes, expiresAfterDays, ...lists } of keyPlans) {
      const untilMs = expiresAfterDays === undefined ? Infinity : clock.nowMs() + expiresAfterDays * DAY_MS;
      const { id } = await gateway.accounts.createKey(owner, {
        name,
        mode,
        scopes,
        ...(lists.allowedModels && { allowed_models: lists.allowedModels }),
        ...(lists.allowedAddresses && { allowed_addresses: lists.allowedAddresses }),
        ...(Number.isFinite(untilMs) && { expires_at: new Date(untilMs).toISOString() }),
      });
      // Safe: it was made just now, and its id is a key's.
      made.set(name, { id: id as KeyId, mode, untilMs, lastUsedMs: 0 });
      counts.keys += 1;
    }
    return made;
  }

  /** Revokes, disables and limits keys after their work, as a person does who looks at the bill. */
  async function restrictKeys(made: ReadonlyMap<string, DemoKey>): Promise<void> {
    await touchKeys(
      db,
      new Map([...made.values()].flatMap((key) => (key.lastUsedMs > 0 ? [[key.id, new Date(key.lastUsedMs)]] : []))),
    );
    for (const { name, limit, end } of keyPlans) {
      const key = made.get(name);
      if (!key) continue;
      if (limit) await gateway.accounts.updateKey(owner, key.id, { limit });
      if (end === 'disabled') await gateway.accounts.updateKey(owner, key.id, { disabled: true });
      if (end === 'revoked') await gateway.accounts.revokeKey(owner, key.id);
    }
  }

  /** The work of 24 hours of the last weeks. */
  async function writeDay(fromMs: number): Promise<void> {
    await writePieces(fromMs, [
      ...times(2 + random.below(4), () => writeVideo),
      ...times(3 + random.below(4), () => writeMessages),
      ...times(2 + random.below(3), () => writeAudio),
    ]);
  }

  /** The work of 24 hours long ago, less of it on weekends, and an invoice every month. */
  async function writeQuietDay(fromMs: number, day: number): Promise<void> {
    clock.moveTo(fromMs);
    if (day % DAYS_OF_INVOICE === 0) {
      await grant('live', '10', 2041 + (DAYS_OF_REPORTS - day));
      await grant('test', '10', 2041 + (DAYS_OF_REPORTS - day));
    }
    const isWeekend = [0, 6].includes(new Date(fromMs).getUTCDay());
    await writePieces(fromMs, [
      ...times(isWeekend ? 1 : 2, () => writeMessages),
      ...times(random.next() < 0.2 ? 1 : 0, () => writeVideo),
      ...times(random.next() < 0.2 ? 1 : 0, () => writeAudio),
    ]);
  }

  /** Writes one piece of work after the other, in some order, within 24 hours. */
  async function writePieces(
    fromMs: number,
    pieces: ((account: Account, keyId: KeyId) => Promise<void>)[],
  ): Promise<void> {
    random.shuffle(pieces);
    const slotMs = DAY_MS / pieces.length;
    for (const [index, write] of pieces.entries()) {
      const usable = [...keys.values()].filter(({ untilMs }) => clock.nowMs() + slotMs < untilMs);
      clock.moveTo(Math.round(fromMs + (index + random.next() / 2) * slotMs));
      const key = random.pick(usable);
      key.lastUsedMs = clock.nowMs();
      await write({ orgId: owner.orgId, mode: key.mode }, key.id);
    }
  }

  async function writeVideo(account: Account, keyId: KeyId): Promise<void> {
    const model = findModel('video', random.pick(videoModels));
    const body = {
      model: model.id,
      prompt: random.pick(prompts),
      seconds: random.pick(model.video.seconds),
      ...(model.video.kind === 'i2v' && { image_url: 'https://images.example/harbour.jpg' }),
      ...(random.next() < 0.15 && { style: 'cinematic' }),
      ...(random.next() < 0.5 && { webhook: callbackUrl }),
    };
    const request = parseVideoRequest(body, false, model, model.bindings);
    const [binding] = model.bindings;
    if (!binding) throw new Error(`${model.id} has no provider.`);
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
        candidates: model.bindings.map(({ providerId, modelName }) => ({
          provider: providerId,
          upstreamModel: modelName,
        })),
        order,
        request: snapshotSubmission(body),
        ignoredParams: ignoredBy(request, binding),
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

      // Where a model has two providers, the first is sometimes overloaded, and the second takes the video.
      const refusals = model.bindings.length > 1 && random.next() < 0.3 ? 1 : 0;
      for (let attempt = 1; attempt <= refusals + 1; attempt += 1) {
        const attempted = model.bindings[attempt - 1] ?? binding;
        clock.moveTo(clock.nowMs() + 40 + random.below(200));
        const startedAt = clock.now();
        const { providerId: provider, modelName: upstreamModel } = attempted;
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
    counts.videos += 1;
  }

  /** The sandbox answers that the file of such a note is gone. */
  function completed(videoId: VideoId, { width, height, fps, seconds }: ReturnType<typeof orderFor>): VideoEnd {
    return {
      status: 'completed',
      video: { file: { videoId, expired: true }, width, height, fps, durationSeconds: seconds, expiresAt: 'kept' },
    };
  }

  /** One that works, one that fails sometimes, and one that is paused. */
  async function makeEndpoints(): Promise<void> {
    const make = (mode: Mode, url: string, description: string, events: readonly string[]) =>
      gateway.webhooks.createEndpoint(owner, mode, { url, description, events });
    await make('live', 'https://hooks.example.com/patchbay', 'Production', ['video.completed', 'video.failed']);
    await make('live', 'https://alerts.example.com/failed-videos', 'Alerts for the team on duty', ['video.failed']);
    const staging = await make('test', 'https://staging.example.com/patchbay', 'Staging', ['video.completed']);
    await gateway.webhooks.updateEndpoint(owner, staging.id, { paused: true });
  }

  async function writeDeliveries(tx: Tx, message: WebhookMessage): Promise<void> {
    const { requestedUrl } = message;
    if (requestedUrl !== null) await writeDelivery(tx, message, { id: null, url: requestedUrl, isPaused: false });
    for (const endpoint of await listReceivers(tx, message, message.event)) await writeDelivery(tx, message, endpoint);
  }

  /** Stores a delivery with its attempts. No job is made for it: it is over, or housekeeping makes one for its next attempt. */
  async function writeDelivery(
    tx: Tx,
    { orgId, mode, videoId, event, body }: WebhookMessage,
    { id: endpointId, url, isPaused }: Omit<EventReceiver, 'id'> & { readonly id: EventReceiver['id'] | null },
  ): Promise<void> {
    const deliveryId = newId('delivery');
    const createdMs = clock.nowMs();
    const delivery = { id: deliveryId, orgId, mode, videoId, event, endpointId, url, body: body() };
    const createdAt = clock.now();
    await insertDeliveries(tx, [
      {
        ...delivery,
        createdAt,
        ...(isPaused ? ({ state: 'disabled', finishedAt: createdAt } as const) : { nextAttemptAt: createdAt }),
      },
    ]);
    counts.deliveries += 1;
    if (isPaused) return;
    const luck = random.next();
    const attempts = luck < 0.6 ? 1 : luck < 0.8 ? 3 : 5;
    const isDelivered = luck < 0.75;
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      const isLast = attempt === attempts;
      const isSuccess = isLast && isDelivered;
      const at = new Date(createdMs + (attempt - 1) ** 2 * 30_000);
      await recordAttempt(
        tx,
        {
          deliveryId,
          attempt,
          at,
          latencyMs: 40 + random.below(400),
          address: '203.0.113.10',
          ...(isSuccess
            ? { status: 200, snippet: 'ok' }
            : random.next() < 0.5
              ? { status: 503, snippet: 'Service Unavailable', error: 'status' }
              : { status: null, error: 'timeout' }),
        },
        {
          state: !isLast ? 'pending' : isDelivered ? 'delivered' : 'failed',
          nextAttemptAt: isLast ? null : at,
          finishedAt: isLast ? at : null,
        },
      );
    }
  }

  /** One to four messages of one hold, as the product charges messages of a key that come at the same time. */
  async function writeMessages(account: Account, keyId: KeyId): Promise<void> {
    const model = findModel('messages', random.pick(messageModels));
    const [binding] = model.bindings;
    if (!binding) throw new Error(`${model.id} has no provider.`);
    const rows = times(1 + random.below(4), () => {
      const isFailed = random.next() < 0.08;
      const isCut = !isFailed && random.next() < 0.06;
      const tokens = {
        input: isFailed ? 0 : 200 + random.below(6_000),
        cacheRead: isFailed || random.next() < 0.6 ? 0 : 1_000 + random.below(20_000),
        cacheWrite5m: 0,
        cacheWrite1h: 0,
        output: isFailed ? 0 : 50 + random.below(1_500),
        webSearches: 0,
      };
      const firstTokenMs = 250 + random.below(1_200);
      const totalMs = firstTokenMs + tokens.output * 12;
      return {
        cost: messageCost(tokens, binding.price),
        row: {
          id: `msg_${newId('request').slice('req_'.length)}`,
          requestId: newId('request'),
          model: model.id,
          provider: isFailed ? null : binding.providerId,
          upstreamModel: isFailed ? null : binding.modelName,
          attempts: [
            {
              provider: binding.providerId,
              upstreamModel: binding.modelName,
              ms: isFailed ? totalMs : firstTokenMs,
              ...(isFailed && { code: 'upstream_overloaded' }),
            },
          ],
          streamed: random.next() < 0.7,
          outcome: isFailed ? ('failed' as const) : isCut ? ('partial' as const) : ('completed' as const),
          code: isFailed ? 'upstream_overloaded' : isCut ? 'caller_left' : null,
          stopReason: isFailed || isCut ? null : 'end_turn',
          inputTokens: tokens.input,
          cacheReadTokens: tokens.cacheRead,
          cacheWrite5mTokens: 0,
          cacheWrite1hTokens: 0,
          outputTokens: tokens.output,
          webSearches: 0,
          estimated: false,
          prices: isFailed ? null : usedPrices(tokens, binding.price),
          firstTokenMs: isFailed ? null : firstTokenMs,
          totalMs,
        },
      };
    });
    const total = rows.reduce((sum, { cost }) => sum + cost, 0n);
    await db.inTransaction(async (tx) => {
      // More than is used, as for an answer of unknown length.
      const holdId = await ledger.hold(tx, {
        account,
        keyId,
        amount: total * 2n,
        subject: { kind: 'message', id: newId('transfer') },
      });
      const createdAt = clock.now().toISOString();
      clock.moveTo(clock.nowMs() + 20_000);
      const chargedAt = clock.now();
      await ledger.renew(tx, { hold: holdId, charged: total }, chargedAt);
      await insertMessages(
        tx,
        { ...account, keyId, holdId, chargedAt },
        rows.map(({ cost, row }) => messageText({ ...row, createdAt, costNanoUsd: cost.toString() })),
      );
    });
    for (const { row } of rows) await writeConversation(row, nowMs - clock.nowMs());
    counts.messages += rows.length;
  }

  /** What was said in a message, if that is still kept. */
  async function writeConversation(
    { id, model, outcome, inputTokens, outputTokens }: MessageOfPlan,
    ageMs: number,
  ): Promise<void> {
    const expiresAt = new Date(nowMs - ageMs + KEPT_DAYS * DAY_MS);
    if (expiresAt.getTime() <= nowMs) return;
    const [question, text] = random.pick(conversations);
    const answer = {
      id,
      type: 'message',
      role: 'assistant',
      model,
      content: [{ type: 'text', text }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: inputTokens, output_tokens: outputTokens },
    };
    await insertMessageContent(db, {
      messageId: id,
      orgId: owner.orgId,
      request: JSON.stringify({ model, max_tokens: 1024, messages: [{ role: 'user', content: question }] }),
      answer: outcome === 'failed' ? null : JSON.stringify(answer),
      expiresAt,
    });
  }

  /** One transcription, or one text that is spoken. */
  async function writeAudio(account: Account, keyId: KeyId): Promise<void> {
    const model = catalog.find(random.pick(speechModels));
    if (model?.capability !== 'stt' && model?.capability !== 'tts') throw new Error('The model is not one of speech.');
    const audioMillis = model.capability === 'stt' ? 5_000 + random.below(600_000) : 0;
    const characters = model.capability === 'tts' ? 40 + random.below(1_500) : 0;
    const luck = random.next();
    const outcome: MeterOutcome =
      luck < 0.8 ? 'done' : luck < 0.87 ? 'cancelled' : luck < 0.91 ? 'budget' : luck < 0.94 ? 'recovered' : 'failed';
    const { provider, unitPrice, full } = priceOf(model, audioMillis, characters);
    const cost = outcome === 'failed' ? 0n : full;
    const id = newId('meter');
    await db.inTransaction(async (tx) => {
      const kind = model.capability === 'stt' ? 'transcription' : 'speech';
      const holdId = await ledger.hold(tx, { account, keyId, amount: full, subject: { kind, id } });
      await insertMeter(tx, {
        id,
        kind,
        ...account,
        keyId,
        sessionId: newId('session'),
        model: model.id,
        provider,
        unitPrice: unitPrice.toString(),
        holdId,
        startedAt: clock.now(),
      });
      const ms = Math.max(audioMillis, 2_000);
      clock.moveTo(clock.nowMs() + ms);
      const attempts =
        kind === 'speech' ? [] : [{ provider, outcome: outcome === 'failed' ? 'lost' : 'served', ms } as const];
      const now = clock.now();
      await ledger.renew(tx, { hold: holdId, charged: cost }, now);
      await endMeter(
        tx,
        { id, provider, audioMillis, characters, accruedNanoUsd: cost },
        {
          costNanoUsd: cost,
          outcome,
          code: meterCodes[outcome],
          ...(outcome !== 'failed' && { firstResultMs: 150 + random.below(900) }),
          attempts,
          now,
        },
      );
    });
    counts.audio += 1;
  }

  function priceOf(
    model: ModelOf<'stt'> | ModelOf<'tts'>,
    audioMillis: number,
    characters: number,
  ): { readonly provider: string; readonly unitPrice: UnitPrice; readonly full: NanoUsd } {
    const [binding] = model.bindings;
    if (!binding) throw new Error(`${model.id} has no provider.`);
    const { providerId: provider, price } = binding;
    return 'perMinute' in price
      ? { provider, unitPrice: price.perMinute, full: costOfMillis(price.perMinute, audioMillis) }
      : { provider, unitPrice: price.perCharacter, full: costOfCharacters(price.perCharacter, characters) };
  }

  /** The first video was deleted by its owner; its charge stays. */
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
          // That of an earlier run.
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

  async function lowerBalance(): Promise<void> {
    const { available } = await ledger.balances(db, { orgId: owner.orgId, mode: 'live' });
    if (available <= LOW_BALANCE) return;
    await gateway.creditTransfers.make(owner.orgId, {
      mode: 'live',
      kind: 'adjust',
      amount: LOW_BALANCE - available,
      reference: `demo-${run}-correction`,
      reason: `Invoice 2041 was booked with $${usdText(available - LOW_BALANCE)} too much`,
    });
  }

  /** A video that can be played, one that stays in progress and one that stays queued, each until its deadline. */
  async function makeVideosOfNow(): Promise<void> {
    const key = [...keys.values()].find(({ mode, untilMs }) => mode === 'test' && untilMs === Infinity);
    if (!key) throw new Error('The plan has no test key that lasts.');
    const caller: Caller = { orgId: owner.orgId, keyId: key.id, mode: 'test', policy: { scopes: ['inference'] } };
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
      counts.videos += 1;
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
      await clock.sleep(POLL_MS);
    }
  }

  function findModel<C extends 'video' | 'messages'>(capability: C, id: string): ModelOf<C> {
    const model = catalog.find(id);
    if (model?.capability !== capability) throw new Error(`${id} is not a ${capability} model.`);
    // Safe: the capability was compared; the compiler cannot narrow by a type parameter.
    return model as ModelOf<C>;
  }
}

function times<T>(count: number, make: () => T): T[] {
  return Array.from({ length: count }, make);
}

/** Numbers that are the same on every run (a linear congruential generator), so that pages look the same on every desk. */
function createRandom(seed: number) {
  let state = seed;
  const next = () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    /** At least 0, below 1. */
    next,
    /** A whole number of at least 0, below `limit`. */
    below,
    pick<T>(list: readonly T[]): T {
      const picked = list[below(list.length)];
      if (picked === undefined) throw new Error('Nothing can be picked from an empty list.');
      return picked;
    },
    shuffle(list: unknown[]): void {
      for (let index = list.length - 1; index > 0; index -= 1) {
        const other = below(index + 1);
        [list[index], list[other]] = [list[other], list[index]];
      }
    },
  };
}
