import { fieldsOf, isObject } from '../../domain/json';
import type { JsonAnswer } from '../kit/http/ask-json';
import { textOf } from '../kit/video/answer-fields';
import { CANCELLED, NOT_GENERATED, REQUEST_REJECTED, TIMED_OUT, type VideoFailure } from '../kit/video/progress';
import { readFields, type FieldsAnswer, type VendorAnswer, type VendorRule } from '../kit/video/refusal';

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

const readRefusal = readFields(({ detail, error_type: errorType }, { headers }) => {
  if (Array.isArray(detail)) {
    const errors = detail.map(fieldsOf);
    // Among several errors, a violation of the content policy counts first.
    const first = errors.find(({ type }) => type === 'content_policy_violation') ?? errors[0];
    const messages = errors.flatMap(({ msg }) => (typeof msg === 'string' ? [msg] : []));
    return { code: textOf(first?.type), message: messages.join(' ') };
  }
  if (typeof detail !== 'string') return undefined;
  return { code: textOf(errorType) ?? textOf(headers['x-fal-error-type']), message: detail };
});

export interface FalAnswer extends FieldsAnswer {
  /** Whether the body is JSON; false for an empty body and for the page of a proxy. */
  readonly isJson: boolean;
}

export function readAnswer(answer: JsonAnswer): FalAnswer {
  return { ...readRefusal(answer), isJson: answer.json !== undefined };
}

/** Returns whether an error is the model's own. The platform's errors may occur although a result exists. */
export function isOfModel({ fields: { detail } }: FieldsAnswer): boolean {
  return Array.isArray(detail) && detail.some(isObject);
}

const failures: readonly (readonly [code: RegExp, failure: VideoFailure])[] = [
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
    {
      code: 'media_invalid',
      message: 'The provider cannot use the media: the format, size or duration is not supported.',
    },
  ],
  [/^(generation|request|startup)_timeout$/, TIMED_OUT],
  [/^client_(cancelled|disconnected)$/, CANCELLED],
  [/^no_media_generated$|^downstream_|^internal_|^runner_/, NOT_GENERATED],
];

/** Returns why a job failed whose result is this error. An unlisted code with a status below 500 is invalid input. */
export function failureOf({ status, refusal }: VendorAnswer): VideoFailure {
  const code = String(refusal?.code ?? '');
  const known = failures.find(([pattern]) => pattern.test(code))?.[1];
  if (known) return known;
  // fal closes the request of a cancelled job with 499.
  if (status === 499) return CANCELLED;
  return status < 500 ? REQUEST_REJECTED : NOT_GENERATED;
}
