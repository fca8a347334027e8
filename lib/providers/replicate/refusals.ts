import type { JsonAnswer } from '../kit/http/ask-json';
import { textOf } from '../kit/video/answer-fields';
import { moderated, NOT_GENERATED, type VideoFailure } from '../kit/video/progress';
import { readFields, type FieldsAnswer, type VendorRule } from '../kit/video/refusal';

// The errors of the API: `{ title, detail, status }`, without codes; the status of HTTP says what they mean.
// Reference: https://replicate.com/docs/reference/http, 2026.

/** Our code for refused content, which the API reports only in its text. */
const MODERATED = 'MODERATED';

/** Other refusals are judged by their status. */
export const refusalRules: readonly VendorRule[] = [
  { code: MODERATED, means: 'policy' },
  { code: /^service unavailable$/i, means: 'unavailable' },
];

const readRefusal = readFields(({ title, detail }) => {
  const message = textOf(detail) ?? textOf(title);
  if (message === undefined) return undefined;
  return { code: isModerated(message) ? MODERATED : textOf(title), message };
});

export function readAnswer(answer: JsonAnswer): FieldsAnswer {
  const read = readRefusal(answer);
  const { retry_after: pauseSeconds } = read.fields;
  if (!read.refusal || typeof pauseSeconds !== 'number') return read;
  // The body states the pause; a header does so only sometimes.
  return { ...read, headers: { 'retry-after': String(pauseSeconds), ...read.headers } };
}

/** Returns why a prediction failed, judged by its error, which is text for people. */
export function failureOf(error: unknown): VideoFailure {
  if (isModerated(textOf(error) ?? '')) return moderated('images');
  return NOT_GENERATED;
}

function isModerated(text: string): boolean {
  return /\bnsfw\b|flagged as sensitive|content (polic|moderat|safety)/i.test(text);
}
