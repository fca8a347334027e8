import type { KeyPolicy } from '../../lib/domain/caller';
import type { PolicyRules } from '../../lib/domain/policy';

/** The policy of a key that its own rules restrict, and those of no other level. */
export function ofKey(rules: PolicyRules): Pick<KeyPolicy, 'levels'> {
  return { levels: [{ level: 'key', rules }] };
}
