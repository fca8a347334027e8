import { isObject } from '../../domain/json';
import { parseErrorValue } from '../kit/http/upstream-error';
import { readFields, type VendorRule } from '../kit/video/refusal';

// The errors of xAI, in two shapes: `{ "code", "error" }` with texts, and `{ "error": { "message", "type", "code" } }`.
// Most are judged by their status. If the status says too little, xAI's message decides; these are our codes for it.

const MODERATED = 'moderated';
const WRONG_KEY = 'wrong_key';
const NO_CREDITS = 'no_credits';

export const refusalRules: readonly VendorRule[] = [
  // "Generated video rejected by content moderation." is a 400, "Content violates usage guidelines." a 403.
  { code: MODERATED, means: 'policy' },
  // "Incorrect API key provided" may be a 400.
  { code: WRONG_KEY, means: 'auth' },
  // "… has either used all available credits or reached its monthly spending limit" may be a 429.
  { code: NO_CREDITS, means: 'balance' },
  // The gRPC status UNAVAILABLE: the request has not been taken.
  { code: /^the service is currently unavailable$|^(service[-_])?unavailable$/i, means: 'unavailable' },
];

export const readAnswer = readFields((fields) => {
  const { error } = fields;
  if (typeof error !== 'string' && !isObject(error)) return undefined;
  const { code, message = '' } = parseErrorValue(fields);
  return { code: wordOf(message) ?? code, message };
});

export function isModeration(message: string): boolean {
  return /content moderation|content policy|usage guidelines/i.test(message);
}

function wordOf(message: string): string | undefined {
  if (isModeration(message)) return MODERATED;
  if (/incorrect api key/i.test(message)) return WRONG_KEY;
  return /available credits|spending limit/i.test(message) ? NO_CREDITS : undefined;
}
