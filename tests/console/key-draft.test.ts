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

describe('the project in the form of a key', () => {
  test('is sent for a new key if one is chosen', () => {
    const draft = newDraft('test', 'A');
    expect(creationOf(draft, NOW_MS)).not.toHaveProperty('project');
    expect(creationOf({ ...draft, project: 'project_1' }, NOW_MS)).toMatchObject({ project: 'project_1' });
  });

  test('of an existing key is left out until it is changed, because only some may move a key', () => {
    const draft = draftOf(keyJson({ project: { id: 'project_1', name: 'Search', limit: null } }));
    expect(updateOf(draft, NOW_MS)).not.toHaveProperty('project');
    expect(updateOf({ ...draft, project: '' }, NOW_MS)).toMatchObject({ project: null });
    expect(updateOf({ ...draft, project: 'project_2' }, NOW_MS)).toMatchObject({ project: 'project_2' });
    expect(fieldOf('project')).toBe('project');
  });
});

describe('the price ceilings in the form of a key', () => {
  test('are sent as dollars, removed when they are emptied, and shown as restrictions', () => {
    const capped = keyJson({ max_price_per_request: '0.5', max_price_per_minute: '0.01' });
    const draft = draftOf(capped);
    expect(updateOf(draft, NOW_MS)).toMatchObject({ max_price_per_request: '0.5', max_price_per_minute: '0.01' });
    expect(updateOf({ ...draft, maxRequest: ' $2 ', maxMinute: '' }, NOW_MS)).toMatchObject({
      max_price_per_request: '2',
      max_price_per_minute: null,
    });
    expect(creationOf(newDraft('test', 'A'), NOW_MS)).not.toHaveProperty('max_price_per_request');
    expect(restrictionsOf(capped)).toEqual([
      { label: 'Price at most', only: ['$0.50 per request'] },
      { label: 'Transcription at most', only: ['$0.01 per minute'] },
    ]);
    expect([fieldOf('max_price_per_request'), isFurtherField('max_price_per_request')]).toEqual([
      'max_price_per_request',
      true,
    ]);
  });
});
