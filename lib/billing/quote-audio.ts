import type { NanoUsd, UnitPrice } from '../domain/money';
import type { SttPrice } from '../domain/transcription';

// What sound and text cost while they are still coming in: whole billionths of a dollar, rounded up.

const UNITS_PER_NANO = 10n ** 9n;
const MILLIS_PER_MINUTE = 60_000n;

/** The price of a minute as it holds for one session, which either names its language or leaves it open. */
export function minutePrice(price: SttPrice, namesLanguage: boolean): UnitPrice {
  return namesLanguage ? price.perMinute : (price.perMinuteDetecting ?? price.perMinute);
}

export function costOfMillis(perMinute: UnitPrice, millis: number): NanoUsd {
  return dividedUp(perMinute * BigInt(Math.ceil(millis)), MILLIS_PER_MINUTE * UNITS_PER_NANO);
}

/** The most milliseconds that cost no more than this, cut down to whole ones. */
export function millisFor(perMinute: UnitPrice, amount: NanoUsd): number {
  return Number((amount * MILLIS_PER_MINUTE * UNITS_PER_NANO) / perMinute);
}

export function costOfCharacters(perCharacter: UnitPrice, characters: number): NanoUsd {
  return dividedUp(perCharacter * BigInt(characters), UNITS_PER_NANO);
}

const dividedUp = (amount: bigint, by: bigint) => (amount + by - 1n) / by;
