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

// Demo data for developing pages: a year of finished work, most of it in the last five weeks, and a few current videos.
// The history is written with the product's own functions, and the current videos are made by the product itself.
// Afterwards the ledger balances.

/** How many records of each kind were written. */
export interface DemoCounts {
  readonly keys: number;
  readonly videos: number;
  readonly deliveries: number;
  readonly messages: number;
  readonly audio: number;
  /** Without the owner's organisation. */
  readonly organizations: number;
}

export interface DemoData {
  readonly counts: DemoCounts;
  /** Undefined if the organisation already had members. */
  readonly team: DemoTeam | undefined;
}

const DAYS = 35;
/** The days before the last `DAYS` have less work. They fill the usage reports. */
const DAYS_OF_REPORTS = 365;
const DAYS_OF_INVOICE = 30;
/** History ends this long before now, so that the current videos come last. */
const GAP_MS = HOUR_MS;
/** The final balance of the live account. */
const LOW_BALANCE = parseUsd('0.42');

/** A key of the plan and the account that it spends from. */
interface DemoKey {
  readonly id: KeyId;
  readonly mode: Mode;
  /** The key has no work after this time. */
  readonly untilMs: number;
  lastUsedMs: number;
}

/** Writes the demo data. Rejects if the product refuses a part of it; the parts already written stay. */
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

  /** Makes other organisations, for the operators' pages. */
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
            reason: 'Credits under the contract',
          },
          by,
        );
      // Members join now, so that the owner of the demo data remains the first one of the installation.
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
      // Safe: the API has just created it, so it is a key's id.
      made.set(name, { id: id as KeyId, mode, untilMs, lastUsedMs: 0 });
    }
    return made;
  }

  /** Revokes, disables and limits keys after their work is written, as a person does who looks at the bill. */
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

  /** Writes 24 hours of work, as much as on a day of the last weeks. */
  async function writeDay(fromMs: number): Promise<void> {
    await writePieces(fromMs, [
      ...times(2 + random.below(4), () => videos.writeVideo),
      ...times(3 + random.below(4), () => messages.writeMessages),
      ...times(2 + random.below(3), () => audio.writeAudio),
    ]);
  }

  /** Writes 24 hours of the earlier, quieter work: less at weekends, and an invoice every month. */
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

  /** Writes the pieces one after another, in random order, within 24 hours. */
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
