import { describe, expect, test } from 'vitest';
import { creationOf, draftOf, fieldOf, isFurtherField, newDraft, updateOf } from '../../app/console/keys/key-draft';
import { restrictionsOf } from '../../app/console/keys/key-restrictions';
import { keyJson } from '../support/key-json';

const NOW_MS = 1_800_000_000_000;

const key = keyJson({
  limits: { requests_per_second: 50, spend_per_minute: '2.5' },
  created_by: null,
  created_by_name: null,
  last_used_at: null,
});

describe('the limits in the form of a key', () => {
  test('are sent as numbers, and dollars as text; empty fields are left out', () => {
    const draft = { ...newDraft('test', 'A'), limits: { requests_per_second: ' 50 ', spend_per_minute: '$2.50' } };
    expect(creationOf(draft, NOW_MS).limits).toEqual({ requests_per_second: 50, spend_per_minute: '2.50' });
    expect(creationOf({ ...draft, limits: { open_streams: ' ' } }, NOW_MS).limits).toBeNull();
  });

  test('of an existing key are unchanged when it is saved, and removed when they are emptied', () => {
    const draft = draftOf(key);
    expect(updateOf(draft, NOW_MS).limits).toEqual(key.limits);
    expect(updateOf({ ...draft, limits: { ...draft.limits, requests_per_second: '' } }, NOW_MS).limits).toEqual({
      spend_per_minute: '2.5',
    });
  });

  test('that are no numbers are sent as they are, and the error is shown at their field', () => {
    const draft = { ...newDraft('test', 'A'), limits: { open_streams: 'many' } };
    expect(creationOf(draft, NOW_MS).limits).toEqual({ open_streams: 'many' });
    expect([fieldOf('limits.open_streams'), isFurtherField('limits.open_streams')]).toEqual([
      'limits.open_streams',
      true,
    ]);
  });

  test('are among the restrictions of the key', () => {
    expect(restrictionsOf(key)).toEqual([
      { label: 'At most', only: ['50 requests per second', '$2.5 of spending per minute'] },
    ]);
  });
});
