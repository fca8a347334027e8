import type { NanoUsd, UnitPrice } from '../domain/money';
import type { SttPrice } from '../domain/transcription';

// The cost so far of audio and text that are still arriving, in billionths of a dollar, rounded up.

const UNITS_PER_NANO = 10n ** 9n;
const MILLIS_PER_MINUTE = 60_000n;

/**
 * Returns the price of a minute for one session. It depends on whether the session names its language or has it
 * detected.
 */
export function minutePrice(price: SttPrice, namesLanguage: boolean): UnitPrice {
  return namesLanguage ? price.perMinute : (price.perMinuteDetecting ?? price.perMinute);
}

/** Returns the cost of this many milliseconds, rounded up to a billionth of a dollar. */
export function costOfMillis(perMinute: UnitPrice, millis: number): NanoUsd {
  return dividedUp(perMinute * BigInt(Math.ceil(millis)), MILLIS_PER_MINUTE * UNITS_PER_NANO);
}

/** Returns the cost of a whole minute. */
export function costOfMinute(perMinute: UnitPrice): NanoUsd {
  return costOfMillis(perMinute, Number(MILLIS_PER_MINUTE));
}

/** Returns the largest number of whole milliseconds that costs at most `amount`; Infinity if they cost nothing. */
export function millisFor(perMinute: UnitPrice, amount: NanoUsd): number {
  if (perMinute === 0n) return Infinity;
  return Number((amount * MILLIS_PER_MINUTE * UNITS_PER_NANO) / perMinute);
}

/** Returns the cost of this many characters, rounded up to a billionth of a dollar. */
export function costOfCharacters(perCharacter: UnitPrice, characters: number): NanoUsd {
  return dividedUp(perCharacter * BigInt(characters), UNITS_PER_NANO);
}

const dividedUp = (amount: bigint, by: bigint) => (amount + by - 1n) / by;
