import { fieldsOf } from '../../domain/json';
import { fieldPathOf } from '../kit/video/answer-fields';
import { readFields, type VendorRule } from '../kit/video/refusal';

// The errors of Runway: `{ error, docUrl }`, and for an invalid body also `issues: [{ path, message }]`. They have a
// status but no code.

const NO_CREDITS = 'not_enough_credits';

/**
 * The statuses that refuse a submit, from https://docs.dev.runwayml.com/errors/errors (November 2026); other statuses
 * have their usual meaning. After a 504, Runway may have begun.
 */
export const refusalRules: readonly VendorRule[] = [
  { code: NO_CREDITS, means: 'balance' },
  // "This error is returned when Runway is shedding load."
  { code: 502, means: 'unavailable' },
  { code: 503, means: 'unavailable' },
];

export const readAnswer = readFields(({ error, issues }, { status }) => {
  if (typeof error !== 'string') return undefined;
  // A 400: "You do not have enough credits to run this task."
  const code = /enough credits/i.test(error) ? NO_CREDITS : status;
  return { code, message: [error, ...issueTexts(issues)].join(' ') };
});

/** Returns texts such as `promptImage: Failed to fetch asset.` */
function issueTexts(issues: unknown): string[] {
  if (!Array.isArray(issues)) return [];
  return issues.map(fieldsOf).flatMap(({ path, message }) => {
    if (typeof message !== 'string') return [];
    const field = fieldPathOf(path);
    return [field === '' ? message : `${field}: ${message}`];
  });
}
