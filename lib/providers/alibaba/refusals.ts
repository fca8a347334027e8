import { textOf } from '../kit/video/answer-fields';
import {
  ACCOUNT_REFUSED,
  moderated,
  NOT_GENERATED,
  REQUEST_REJECTED,
  TIMED_OUT,
  type VideoFailure,
} from '../kit/video/progress';
import { readFields, refusalWith, type VendorRule } from '../kit/video/refusal';

// The errors of the API: `{ code, message, request_id }`, where `code` is a word with parts, such as
// `Throttling.RateQuota`. A failed task has the same two fields.
// Reference: https://www.alibabacloud.com/help/en/model-studio/error-code, 2026.

/** The content was refused, before the work or after it. */
const CONTENT_CODE = /^(DataInspectionFailed|data_inspection_failed|IPInfringementSuspect)$/;

/**
 * Codes of a request that has begun nothing. InternalError, InternalError.Timeout and RequestTimeOut are not among
 * them: they may occur after the work has begun.
 */
export const refusalRules: readonly VendorRule[] = [
  { code: CONTENT_CODE, means: 'policy' },
  { code: 'InvalidApiKey', means: 'auth' },
  // The account may not use the model.
  { code: /^(Model\.AccessDenied|ModelNotFound|Model\.NotFound|model_not_found)$/, means: 'not_found' },
  // The key may also be one of another region or workspace.
  { code: /^(Work[Ss]pace\.)?AccessDenied(\.|$)/, means: 'auth' },
  { code: 'Arrearage', means: 'balance' },
  { code: 'AllocationQuota.FreeTierOnly', means: 'balance' },
  { code: /^Throttling(\.|$)/, means: 'rate' },
  { code: /^Invalid(Parameter|URL|Image|File)/, means: 'invalid' },
  { code: 'ModelUnavailable', means: 'unavailable' },
];

export const readAnswer = readFields(({ code, message }) => {
  const word = textOf(code);
  return word === undefined ? undefined : refusalWith(word, message);
});

const failures: readonly (readonly [code: RegExp, failure: VideoFailure])[] = [
  [CONTENT_CODE, moderated('media')],
  [
    // The second code means that the media could not be downloaded for the inspection of their content.
    /^InvalidURL|^InvalidParameter\.DataInspection$/,
    { code: 'media_unreachable', message: 'The provider could not download the media. Check that they are public.' },
  ],
  [
    /^Invalid(Image|File)/,
    {
      code: 'media_invalid',
      message: 'The provider cannot use the media: the format, size or duration is not supported.',
    },
  ],
  [/^InvalidParameter/, REQUEST_REJECTED],
  [/Timeout$|TimeOut$/, TIMED_OUT],
  [/^(Arrearage|InvalidApiKey|AccessDenied)/, ACCOUNT_REFUSED],
];

/** Returns why a task failed, by its code. */
export function failureOf(code: unknown): VideoFailure {
  return failures.find(([pattern]) => pattern.test(textOf(code) ?? ''))?.[1] ?? NOT_GENERATED;
}
