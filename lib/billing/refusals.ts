import type { Account } from '../domain/caller';
import { unixSeconds, periodOf, type LimitPeriod } from '../domain/clock';
import { GatewayError } from '../domain/errors';
import { limitSentence } from '../domain/limits';
import { usdText, type NanoUsd } from '../domain/money';
import type { Mode } from '../domain/video';
import type { RunningLimit } from './hold';

// The errors of a hold that the credits, the key's limit or the budget of its project do not allow.

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
      `${need} Another $${details.held} is held by running requests; try again when they have finished. ${howToGetCredits(mode)}`,
      { details, retryAfterSeconds: 30 },
    );
  }
  return new GatewayError('insufficient_credits', `${need} ${howToGetCredits(mode)}`, { details });
}

/** A spend limit as a refusal shows it. */
export interface SpendLimit {
  readonly level: 'key' | 'project';
  /** The name of the project. */
  readonly name?: string | undefined;
  readonly amount: NanoUsd;
  readonly period: LimitPeriod;
  /** In the current period, holds included. */
  readonly spent: NanoUsd;
}

export function spendLimitExceeded(limit: SpendLimit, required: NanoUsd, now: Date): GatewayError {
  const { level, name, amount, period, spent } = limit;
  const { resetsAt } = periodOf(period, now);
  const whose = level === 'key' ? "This key's spend limit" : `The budget of the project “${name ?? ''}”`;
  const what = `${whose} of $${usdText(amount)}${PERIODS[period]} does not leave the $${usdText(required)} that this request needs: $${usdText(spent)} of it is used.`;
  return new GatewayError(
    level === 'key' ? 'key_limit_exceeded' : 'project_limit_exceeded',
    `${what} ${adviceOf(level, resetsAt)}`,
    {
      details: {
        limit: usdText(amount),
        spent: usdText(spent),
        required: usdText(required),
        ...(resetsAt ? { resets_at: unixSeconds(resetsAt) } : {}),
      },
    },
  );
}

const PERIODS: Readonly<Record<LimitPeriod, string>> = {
  total: '',
  daily: ' a day',
  weekly: ' a week',
  monthly: ' a month',
};

function adviceOf(level: SpendLimit['level'], resetsAt: Date | undefined): string {
  const raise = level === 'key' ? 'raise the limit' : 'ask an owner or admin to raise the budget';
  // Periods begin at 00:00 UTC.
  return resetsAt
    ? `It resets on ${resetsAt.toISOString().slice(0, 10)} at 00:00 UTC; wait until then, or ${raise}.`
    : `${raise.charAt(0).toUpperCase()}${raise.slice(1)}, or use another key.`;
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
