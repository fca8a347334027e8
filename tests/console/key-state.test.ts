import { describe, expect, test } from 'vitest';
import { filterKeys, notesOf, stateOf } from '../../app/console/keys/key-state';
import { usedPercent } from '../../app/console/components/ui/limit-bar';
import { keyJson as key } from '../support/key-json';

const NOW_MS = 1_800_000_000_000;
const DAY = 86_400;

const limited = (spent: string, amount: string) => key({ limit: { amount, spent, period: 'total' } });

describe('what a limit bar shows', () => {
  test.each([
    ['0', '25', 0],
    ['24.999999999', '25', 99],
    ['25', '25', 100],
    ['26', '25', 100],
    ['0', '0', 100],
    ['0.000000001', '1000000000', 0],
  ])('%s of %s is %i percent, and 100 only when nothing is left', (spent, amount, percent) => {
    expect(usedPercent(spent, amount)).toBe(percent);
  });
});

describe('the state of a key', () => {
  test('is limited once its limit is used up, and not a nano-dollar before', () => {
    expect(stateOf(limited('24.999999999', '25'))).toBe('active');
    expect(stateOf(limited('25', '25'))).toBe('limited');
  });

  test('is limited, too, once the budget of its project is used up', () => {
    const inProject = (spent: string) =>
      key({ project: { id: 'project_1', name: 'Search', limit: { amount: '25', spent, period: 'monthly' } } });
    expect(stateOf(inProject('24.999999999'))).toBe('active');
    expect(stateOf(inProject('25'))).toBe('limited');
  });

  test('is what ended it, not its limit', () => {
    for (const status of ['disabled', 'expired', 'revoked'] as const)
      expect(stateOf({ ...limited('1', '1'), status })).toBe(status);
  });

  test('has a note in its last seven days, and until its first use', () => {
    expect(notesOf(key({ expires_at: NOW_MS / 1000 + 7 * DAY }), NOW_MS)).toEqual([]);
    expect(notesOf(key({ expires_at: NOW_MS / 1000 + 7 * DAY - 1, last_used_at: null }), NOW_MS)).toEqual([
      'expiring',
      'unused',
    ]);
    expect(notesOf(key({ status: 'revoked', last_used_at: null }), NOW_MS)).toEqual([]);
  });
});

describe('the filter of keys', () => {
  const keys = [
    key(),
    key({ id: 'key_2', name: 'Nightly renders', mode: 'live', created_by_name: 'Grace' }),
    key({ id: 'key_3', name: 'Gone', status: 'revoked' }),
  ];
  const named = (filter: Parameters<typeof filterKeys>[1]) => filterKeys(keys, filter, NOW_MS).map(({ name }) => name);

  test('hides revoked keys by default', () => {
    expect(named({ search: '' })).toEqual(['Backend', 'Nightly renders']);
    expect(named({ search: '', status: 'revoked' })).toEqual(['Gone']);
  });

  test('matches every word in the name, the visible part, the id or the creator', () => {
    expect(named({ search: 'renders NIGHT' })).toEqual(['Nightly renders']);
    expect(named({ search: 'grace' })).toEqual(['Nightly renders']);
    expect(named({ search: 'ab3x backend' })).toEqual(['Backend']);
    expect(named({ search: 'backend grace' })).toEqual([]);
    expect(named({ search: '', mode: 'live' })).toEqual(['Nightly renders']);
  });
});
