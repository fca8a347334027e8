import type { PriceSpan, PriceUnit } from '../contract/models';
import type { Model } from '../domain/model';
import type { VideoPrice } from '../domain/video';
import { priceText } from '../domain/money';

// The price range of a model in one line: the lowest and the highest price over its bindings, in the usual unit of such
// models. Prices of different units are never compared.

/** The display order of the units. */
export const priceUnits: readonly PriceUnit[] = [
  'second',
  'input_and_output_second',
  'clip',
  'token',
  'minute',
  'character',
];

const MILLION = 1_000_000n;

const videoUnits: Readonly<Record<VideoPrice['per'], PriceUnit>> = {
  output_second: 'second',
  input_plus_output_second: 'input_and_output_second',
  clip: 'clip',
};

/** Returns the price range; undefined for a model without bindings. */
export function priceSpan(model: Model): PriceSpan | undefined {
  switch (model.capability) {
    case 'video': {
      const [first] = model.bindings;
      if (!first) return undefined;
      const rates = model.bindings.flatMap(({ price }) => price.rates.map((rate) => ({ per: price.per, ...rate })));
      // An operator's catalog may state a different unit for every rate of the first binding.
      const [lead = rates[0]] = rates.filter((rate) => rate.per === first.price.per);
      if (!lead) return undefined;
      const ofUnit = rates.filter((rate) => rate.per === lead.per);
      return { unit: videoUnits[lead.per], ...span(ofUnit.map(({ usd }) => usd)) };
    }
    case 'messages': {
      if (model.bindings.length === 0) return undefined;
      const tiers = model.bindings.flatMap(({ price }) => price.tiers);
      return {
        unit: 'token',
        ...span(tiers.map(({ input }) => input * MILLION)),
        output: span(tiers.map(({ output }) => output * MILLION)),
      };
    }
    case 'stt':
      return model.bindings.length === 0
        ? undefined
        : {
            unit: 'minute',
            ...span(
              model.bindings.flatMap(({ price }) => [
                price.perMinute,
                ...(price.perMinuteDetecting === undefined ? [] : [price.perMinuteDetecting]),
              ]),
            ),
          };
    case 'tts':
      return model.bindings.length === 0
        ? undefined
        : { unit: 'character', ...span(model.bindings.map(({ price }) => price.perCharacter * MILLION)) };
  }
}

function span(prices: readonly bigint[]): { lowest: string; highest: string } {
  const sorted = prices.toSorted((one, other) => (one < other ? -1 : one > other ? 1 : 0));
  return { lowest: priceText(sorted[0] ?? 0n), highest: priceText(sorted.at(-1) ?? 0n) };
}
