import { readablePassword } from '../../lib/accounts/password';
import { createLedger } from '../../lib/billing/ledger';
import { touchKeys } from '../../lib/db/keys';
import { newId, type KeyId } from '../../lib/domain/ids';
import { parseUsd, usdText } from '../../lib/domain/money';
import type { Mode } from '../../lib/domain/video';
import { createAudio } from './audio';
import { DAY_MS, HOUR_MS } from './clock';
import { createMessages } from './messages';
import { KEPT_DAYS, keyPlans, organizationPlans } from './plan';
import { createRandom, times } from './random';
import { makeTeam, type DemoTeam } from './team';
import { createVideos } from './videos';
import { createWebhooks } from './webhooks';
import type { DemoDeps, DemoWork, WritePiece } from './work';

// Demo data to develop pages against: a year of finished work, most of it in the last five weeks, written with the
// functions that the product writes it with, and a few videos of this moment that the product itself makes. The books
// balance after it.

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

const DAYS = 35;
/** The days before have less work, for the reports on usage. */
const DAYS_OF_REPORTS = 365;
const DAYS_OF_INVOICE = 30;
/** History ends this long before now, so that the videos of this moment come last. */
const GAP_MS = HOUR_MS;
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

/** Writes the demo data. Rejects when the product refuses a part of it; what was written before stays. */
export async function writeDemoData(deps: DemoDeps): Promise<DemoData> {
  const { db, gateway, clock, owner } = deps;
  const nowMs = Date.now();
  const run = newId('transfer').slice(-8);
  const ledger = createLedger({ clock });
  const random = createRandom(20_261_122);
  const work: DemoWork = { ...deps, ledger, random, nowMs, run };
  const webhooks = createWebhooks(work);
  const videos = createVideos(work, webhooks.writeDeliveries);
  const messages = createMessages(work);
  const audio = createAudio(work);
  let organizations = 0;

  clock.moveTo(nowMs - (DAYS_OF_REPORTS + 1) * DAY_MS);
  await grant('live', '120', 2041);
  await grant('test', '120', 2041);
  const keys = await makeKeys();
  await gateway.organizationSettings.update(owner, { keep_messages_days: KEPT_DAYS, keep_speech_days: KEPT_DAYS });
  for (let day = DAYS_OF_REPORTS; day > DAYS; day -= 1) await writeQuietDay(nowMs - GAP_MS - day * DAY_MS, day);
  await webhooks.makeEndpoints();
  for (let day = DAYS; day >= 1; day -= 1) await writeDay(nowMs - GAP_MS - day * DAY_MS);
  clock.moveTo(nowMs - GAP_MS / 2);
  await restrictKeys(keys);
  await videos.eraseOldest();
  await videos.refundLatest();
  await lowerBalance();
  await makeOtherOrganizations();
  const team = await makeTeam(work, new Map([...keys].map(([name, { id }]) => [name, id])));
  clock.moveTo(undefined);
  const testKey = [...keys.values()].find(({ mode, untilMs }) => mode === 'test' && untilMs === Infinity);
  if (!testKey) throw new Error('The plan has no test key that lasts.');
  await videos.makeVideosOfNow(testKey.id);
  const counts: DemoCounts = {
    keys: keys.size,
    videos: videos.count(),
    deliveries: webhooks.count(),
    messages: messages.count(),
    audio: audio.count(),
    organizations,
  };
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
        const account = { email, name: `Owner of ${name}`, password: readablePassword() };
        await invitations.signUp({ ...account, token: new URL(link).hash.slice(1) }, '127.0.0.1');
      }
      if (suspendedFor !== undefined) await operator.suspend(id, { reason: suspendedFor }, by);
      organizations += 1;
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
      ...times(2 + random.below(4), () => videos.writeVideo),
      ...times(3 + random.below(4), () => messages.writeMessages),
      ...times(2 + random.below(3), () => audio.writeAudio),
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
      ...times(isWeekend ? 1 : 2, () => messages.writeMessages),
      ...times(random.next() < 0.2 ? 1 : 0, () => videos.writeVideo),
      ...times(random.next() < 0.2 ? 1 : 0, () => audio.writeAudio),
    ]);
  }

  /** Writes one piece of work after the other, in some order, within 24 hours. */
  async function writePieces(fromMs: number, pieces: WritePiece[]): Promise<void> {
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
}
