import type { SttModel, TtsModel } from '../domain/model';
import { createChecks, type FieldIssue } from './catalog-issue';
import { parseOutputFormat } from './output-format';
import { expectPrice, priceBounds } from './price-bounds';

// Validates the data of a speech model; see `validate-catalog.ts`.

const MAX_SESSION_SECONDS = 48 * 3600;

export function sttIssues({ stt, bindings }: SttModel): readonly FieldIssue[] {
  const { issues, expect } = createChecks();
  expect(stt.encodings.includes('pcm_s16le'), ['facts', 'encodings'], 'pcm_s16le is not among its encodings.');
  expect(
    isAscending(stt.sampleRatesHz) && stt.sampleRatesHz.every((rate) => rate >= 8000 && rate <= 48_000),
    ['facts', 'sampleRatesHz'],
    'the sample rates are not ascending from 8000 to 48000.',
  );
  expect(isLanguageList(stt.languages), ['facts', 'languages'], 'the languages are not sorted two-letter codes.');
  expect(
    'detects' in stt.withoutLanguage || stt.languages.includes(stt.withoutLanguage.assumes),
    ['facts', 'withoutLanguage'],
    'the assumed language is not one of its own.',
  );
  expect(
    isSessionLength(stt.maxSessionSeconds),
    ['facts', 'maxSessionSeconds'],
    'the session length is not between a minute and two days.',
  );
  for (const [index, { price, providerId }] of bindings.entries()) {
    const at = ['bindings', index, 'price'];
    for (const field of ['perMinute', 'perMinuteDetecting'] as const) {
      const perMinute = price[field];
      if (perMinute !== undefined)
        expectPrice(expect, [...at, field], priceBounds.minute, perMinute, `${providerId}: `);
    }
    expect(price.source !== '', [...at, 'source'], `${providerId}: the price does not say where it comes from.`);
  }
  return issues;
}

export function ttsIssues({ tts, bindings }: TtsModel): readonly FieldIssue[] {
  const { issues, expect } = createChecks();
  expect(tts.voices.length > 0, ['facts', 'voices'], 'it names no voice.');
  expect(
    new Set(tts.voices.map(({ name }) => name.toLowerCase())).size === tts.voices.length,
    ['facts', 'voices'],
    'two voices have one name.',
  );
  expect(isLanguageList(tts.languages), ['facts', 'languages'], 'the languages are not sorted two-letter codes.');
  expect(
    tts.formats.includes('pcm_24000') && tts.formats.every((format) => parseOutputFormat(format) !== undefined),
    ['facts', 'formats'],
    'the formats are unknown words, or pcm_24000 is missing.',
  );
  expect(
    !tts.speed || (tts.speed.min > 0 && tts.speed.min <= 1 && tts.speed.max >= 1),
    ['facts', 'speed'],
    'the range of speed does not hold 1.',
  );
  expect(
    Number.isInteger(tts.maxInputCharacters) && tts.maxInputCharacters > 0,
    ['facts', 'maxInputCharacters'],
    'the longest input is not a whole number.',
  );
  expect(
    isSessionLength(tts.maxSessionSeconds),
    ['facts', 'maxSessionSeconds'],
    'the session length is not between a minute and two days.',
  );
  for (const [index, { price, providerId }] of bindings.entries()) {
    const at = ['bindings', index, 'price'];
    expectPrice(expect, [...at, 'perMillionCharacters'], priceBounds.characters, price.perCharacter, `${providerId}: `);
    expect(price.source !== '', [...at, 'source'], `${providerId}: the price does not say where it comes from.`);
  }
  return issues;
}

const isSessionLength = (seconds: number) =>
  Number.isInteger(seconds) && seconds >= 60 && seconds <= MAX_SESSION_SECONDS;
const isAscending = (numbers: readonly number[]) =>
  numbers.length > 0 && numbers.every((value, index) => Number.isInteger(value) && value > (numbers[index - 1] ?? 0));
const isLanguageList = (codes: readonly string[]) =>
  codes.length > 0 && codes.every((code, index) => /^[a-z]{2}$/.test(code) && code > (codes[index - 1] ?? ''));
