import { ACCOUNT_REFUSED, NOT_GENERATED, TIMED_OUT } from '../../kit/video/progress';
import { fieldsOf, isObject, type Fields, type Json } from '../../../domain/json';
import type { VideoProgress } from '../../../domain/video';
import { idOf, textOf } from '../../kit/video/answer-fields';
import { isModerated } from '../../kit/video/google-errors';

// A long-running operation as a poll reports it: `done` with an error, with samples, or with neither if the filter
// withheld the video. Until then it reports no state that could be shown.

type Failure = Omit<Extract<VideoProgress, { status: 'failed' }>, 'bill'>;

export type Operation =
  | { readonly status: 'in_progress' }
  /** `file` is the reference of the file; see `FilesIn`. */
  | { readonly status: 'completed'; readonly file: Json }
  | Failure;

/** Returns references to the files of the samples in an operation's `response`; undefined for one without a file. */
export type FilesIn = (response: Fields) => readonly (Json | undefined)[];

const failed = (code: Failure['code'], message: string): Failure => ({ status: 'failed', code, message });

const MODERATED = failed(
  'content_policy_violation',
  "The provider's content policy blocked the video. Change the prompt or the images.",
);
const NOT_MADE: Failure = { status: 'failed', ...NOT_GENERATED };
const REFUSED_ACCOUNT: Failure = { status: 'failed', ...ACCOUNT_REFUSED };

/**
 * The codes of google.rpc.Code that give a reason. Code 8 (RESOURCE_EXHAUSTED) is not among them: after the request was
 * accepted it means that the service had no capacity, and the account is in order.
 */
const failureByCode: Readonly<Record<number, Failure>> = {
  1: failed('cancelled', 'The video was cancelled at the provider.'),
  3: failed('upstream_rejected', 'The provider rejected the request while it worked. Change the prompt or the images.'),
  4: { status: 'failed', ...TIMED_OUT },
  7: REFUSED_ACCOUNT,
  16: REFUSED_ACCOUNT,
};
const INVALID_ARGUMENT = 3;

/** The provider no longer knows the operation. */
export const LOST = failed('generation_failed', 'The provider no longer knows the video. Try again.');

/**
 * Reads the name of an operation, such as `models/veo-3.1-generate-preview/operations/abc`: a path below the base URL.
 */
export function operationName(json: unknown): string | undefined {
  const name = idOf(fieldsOf(json).name);
  return name !== undefined && /^(?:[\w-][\w.~-]*\/)+[\w-][\w.~-]*$/.test(name) ? name : undefined;
}

/** Reads an operation; undefined if the JSON is none. */
export function readOperation(json: unknown, filesIn: FilesIn): Operation | undefined {
  if (operationName(json) === undefined) return undefined;
  const { done, error, response } = fieldsOf(json);
  if (done !== true) return { status: 'in_progress' };
  if (isObject(error)) return failureOf(error);
  const files = filesIn(fieldsOf(response));
  // Not a failure if the filter withheld only one of several samples. `raiMediaFilteredReasons` is text for people.
  if (files.length === 0) return MODERATED;
  const file = files.find((found) => found !== undefined);
  return file === undefined ? NOT_MADE : { status: 'completed', file };
}

function failureOf({ code, message }: Readonly<Record<string, unknown>>): Failure {
  if (code === INVALID_ARGUMENT && isModerated(textOf(message) ?? '')) return MODERATED;
  return (typeof code === 'number' ? failureByCode[code] : undefined) ?? NOT_MADE;
}
