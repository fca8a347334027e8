import { fieldsOf, isObject } from '../../domain/json';
import type { VideoProgress } from '../../domain/video';
import type { JsonAnswer } from '../kit/http/ask-json';
import type { VendorAnswer, VendorRule } from '../kit/video/refusal';

// The errors of fal, in two shapes: a model answers with `detail: [{ loc, msg, type }]`, and the platform with
// `detail: "…"` and `error_type`, which is also the header X-Fal-Error-Type.
// Reference: https://fal.ai/docs/documentation/model-apis/errors and …/request-errors, November 2026.

/** The codes of refused submits; all others are judged by their status. An account without credits is a 403. */
export const submitRules: readonly VendorRule[] = [
  { code: 'content_policy_violation', means: 'policy' },
  { code: 'concurrent_requests_limit', means: 'concurrency' },
  // "No runner could be allocated to handle the request."
  { code: 'runner_scheduling_failure', means: 'unavailable' },
];

type Failed = Extract<VideoProgress, { status: 'failed' }>;
type Failure = Pick<Failed, 'code' | 'message'>;

/** An answer that is no success, with fal's own code and message. */
export function refusalOf({ status, headers, json }: JsonAnswer): VendorAnswer {
  const { detail, error_type: errorType } = fieldsOf(json);
  if (Array.isArray(detail)) {
    const errors = detail.map(fieldsOf);
    // One violation among several errors decides.
    const first = errors.find(({ type }) => type === 'content_policy_violation') ?? errors[0];
    const messages = errors.flatMap(({ msg }) => (typeof msg === 'string' ? [msg] : []));
    return { status, headers, refusal: { code: textOf(first?.type), message: messages.join(' ') } };
  }
  if (typeof detail !== 'string') return { status, headers };
  const code = textOf(errorType) ?? textOf(headers['x-fal-error-type']);
  return { status, headers, refusal: { code, message: detail } };
}

/** Is the error the model's own, and not one of the platform, which may fail to deliver a result that exists? */
export function isOfModel({ json }: JsonAnswer): boolean {
  const { detail } = fieldsOf(json);
  return Array.isArray(detail) && detail.some(isObject);
}

const cancelled: Failure = { code: 'cancelled', message: 'The video was cancelled at the provider.' };
const notMade: Failure = { code: 'generation_failed', message: 'The provider could not make this video.' };
const rejected: Failure = {
  code: 'upstream_rejected',
  message: 'The provider rejected the request as invalid. Change the prompt, the media or the parameters.',
};
const failures: readonly (readonly [code: RegExp, failure: Failure])[] = [
  [
    /^content_policy_violation$/,
    { code: 'content_policy_violation', message: 'The provider rejected the content of this video.' },
  ],
  [
    /^file_download_error$/,
    { code: 'media_unreachable', message: 'The provider could not download the media. Check that they are public.' },
  ],
  [/^file_too_large$/, { code: 'media_too_large', message: 'The media are larger than the provider takes.' }],
  [
    /^(image|video|audio)_|^unsupported_|^face_detection_error$|^archive_|^invalid_archive$/,
    { code: 'media_invalid', message: 'The provider cannot use the media: their format, size or duration is wrong.' },
  ],
  [
    /^(generation|request|startup)_timeout$/,
    { code: 'upstream_timeout', message: 'The provider ran out of time for this video.' },
  ],
  [/^client_(cancelled|disconnected)$/, cancelled],
  [/^no_media_generated$|^downstream_|^internal_|^runner_/, notMade],
];

/** Why a job failed whose result is this error. Codes that are not listed are those of invalid input below 500. */
export function failureOf({ status, refusal }: VendorAnswer): Failure {
  const code = String(refusal?.code ?? '');
  const known = failures.find(([pattern]) => pattern.test(code))?.[1];
  if (known) return known;
  // fal closes the request of a cancelled job with 499.
  if (status === 499) return cancelled;
  return status < 500 ? rejected : notMade;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
