import { moderated, NOT_GENERATED, type VideoFailure } from '../kit/video/progress';
import { readDetail, type VendorRule } from '../kit/video/refusal';

// The errors of the Dream Machine API: `{ "detail" }` for a request, and `failure_reason` for a generation. Both are
// texts, without a code.

/** Our words for what a text says. */
const MODERATED = 'moderated';
const NO_CREDITS = 'no_credits';

/** All others are judged by their status. */
export const refusalRules: readonly VendorRule[] = [
  { code: MODERATED, means: 'policy' },
  // "Insufficient credits"
  { code: NO_CREDITS, means: 'balance' },
];

export const readAnswer = readDetail((_status, detail) => {
  if (isModeration(detail)) return MODERATED;
  return /insufficient (credits|balance|funds)/i.test(detail) ? NO_CREDITS : undefined;
});

/** Why a generation failed. */
export function failureOf(reason: unknown): VideoFailure {
  return typeof reason === 'string' && isModeration(reason) ? moderated('images') : NOT_GENERATED;
}

const isModeration = (text: string) => /moderat|content polic/i.test(text);
