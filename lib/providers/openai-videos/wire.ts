import { fieldsOf, isObject } from '../../domain/json';
import type { VideoProgress } from '../../domain/video';
import type { JsonAnswer } from '../kit/http/ask-json';
import { idOf, measureOf, textOf } from '../kit/video/answer-fields';
import { moderated, NOT_GENERATED } from '../kit/video/progress';
import type { VendorAnswer, VendorRule } from '../kit/video/refusal';

// The objects of the OpenAI Videos API: a video, and `{"error": {"message", "type", "param", "code"}}`.

/** A video as a poll reports it. */
export interface WireVideo {
  readonly id: string;
  readonly status: string;
  /** The code of a failure; empty if the server names none. */
  readonly errorCode: string;
  readonly width?: number;
  readonly height?: number;
  readonly fps?: number;
  readonly durationSeconds?: number;
  /** The time at which the file expires, in Unix seconds. */
  readonly expiresAt?: number;
}

/** Reads a video; undefined if the answer is not one. */
export function readVideo(json: unknown): WireVideo | undefined {
  const { id: wireId, status, error, size, seconds, width, height, fps, duration_seconds, expires_at } = fieldsOf(json);
  const id = idOf(wireId);
  if (id === undefined || typeof status !== 'string') return undefined;
  // `size` and `seconds` are those of the request; some servers also state the real values of the file.
  const [, sizeWidth, sizeHeight] = /^(\d{1,5})x(\d{1,5})$/.exec(textOf(size) ?? '') ?? [];
  const known = {
    width: measureOf(width ?? Number(sizeWidth)),
    height: measureOf(height ?? Number(sizeHeight)),
    fps: measureOf(fps),
    durationSeconds: measureOf(duration_seconds ?? Number(textOf(seconds) ?? measureOf(seconds))),
    expiresAt: measureOf(expires_at),
  };
  return {
    id,
    status,
    errorCode: idOf(fieldsOf(error).code) ?? '',
    ...(known.width !== undefined && { width: known.width }),
    ...(known.height !== undefined && { height: known.height }),
    ...(known.fps !== undefined && { fps: known.fps }),
    ...(known.durationSeconds !== undefined && { durationSeconds: known.durationSeconds }),
    ...(known.expiresAt !== undefined && { expiresAt: known.expiresAt }),
  };
}

export function failureOf({ errorCode }: WireVideo): VideoProgress {
  if (POLICY.test(errorCode)) return { status: 'failed', ...moderated('image') };
  return { status: 'failed', ...NOT_GENERATED };
}

const POLICY = /moderation|content_policy|content_filter/;

/**
 * The codes that say more than their status: those of OpenAI (`moderation_blocked`, `insufficient_quota`), and those of
 * a server that is Patchbay itself.
 */
export const refusalRules: readonly VendorRule[] = [
  { code: POLICY, means: 'policy' },
  { code: 'insufficient_quota', means: 'balance' },
  { code: 'billing_hard_limit_reached', means: 'balance' },
  { code: 'insufficient_credits', means: 'balance' },
  { code: 'model_not_found', means: 'not_found' },
  { code: 'concurrency_limit_exceeded', means: 'concurrency' },
  // Patchbay answers with these codes before it has accepted the video.
  { code: 'no_provider_available', means: 'unavailable' },
  { code: 'overloaded', means: 'unavailable' },
];

/** Converts an answer to the form that the kit interprets. */
export function vendorAnswer({ status, headers, json }: JsonAnswer): VendorAnswer {
  const { error } = fieldsOf(json);
  if (!isObject(error)) return { status, headers };
  const { code, type, message } = error;
  return {
    status,
    headers,
    refusal: {
      code: idOf(code) ?? textOf(type) ?? '',
      ...(typeof message === 'string' && { message }),
    },
  };
}
