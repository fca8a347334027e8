import { costOfCharacters, costOfMillis } from '../../lib/billing/quote-audio';
import { insertContent } from '../../lib/db/kept-contents';
import { endMeter, insertMeter } from '../../lib/db/meters';
import type { MeterOutcome } from '../../lib/db/schema/index';
import type { Account } from '../../lib/domain/caller';
import { newId, type KeyId, type MeterId } from '../../lib/domain/ids';
import type { ModelOf } from '../../lib/domain/model';
import type { NanoUsd, UnitPrice } from '../../lib/domain/money';
import type { Mode } from '../../lib/domain/video';
import { DAY_MS } from './clock';
import { KEPT_DAYS, meterCodes, speechModels, speechTexts } from './plan';
import { servingProvider, type DemoWork } from './work';

/** Writes transcriptions and spoken texts. */
export function createAudio({ db, gateway, clock, owner, ledger, random, nowMs }: DemoWork) {
  let count = 0;
  return { writeAudio, count: () => count };

  /** Writes one transcription or one spoken text. */
  async function writeAudio(account: Account, keyId: KeyId): Promise<void> {
    const model = gateway.catalog().find(random.pick(speechModels));
    if (model?.capability !== 'stt' && model?.capability !== 'tts') throw new Error('The model is not a speech model.');
    const audioMillis = model.capability === 'stt' ? 5_000 + random.below(600_000) : 0;
    const characters = model.capability === 'tts' ? 40 + random.below(1_500) : 0;
    const luck = random.next();
    const outcome: MeterOutcome =
      luck < 0.8 ? 'done' : luck < 0.87 ? 'cancelled' : luck < 0.91 ? 'budget' : luck < 0.94 ? 'recovered' : 'failed';
    const { provider, unitPrice, full } = priceOf(model, account.mode, audioMillis, characters);
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
    await writeText(id, model.capability, outcome);
    count += 1;
  }

  /** Writes the text of the session, if it would still be kept. */
  async function writeText(id: MeterId, capability: 'stt' | 'tts', outcome: MeterOutcome): Promise<void> {
    const expiresAt = new Date(clock.nowMs() + KEPT_DAYS * DAY_MS);
    if (expiresAt.getTime() <= nowMs) return;
    const text = random.pick(speechTexts);
    const isHeard = capability === 'stt' && outcome !== 'failed';
    await insertContent(db, 'session', owner.orgId, id, {
      request: capability === 'tts' ? text : null,
      answer: isHeard ? text : null,
      expiresAt,
    });
  }
}

function priceOf(
  model: ModelOf<'stt'> | ModelOf<'tts'>,
  mode: Mode,
  audioMillis: number,
  characters: number,
): { readonly provider: string; readonly unitPrice: UnitPrice; readonly full: NanoUsd } {
  const [binding] = model.bindings;
  if (!binding) throw new Error(`${model.id} has no provider.`);
  const { price } = binding;
  const provider = servingProvider(mode, binding);
  return 'perMinute' in price
    ? { provider, unitPrice: price.perMinute, full: costOfMillis(price.perMinute, audioMillis) }
    : { provider, unitPrice: price.perCharacter, full: costOfCharacters(price.perCharacter, characters) };
}
