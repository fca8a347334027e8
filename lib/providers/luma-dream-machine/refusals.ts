import { moderated, NOT_GENERATED, type VideoFailure } from '../kit/video/progress';
import { readDetail, type VendorRule } from '../kit/video/refusal';

// The errors of the Dream Machine API: `{ "detail" }` for a request, and `failure_reason` for a generation. Both are
// texts, without a code.

/** Our codes for the meaning of a text. */
const MODERATED = 'moderated';
const NO_CREDITS = 'no_credits';

/** Other refusals are judged by their status. */
export const refusalRules: readonly VendorRule[] = [
  { code: MODERATED, means: 'policy' },
  // "Insufficient credits"
  { code: NO_CREDITS, means: 'balance' },
];

export const readAnswer = readDetail((_status, detail) => {
  if (isModeration(detail)) return MODERATED;
  return /insufficient (credits|balance|funds)/i.test(detail) ? NO_CREDITS : undefined;
});

/** Returns why a generation failed. */
export function failureOf(reason: unknown): VideoFailure {
  return typeof reason === 'string' && isModeration(reason) ? moderated('images') : NOT_GENERATED;
}

const isModeration = (text: string) => /moderat|content polic/i.test(text);
