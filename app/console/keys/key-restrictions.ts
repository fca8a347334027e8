import type { KeyJson } from '../../../lib/contract/keys';
import { keyLimitNames, limitRules } from '../../../lib/domain/limits';

export interface KeyRestriction {
  readonly label: string;
  readonly only: readonly string[];
}

/** The restrictions of a key; empty if it has none. */
export function restrictionsOf(key: KeyJson): readonly KeyRestriction[] {
  const lists: readonly (readonly [string, readonly string[] | null])[] = [
    ['Only models', key.allowed_models],
    ['Only providers', key.allowed_providers],
    ['Only endpoints', key.allowed_endpoints],
    ['Only from', key.allowed_addresses],
    ['At most', key.limits && limitsOf(key.limits)],
  ];
  return lists.flatMap(([label, only]) => (only === null ? [] : [{ label, only }]));
}

function limitsOf(limits: NonNullable<KeyJson['limits']>): readonly string[] {
  return keyLimitNames.flatMap((name) => {
    const value = limits[name];
    return value === undefined ? [] : [`${typeof value === 'string' ? `$${value}` : value} ${limitRules[name].noun}`];
  });
}
