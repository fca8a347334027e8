import { GatewayError } from '../domain/errors';
import { anyOf } from '../domain/phrases';

/** Reads an integer between `min` and `max`; `fallback` if absent. Throws `unsupported_value` for any other value. */
export function wholeNumberParam<Fallback>(
  query: URLSearchParams,
  param: string,
  min: number,
  max: number,
  fallback: Fallback,
): number | Fallback {
  const text = query.get(param);
  if (text === null || text === '') return fallback;
  const value = /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new GatewayError('unsupported_value', `${param} must be a whole number between ${min} and ${max}.`, {
    param,
    details: { min, max },
  });
}

/**
 * Reads a query parameter that has one of the allowed values; `fallback` if absent, which need not be one of them.
 * Throws `unsupported_value` for any other value.
 */
export function wordParam<Word extends string, Fallback = Word>(
  query: URLSearchParams,
  param: string,
  allowed: readonly Word[],
  fallback: Fallback,
): Word | Fallback {
  const text = query.get(param);
  if (text === null || text === '') return fallback;
  const word = allowed.find((each) => each === text);
  if (word !== undefined) return word;
  throw new GatewayError('unsupported_value', `${param} must be ${anyOf(allowed)}.`, {
    param,
    details: { allowed },
  });
}
