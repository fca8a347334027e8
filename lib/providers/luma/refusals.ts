import { moderated, NOT_GENERATED, type VideoFailure } from '../kit/video/progress';
import { readDetail, type VendorRule } from '../kit/video/refusal';

// The errors of Luma: `{ "detail" }` for a request, without a code, and `failure_code` for a generation.

/** Our codes for errors that Luma reports only in the text of `detail`. */
const MODERATED = 'moderated';
const NO_CREDITS = 'no_credits';
const UNAVAILABLE = 'unavailable';

/** Other refusals are judged by their status. */
export const refusalRules: readonly VendorRule[] = [
  { code: MODERATED, means: 'policy' },
  // "Insufficient credits"
  { code: NO_CREDITS, means: 'balance' },
  // For this error, Luma asks clients to repeat the request. It asks so for a 502 too, which is not in this table: a
  // proxy may have sent it after the work has begun.
  { code: UNAVAILABLE, means: 'unavailable' },
];

export const readAnswer = readDetail((status, detail) => {
  if (status === 503) return UNAVAILABLE;
  if (/moderat|content polic/i.test(detail)) return MODERATED;
  return /insufficient (credits|balance|funds)|budget/i.test(detail) ? NO_CREDITS : undefined;
});

const unusableImage: VideoFailure = {
  code: 'media_invalid',
  message: 'The provider cannot use the image. Send another JPEG, PNG or WebP image.',
};

const failures: Readonly<Record<string, VideoFailure>> = {
  content_moderated: moderated('image'),
  // The balance of the account ended while Luma worked; a part may have been charged.
  budget_exhausted: {
    code: 'upstream_auth_failed',
    message: 'The provider stopped because of the account that this installation has there. Tell its operator.',
  },
  image_too_large: { code: 'media_too_large', message: 'The image is larger than the provider takes.' },
  unsupported_format: unusableImage,
  corrupt_input: unusableImage,
  invalid_request: {
    code: 'upstream_rejected',
    message: 'The provider rejected the request as invalid. Change the prompt, the image or the parameters.',
  },
  rate_limited: {
    code: 'generation_failed',
    message: 'The provider had too many videos to make at once. Submit the video again later.',
  },
};

/** Returns why a generation failed. `generation_failed`, `output_not_found` and unknown codes are treated alike. */
export function failureOf(code: unknown): VideoFailure {
  const known = typeof code === 'string' && Object.hasOwn(failures, code) ? failures[code] : undefined;
  return known ?? NOT_GENERATED;
}
