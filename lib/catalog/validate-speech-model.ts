import type { SttModel, TtsModel } from '../domain/model';
import { parseOutputFormat } from './output-format';

// Validates the data of a speech model; see `validate-catalog.ts`.

/**
 * Far above any published price of a minute or of a thousand characters; catches a misplaced decimal point. Dollars ×
 * 10¹⁸.
 */
const HIGHEST_PER_MINUTE = 10n ** 18n;
const HIGHEST_PER_CHARACTER = 10n ** 15n;

const MAX_SESSION_SECONDS = 48 * 3600;

export function sttErrors({ stt, bindings }: SttModel): string[] {
  const errors: string[] = [];
  const expect = (holds: boolean, error: string) => void (holds || errors.push(error));
  expect(stt.encodings.includes('pcm_s16le'), 'pcm_s16le is not among its encodings.');
  expect(
    isAscending(stt.sampleRatesHz) && stt.sampleRatesHz.every((rate) => rate >= 8000 && rate <= 48_000),
    'the sample rates are not ascending from 8000 to 48000.',
  );
  expect(isLanguageList(stt.languages), 'the languages are not sorted two-letter codes.');
  expect(
    'detects' in stt.withoutLanguage || stt.languages.includes(stt.withoutLanguage.assumes),
    'the assumed language is not one of its own.',
  );
  expect(isSessionLength(stt.maxSessionSeconds), 'the session length is not between a minute and two days.');
  for (const { price, providerId } of bindings) {
    const rates = [price.perMinute, price.perMinuteDetecting ?? price.perMinute];
    expect(
      rates.every((rate) => rate > 0n && rate <= HIGHEST_PER_MINUTE),
      `${providerId}: the price of a minute is not between $0 and $1.`,
    );
    expect(price.source !== '', `${providerId}: the price does not say where it comes from.`);
  }
  return errors;
}

export function ttsErrors({ tts, bindings }: TtsModel): string[] {
  const errors: string[] = [];
  const expect = (holds: boolean, error: string) => void (holds || errors.push(error));
  expect(tts.voices.length > 0, 'it names no voice.');
  expect(
    new Set(tts.voices.map(({ name }) => name.toLowerCase())).size === tts.voices.length,
    'two voices have one name.',
  );
  expect(isLanguageList(tts.languages), 'the languages are not sorted two-letter codes.');
  expect(
    tts.formats.includes('pcm_24000') && tts.formats.every((format) => parseOutputFormat(format) !== undefined),
    'the formats are unknown words, or pcm_24000 is missing.',
  );
  expect(
    !tts.speed || (tts.speed.min > 0 && tts.speed.min <= 1 && tts.speed.max >= 1),
    'the range of speed does not hold 1.',
  );
  expect(
    Number.isInteger(tts.maxInputCharacters) && tts.maxInputCharacters > 0,
    'the longest input is not a whole number.',
  );
  expect(isSessionLength(tts.maxSessionSeconds), 'the session length is not between a minute and two days.');
  for (const { price, providerId } of bindings) {
    expect(
      price.perCharacter > 0n && price.perCharacter <= HIGHEST_PER_CHARACTER,
      `${providerId}: the price of a character is not between $0 and $0.001.`,
    );
    expect(price.source !== '', `${providerId}: the price does not say where it comes from.`);
  }
  return errors;
}

const isSessionLength = (seconds: number) =>
  Number.isInteger(seconds) && seconds >= 60 && seconds <= MAX_SESSION_SECONDS;
const isAscending = (numbers: readonly number[]) =>
  numbers.length > 0 && numbers.every((value, index) => Number.isInteger(value) && value > (numbers[index - 1] ?? 0));
const isLanguageList = (codes: readonly string[]) =>
  codes.length > 0 && codes.every((code, index) => /^[a-z]{2}$/.test(code) && code > (codes[index - 1] ?? ''));
