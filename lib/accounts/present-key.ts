import { unixSeconds, periodOf } from '../domain/clock';
import { usdText } from '../domain/money';
import { presentKeyLimits } from '../contract/limits';
import type { KeyRow, KeyWithSpend } from '../db/keys';
import type { KeyJson, SpendLimitJson } from '../contract/keys';
import { presentPolicy } from '../contract/policies';
import { displayKey } from './secrets';

/** Returns the status of a key. `revoked` takes precedence over `expired`, and both over `disabled`. */
export function statusOf(key: KeyRow, now: Date): KeyJson['status'] {
  if (key.revokedAt) return 'revoked';
  if (key.expiresAt && key.expiresAt <= now) return 'expired';
  return key.disabledAt ? 'disabled' : 'active';
}

export function presentKey({ key, project, spent, projectSpent, createdByName }: KeyWithSpend, now: Date): KeyJson {
  return {
    id: key.id,
    object: 'api_key',
    name: key.name,
    mode: key.mode,
    display: displayKey(key.prefix, key.lastFour),
    status: statusOf(key, now),
    scopes: key.scopes,
    project: project && {
      id: project.id,
      name: project.name,
      limit: presentSpendLimit(project, projectSpent, now),
    },
    ...presentPolicy(key),
    limit: presentSpendLimit(key, spent, now),
    limits: key.limits && presentKeyLimits(key.limits),
    created_by: key.createdBy,
    created_by_name: createdByName,
    created_at: unixSeconds(key.createdAt),
    last_used_at: key.lastUsedAt && unixSeconds(key.lastUsedAt),
    expires_at: key.expiresAt && unixSeconds(key.expiresAt),
    rotated_from: key.rotatedFrom,
  };
}

export function presentSpendLimit(
  { limitNanoUsd, limitPeriod }: Pick<KeyRow, 'limitNanoUsd' | 'limitPeriod'>,
  spent: bigint,
  now: Date,
): SpendLimitJson | null {
  if (limitNanoUsd === null || limitPeriod === null) return null;
  const { resetsAt } = periodOf(limitPeriod, now);
  return {
    amount: usdText(limitNanoUsd),
    period: limitPeriod,
    spent: usdText(spent),
    ...(resetsAt ? { resets_at: unixSeconds(resetsAt) } : {}),
  };
}
