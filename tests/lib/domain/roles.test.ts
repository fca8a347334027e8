import { describe, expect, it } from 'vitest';
import { isClosed, mayChange, type Standing } from '../../../lib/domain/roles';

const developer: Standing = { role: 'developer', orgSuspended: false };

describe('what a person may change', () => {
  it('is what the role may do, in an organisation that is open', () => {
    expect(isClosed(developer)).toBe(false);
    expect(mayChange(developer, 'edit')).toBe(true);
    expect(mayChange(developer, 'members')).toBe(false);
  });

  it.each([
    ['suspended', { orgSuspended: true }],
    ['being deleted', { orgDeletesAtMs: 1_800_000_000_000 }],
  ])('is nothing in an organisation that is %s, for any role', (_state, change) => {
    const owner = { ...developer, ...change, role: 'owner' as const };
    expect(isClosed(owner)).toBe(true);
    expect(mayChange(owner, 'edit')).toBe(false);
    expect(mayChange(owner, 'owners')).toBe(false);
  });
});
