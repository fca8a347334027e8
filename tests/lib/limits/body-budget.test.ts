import { describe, expect, it } from 'vitest';
import type { GatewayError } from '../../../lib/domain/errors';
import { createBodyBudget, MIB, type BodyShare } from '../../../lib/limits/body-budget';

function grow(share: BodyShare, mebibytes: number): string {
  try {
    share.grow(mebibytes * MIB);
    return 'taken';
  } catch (error) {
    return (error as GatewayError).code;
  }
}
const ofOrganization = (max: number, name = 'a') => [{ scope: 'organization' as const, name, max }];

describe('the budget of request bodies', () => {
  it('refuses a body above the limit of its organisation with 429, and lets others pass', () => {
    const budget = createBodyBudget(100 * MIB);
    const first = budget.open('live', ofOrganization(10));
    expect([grow(first, 6), budget.used('a')]).toEqual(['taken', 6 * MIB]);
    expect(grow(budget.open('live', ofOrganization(10)), 6)).toBe('concurrency_limit_exceeded');
    expect(grow(budget.open('live', ofOrganization(10, 'b')), 6)).toBe('taken');
    first.release();
    first.release();
    expect([budget.used('a'), grow(budget.open('live', ofOrganization(10)), 6)]).toEqual([0, 'taken']);
  });

  it('refuses as overloaded above what the process may hold, test bodies at half of it', () => {
    const budget = createBodyBudget(10 * MIB);
    expect(grow(budget.open('live', []), 4)).toBe('taken');
    expect(grow(budget.open('test', []), 2)).toBe('overloaded');
    expect(grow(budget.open('live', []), 5)).toBe('taken');
    expect(grow(budget.open('live', []), 2)).toBe('overloaded');
  });

  it('takes a single body that is larger than the limit, and nothing beside it', () => {
    const budget = createBodyBudget(100 * MIB);
    const large = budget.open('live', ofOrganization(10));
    expect([grow(large, 8), grow(large, 30)]).toEqual(['taken', 'taken']);
    expect(grow(budget.open('live', ofOrganization(10)), 1)).toBe('concurrency_limit_exceeded');
  });

  it('gives back what a refused body had taken', () => {
    const budget = createBodyBudget(100 * MIB);
    budget.open('live', ofOrganization(10)).grow(5 * MIB);
    const refused = budget.open('live', ofOrganization(10));
    expect([grow(refused, 4), grow(refused, 6), budget.used('a')]).toEqual([
      'taken',
      'concurrency_limit_exceeded',
      5 * MIB,
    ]);
  });
});
