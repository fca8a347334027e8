import type { Actor } from '../domain/caller';
import { liesWithinRange, parseRange } from '../domain/address-range';
import { GatewayError } from '../domain/errors';
import { keyLimitNames } from '../domain/limits';
import type { NanoUsd } from '../domain/money';
import { covers } from '../domain/policy';
import { may } from '../domain/roles';
import type { KeyRights } from '../db/keys';

// A key never gets more rights by itself. An actor can give only rights that it has: a key at most its own, and only an
// owner or admin can give the scope "manage", which acts on the whole organisation.

/** Returns the first parameter in which `wanted` exceeds `own`; undefined if there is none. */
export function excessOf(wanted: KeyRights, own: KeyRights): string | undefined {
  if (!wanted.scopes.every((scope) => own.scopes.includes(scope))) return 'scopes';
  if (!isWithin(wanted.allowedModels, own.allowedModels, (model, allowed) => model === allowed))
    return 'allowed_models';
  if (!isWithin(wanted.allowedProviders, own.allowedProviders, (provider, allowed) => provider === allowed))
    return 'allowed_providers';
  if (!isWithin(wanted.allowedRegions, own.allowedRegions, (region, allowed) => region === allowed))
    return 'allowed_regions';
  if (!isWithin(wanted.allowedEndpoints, own.allowedEndpoints, (path, allowed) => covers(allowed, path)))
    return 'allowed_endpoints';
  if (
    !isWithin(wanted.allowedAddresses, own.allowedAddresses, (range, allowed) =>
      liesWithinRange(parseRange(range), parseRange(allowed)),
    )
  )
    return 'allowed_addresses';
  if (!isPriceWithin(wanted.maxRequestNanoUsd, own.maxRequestNanoUsd)) return 'max_price_per_request';
  if (!isPriceWithin(wanted.maxMinuteNanoUsd, own.maxMinuteNanoUsd)) return 'max_price_per_minute';
  // Another project has another budget and another policy.
  if (own.projectId !== null && wanted.projectId !== own.projectId) return 'project';
  // A test key spends no live credits, so a live key's limit does not restrict it.
  if (wanted.mode === own.mode && !isLimitWithin(wanted, own)) return 'limit';
  if (!areLimitsWithin(wanted.limits, own.limits)) return 'limits';
  if (own.expiresAt !== null && (wanted.expiresAt === null || wanted.expiresAt > own.expiresAt)) return 'expires_at';
  return undefined;
}

/** An absent list allows everything. */
function isWithin(
  wanted: readonly string[] | null,
  own: readonly string[] | null,
  covers: (each: string, allowed: string) => boolean,
): boolean {
  if (own === null) return true;
  return wanted !== null && wanted.every((each) => own.some((allowed) => covers(each, allowed)));
}

/** Null: no ceiling. */
function isPriceWithin(wanted: NanoUsd | null, own: NanoUsd | null): boolean {
  return own === null || (wanted !== null && wanted <= own);
}

function isLimitWithin(wanted: KeyRights, own: KeyRights): boolean {
  if (own.limitNanoUsd === null) return true;
  // Limits of different periods cannot be compared: $5 a day is more than $50 a month.
  return (
    wanted.limitNanoUsd !== null && wanted.limitPeriod === own.limitPeriod && wanted.limitNanoUsd <= own.limitNanoUsd
  );
}

/**
 * Whether each limit of `wanted` is at most that of `own`. A limit that `own` does not have is set by the organisation
 * alone.
 */
function areLimitsWithin(wanted: KeyRights['limits'], own: KeyRights['limits']): boolean {
  return keyLimitNames.every((name) => {
    const max = own?.[name];
    return max === undefined || (wanted?.[name] ?? Infinity) <= max;
  });
}

/**
 * Throws `role_required` unless the actor may give these rights to a key. `own` has the rights of the actor's key, if
 * the actor is a key.
 */
export function checkMayGive(actor: Actor, wanted: KeyRights, own: KeyRights | undefined): void {
  if (wanted.scopes.includes('manage') && !may(actor.role, 'manageKeys')) {
    throw new GatewayError(
      'role_required',
      `Only owners and admins may give a key the scope "manage", or change or rotate a key that has it so that it allows more; your role is ${actor.role}. Ask one of them.`,
      { param: 'scopes' },
    );
  }
  const param = own && excessOf(wanted, own);
  if (param === undefined) return;
  throw new GatewayError(
    'role_required',
    `A key can only give rights that it has itself, and ${param} would go beyond them. Stay within the rights of the key that sends the request, or use the console.`,
    { param },
  );
}
