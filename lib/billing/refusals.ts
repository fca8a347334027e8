import type { Account } from '../domain/caller';
import { GatewayError } from '../domain/errors';
import { limitSentence } from '../domain/limits';
import { usdText, type NanoUsd } from '../domain/money';
import type { Mode } from '../domain/video';
import type { LimitPeriod } from '../db/schema/accounts';
import type { RunningLimit } from './hold';
import { periodOf } from './key-period';

// The errors of a hold that the credits or the key's limit do not allow.

/** `available` and `held` are the account's balances without the hold that was refused. */
export function insufficientCredits(
  { mode }: Account,
  required: NanoUsd,
  { available, held }: { readonly available: NanoUsd; readonly held: NanoUsd },
): GatewayError {
  const details = { required: usdText(required), available: usdText(available), held: usdText(held) };
  const need = `This request needs $${details.required}, and $${details.available} of the ${mode} credits are available.`;
  if (available + held >= required) {
    return new GatewayError(
      'credits_held_by_running_jobs',
      `${need} Another $${details.held} is held by running jobs; try again when they have finished. ${howToGetCredits(mode)}`,
      { details, retryAfterSeconds: 30 },
    );
  }
  return new GatewayError('insufficient_credits', `${need} ${howToGetCredits(mode)}`, { details });
}

export function keyLimitExceeded(
  limit: { readonly amount: NanoUsd; readonly period: LimitPeriod },
  required: NanoUsd,
  now: Date,
): GatewayError {
  const { resetsAt } = periodOf(limit.period, now);
  return new GatewayError(
    'key_limit_exceeded',
    `This key's spend limit of $${usdText(limit.amount)} does not leave the $${usdText(required)} that this request needs. ${resetsAt ? 'Wait for the limit to reset, or raise it.' : 'Raise the limit or use another key.'}`,
    {
      details: {
        limit: usdText(limit.amount),
        required: usdText(required),
        ...(resetsAt ? { resets_at: Math.floor(resetsAt.getTime() / 1000) } : {}),
      },
    },
  );
}

export function runningLimitReached({ scope, max }: RunningLimit): GatewayError {
  return new GatewayError('concurrency_limit_exceeded', limitSentence('running_videos', scope, max));
}

/** What to do when the credits of a mode run out, as a sentence. */
export function howToGetCredits(mode: Mode): string {
  return mode === 'test'
    ? 'Test credits are free: refill them in the console, on the overview.'
    : 'For more credits, ask the operator of this installation.';
}
