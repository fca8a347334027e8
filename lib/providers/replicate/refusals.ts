import { fieldsOf } from '../../domain/json';
import type { VideoProgress } from '../../domain/video';
import type { JsonAnswer } from '../kit/http/ask-json';
import type { VendorAnswer, VendorRule } from '../kit/video/refusal';

// The errors of the API: `{ title, detail, status }`, without codes; the status of HTTP says what they mean.
// Reference: https://replicate.com/docs/reference/http, 2026.

/** Our word for refused content, which the API tells only by its text. */
const MODERATED = 'MODERATED';

/** All other refusals are judged by their status. */
export const refusalRules: readonly VendorRule[] = [
  { code: MODERATED, means: 'policy' },
  { code: /^service unavailable$/i, means: 'unavailable' },
];

type Failed = Extract<VideoProgress, { status: 'failed' }>;
type Failure = Pick<Failed, 'code' | 'message'>;

/** An answer that is no success. */
export function refusalOf({ status, headers, json }: JsonAnswer): VendorAnswer {
  const { title, detail, retry_after: pauseSeconds } = fieldsOf(json);
  if (typeof title !== 'string' && typeof detail !== 'string') return { status, headers };
  const message = String(detail ?? title);
  return {
    status,
    // The pause is in the body, and not always in a header.
    headers: { ...(typeof pauseSeconds === 'number' && { 'retry-after': String(pauseSeconds) }), ...headers },
    refusal: { code: isModerated(message) ? MODERATED : typeof title === 'string' ? title : undefined, message },
  };
}

/** Why a prediction failed; its error is text for people. */
export function failureOf(error: unknown): Failure {
  if (isModerated(String(error)))
    return {
      code: 'content_policy_violation',
      message: 'The provider refused the content of this video. Change the prompt or the images.',
    };
  return { code: 'generation_failed', message: 'The provider could not make this video.' };
}

function isModerated(text: string): boolean {
  return /\bnsfw\b|flagged as sensitive|content (polic|moderat|safety)/i.test(text);
}
