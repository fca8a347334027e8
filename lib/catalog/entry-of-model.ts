import type { MessagesRate } from '../domain/messages';
import type { Capability, MessagesModel, Model, SttModel, TtsModel, VideoModel } from '../domain/model';
import { priceText } from '../domain/money';
import type { VideoPrice } from '../domain/video';
import type { MessagesModelEntry } from './messages-entry';
import type { VideoModelEntry, VideoPriceEntry } from './model-entry';
import type { SttModelEntry, TtsModelEntry } from './speech-entry';

// Converts a model back to its entry: plain JSON, with every default explicit. Changes in CATALOG_FILE are applied to
// it, and it is stored with a video whose model may change before the video is started.

interface EntryByCapability {
  readonly video: VideoModelEntry;
  readonly messages: MessagesModelEntry;
  readonly stt: SttModelEntry;
  readonly tts: TtsModelEntry;
}

export type ModelEntry = EntryByCapability[Capability];

/** Returns the entry that results in this model, in the format of a catalog file. */
export function entryOfModel(model: Model): ModelEntry {
  switch (model.capability) {
    case 'video':
      return entryOfVideoModel(model);
    case 'messages':
      return entryOfMessagesModel(model);
    case 'stt':
      return entryOfSttModel(model);
    case 'tts':
      return entryOfTtsModel(model);
  }
}

export function entryOfVideoModel(model: VideoModel): VideoModelEntry {
  const { outputFollowsSource: _follows, ratiosOfTiers: _ratios, ...facts } = model.video;
  const bindings = model.bindings.map(({ stability, price, ...binding }) => ({
    ...binding,
    // A binding without a verified price is always experimental.
    ...(price.verified && { stability }),
    price: entryOfVideoPrice(price),
  }));
  const [first] = bindings;
  if (!first) throw new RangeError(`${model.id} has no binding.`);
  return { ...identityOf(model), ...facts, price: first.price, bindings };
}

function entryOfVideoPrice({ rates, extras, ...price }: VideoPrice): VideoPriceEntry {
  return {
    ...price,
    rates: rates.map((rate) => ({ ...rate, usd: priceText(rate.usd) })),
    ...(extras && { extras: extras.map((extra) => ({ ...extra, usd: priceText(extra.usd) })) }),
  };
}

function entryOfMessagesModel(model: MessagesModel): MessagesModelEntry {
  return {
    ...identityOf(model),
    inputModalities: model.inputModalities,
    facts: model.messages,
    bindings: model.bindings.map(({ stability: _derived, price, ...binding }) => {
      const [{ fromInputTokens: _zero, ...first }, ...longer] = price.tiers;
      return {
        ...binding,
        price: {
          ...entryOfRate(first),
          ...(longer.length > 0 && {
            longer: longer.map(({ fromInputTokens, ...rate }) => ({ fromInputTokens, ...entryOfRate(rate) })),
          }),
          ...(price.webSearch !== undefined && { webSearch: priceText(price.webSearch) }),
          source: price.source,
          verified: price.verified,
        },
      };
    }),
  };
}

function entryOfRate({ input, output, cacheRead, cacheWrite5m, cacheWrite1h }: Omit<MessagesRate, 'fromInputTokens'>) {
  return {
    input: perMillion(input),
    output: perMillion(output),
    ...(cacheRead !== undefined && { cacheRead: perMillion(cacheRead) }),
    ...(cacheWrite5m !== undefined && { cacheWrite5m: perMillion(cacheWrite5m) }),
    ...(cacheWrite1h !== undefined && { cacheWrite1h: perMillion(cacheWrite1h) }),
  };
}

function entryOfSttModel(model: SttModel): SttModelEntry {
  return {
    ...identityOf(model),
    facts: model.stt,
    bindings: model.bindings.map(
      ({ stability: _derived, price: { perMinute, perMinuteDetecting, ...price }, ...binding }) => ({
        ...binding,
        price: {
          ...price,
          perMinute: priceText(perMinute),
          ...(perMinuteDetecting !== undefined && { perMinuteDetecting: priceText(perMinuteDetecting) }),
        },
      }),
    ),
  };
}

function entryOfTtsModel(model: TtsModel): TtsModelEntry {
  return {
    ...identityOf(model),
    facts: model.tts,
    bindings: model.bindings.map(({ stability: _derived, price: { perCharacter, ...price }, ...binding }) => ({
      ...binding,
      price: { ...price, perMillionCharacters: perMillion(perCharacter) },
    })),
  };
}

function identityOf(model: Model) {
  const { id, name, aliases, created, description, family, stability, deprecatedAt, deactivatedAt, replacements } =
    model;
  return {
    id,
    name,
    aliases,
    created,
    description,
    family,
    ...(model.bindings.some(({ price }) => price.verified) && { stability }),
    ...(deprecatedAt !== undefined && { deprecatedAt }),
    ...(deactivatedAt !== undefined && { deactivatedAt }),
    ...(replacements && { replacements }),
  };
}

const perMillion = (price: bigint) => priceText(price * 1_000_000n);
