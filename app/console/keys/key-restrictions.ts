import type { KeyJson } from '../../../lib/contract/keys';
import { keyLimitNames, limitNoun } from '../../../lib/domain/limits';
import { policyRestrictions, type Restriction } from '../components/policy/policy-draft';

/** Returns the restrictions of a key by its own policy and limits; empty if it has none. */
export function restrictionsOf(key: KeyJson): readonly Restriction[] {
  const limits = key.limits ? limitsOf(key.limits) : [];
  return [...policyRestrictions(key), ...(limits.length > 0 ? [{ label: 'At most', only: limits }] : [])];
}

function limitsOf(limits: NonNullable<KeyJson['limits']>): readonly string[] {
  return keyLimitNames.flatMap((name) => {
    const value = limits[name];
    return value === undefined
      ? []
      : [`${typeof value === 'string' ? `$${value}` : value} ${limitNoun(name, Number(value))}`];
  });
}
