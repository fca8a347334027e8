import type { Model } from '../domain/model';
import type { VideoPrice } from '../domain/video';
import { priceText } from '../domain/money';

// What a model costs, in a line: the lowest and the highest price of whoever serves it, for the unit in which such models are
// sold. Prices of different units are never compared.

/** `second`: of the output. `input_and_output_second`: both are billed. `token` and `character`: a million of them. */
export type PriceUnit = 'second' | 'input_and_output_second' | 'clip' | 'token' | 'minute' | 'character';

/** The order in which units are shown. */
export const priceUnits: readonly PriceUnit[] = [
  'second',
  'input_and_output_second',
  'clip',
  'token',
  'minute',
  'character',
];

/** Plain decimal dollars for one unit, or for a million tokens or characters. */
export interface PriceSpan {
  readonly unit: PriceUnit;
  /** Of tokens: those of the input. */
  readonly lowest: string;
  readonly highest: string;
  /** Tokens only: of the output. */
  readonly output?: { readonly lowest: string; readonly highest: string };
}

const MILLION = 1_000_000n;

const videoUnits: Readonly<Record<VideoPrice['per'], PriceUnit>> = {
  output_second: 'second',
  input_plus_output_second: 'input_and_output_second',
  clip: 'clip',
};

/** Undefined for a model that nobody serves. */
export function priceSpan(model: Model): PriceSpan | undefined {
  switch (model.capability) {
    case 'video': {
      const [first] = model.bindings;
      return (
        first && {
          unit: videoUnits[first.price.per],
          ...span(model.bindings.flatMap(({ price }) => price.rates.map(({ usd }) => usd))),
        }
      );
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
