import { describe, expect, it } from 'vitest';
import { insteadOf, missingSettings, type EnablingSettings } from '../../../lib/domain/provider-settings';

const setting = (name: string, required = false) => ({ name, required });

/** One key, or a pair. */
const pair: EnablingSettings = {
  settings: ['KEY', 'ID', 'SECRET', 'BASE_URL'].map((name) => setting(name)),
  alternatives: [['KEY'], ['ID', 'SECRET']],
};
/** A variable that is always needed, with one of two credentials. */
const project: EnablingSettings = {
  settings: [setting('PROJECT', true), setting('ACCOUNT_FILE'), setting('KEY')],
  alternatives: [['ACCOUNT_FILE'], ['KEY']],
};
/** No alternatives. */
const plain: EnablingSettings = { settings: [setting('KEY', true), setting('SECRET', true), setting('BASE_URL')] };

describe('missingSettings', () => {
  it.each([
    ['one key of two credentials', pair, { KEY: 'k' }],
    ['the pair', pair, { ID: 'i', SECRET: 's' }],
    ['a key, and a part of the pair', pair, { KEY: 'k', ID: 'i' }],
    ['a required variable and a credential', project, { PROJECT: 'p', KEY: 'k' }],
    ['every required variable', plain, { KEY: 'k', SECRET: 's' }],
  ])('is undefined for %s', (_name, definition, settings) => {
    expect(missingSettings(definition, settings)).toBeUndefined();
  });

  it.each([
    ['nothing', pair, {}, 'Set KEY, or ID and SECRET.', false],
    ['a base URL alone', pair, { BASE_URL: 'https://example.com' }, 'Set KEY, or ID and SECRET.', false],
    ['a part of the pair', pair, { ID: 'i' }, 'Set KEY, or ID and SECRET: SECRET is missing.', true],
    [
      'a required variable alone',
      project,
      { PROJECT: 'p' },
      'Set PROJECT and ACCOUNT_FILE, or PROJECT and KEY: ACCOUNT_FILE or KEY is missing.',
      true,
    ],
    [
      'a credential alone',
      project,
      { KEY: 'k' },
      'Set PROJECT and ACCOUNT_FILE, or PROJECT and KEY: PROJECT is missing.',
      true,
    ],
    ['one of two required variables', plain, { SECRET: 's' }, 'Set KEY and SECRET: KEY is missing.', true],
    ['none of two required variables', plain, {}, 'Set KEY and SECRET.', false],
  ])('names every way to enable the provider for %s', (_name, definition, settings, sentence, isPartial) => {
    expect(missingSettings(definition, settings)).toEqual({ sentence, isPartial });
  });
});

describe('insteadOf', () => {
  it('names the other credentials, and nothing for variables that belong to none', () => {
    expect(['KEY', 'ID', 'SECRET', 'BASE_URL'].map((name) => insteadOf(name, pair))).toEqual([
      'ID and SECRET',
      'KEY',
      'KEY',
      undefined,
    ]);
    expect(insteadOf('PROJECT', project)).toBeUndefined();
    expect(insteadOf('KEY', plain)).toBeUndefined();
  });
});
