import { fieldsOf, type Fields } from '../../domain/json';
import { fieldPathOf } from '../kit/video/answer-fields';
import { readFields, type VendorRule } from '../kit/video/refusal';

// The errors of Higgsfield: `{ detail }`, a text or a list of `{ loc, msg, type }`. They have a status but no code.

/** All other statuses have their usual meaning. Whether work may have begun after a 503 is not documented. */
export const refusalRules: readonly VendorRule[] = [
  // Not enough credits.
  { code: 403, means: 'balance' },
];

export const readAnswer = readFields(({ detail }, { status }) => {
  if (typeof detail === 'string') return { code: status, message: detail };
  if (!Array.isArray(detail)) return undefined;
  return { code: status, message: detail.map(fieldsOf).flatMap(problemText).join(' ') };
});

/** Returns texts such as `body.params.model: Input should be 'dop-lite', 'dop-turbo' or 'dop-preview'`. */
function problemText({ loc, msg }: Fields): string[] {
  if (typeof msg !== 'string') return [];
  const field = fieldPathOf(loc);
  return [field === '' ? msg : `${field}: ${msg}`];
}
