import { GatewayError } from '../domain/errors';
import type { VideoFacts } from '../domain/video';
import { allowedSeconds } from './allowed-seconds';
import { shown } from '../domain/phrases';
import { parseWholeNumber } from './whole-number';

// The duration of a video is never clamped silently, because the price is fixed from it. Also runs in the browser.

/** The facts of a model that determine durations. */
export type SecondsFacts = Pick<VideoFacts, 'seconds' | 'defaultSeconds' | 'rules'>;

export interface SecondsContext {
  readonly modelId: string;
  /** The order's tier: some tiers allow only some durations. */
  readonly resolution: string;
  /** Edits: the stated duration of the source, in milliseconds. */
  readonly inputMillis?: number;
}

/**
 * The output's duration in whole seconds, from 5 or "5". Without a value: the model's default, or for an edit the
 * source's duration, rounded up and clamped to the allowed range. Rejects with `invalid_type`, or `unsupported_value`
 * with `details.allowed`.
 */
export function checkSeconds(facts: SecondsFacts, value: unknown, context: SecondsContext): number {
  const allowed = allowedSeconds(facts, context.resolution);
  if (value === undefined || value === null) return defaultSeconds(facts, allowed, context);
  if (typeof value !== 'number' && typeof value !== 'string') {
    throw new GatewayError('invalid_type', `seconds must be a whole number, such as 5 or "5"; got ${shown(value)}.`, {
      param: 'seconds',
    });
  }
  const seconds = parseWholeNumber(value);
  if (seconds !== undefined && allowed.includes(seconds)) return seconds;
  const range = rangeWords(allowed);
  const whole = seconds === undefined && !range.startsWith('one of') ? 'a whole number ' : '';
  const tier = allowed.length < facts.seconds.length ? ` at ${context.resolution}` : '';
  const got = seconds ?? shown(value);
  throw new GatewayError(
    'unsupported_value',
    `seconds must be ${whole}${range} for ${context.modelId}${tier}; got ${got}.`,
    {
      param: 'seconds',
      details: { allowed: allowed.map(String) },
    },
  );
}

function defaultSeconds(facts: SecondsFacts, allowed: readonly number[], context: SecondsContext): number {
  const wanted = facts.defaultSeconds ?? Math.ceil((context.inputMillis ?? 0) / 1000);
  const seconds = allowed.find((length) => length >= wanted) ?? allowed.at(-1);
  if (seconds === undefined)
    throw new RangeError(`The rules of ${context.modelId} leave no length at ${context.resolution}.`);
  return seconds;
}

/** `between 3 and 15`, `one of 4, 6, 8`, or `5`. */
export function rangeWords(allowed: readonly number[]): string {
  const [first] = allowed;
  const last = allowed.at(-1);
  if (allowed.length === 1 || first === undefined || last === undefined) return allowed.join('');
  if (allowed.length > 2 && last - first === allowed.length - 1) return `between ${first} and ${last}`;
  return `one of ${allowed.join(', ')}`;
}
