'use client';

import { useRef, useState } from 'react';
import type { Mode } from '../../../lib/domain/video';
import { ApiError } from '../../../lib/client/errors';
import { send } from '../console-api';
import { apiPaths } from '../api-paths';
import type { FieldError } from '../components/video-form/estimate';
import type { RequestBody } from '../components/video-form/form-request';
import type { GalleryVideo } from './gallery-video';

/** A press of the button within this time after the previous one belongs to the same submission. */
export const REPEAT_PRESS_MS = 1_000;

export interface Submission {
  readonly busy: boolean;
  /** The server's error, until the form changes. */
  readonly error: FieldError | undefined;
  clearError(): void;
  /** Resolves to the new video; undefined if it was refused or another submission is in progress. */
  submit(body: RequestBody, price: string | undefined): Promise<GalleryVideo | undefined>;
}

/**
 * Sends a request once, even if the button is pressed repeatedly: the browser sends one request at a time, and the
 * server accepts one per idempotency key.
 */
export function useSubmission(mode: Mode): Submission {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<FieldError>();
  const isSending = useRef(false);
  const pressedAt = useRef(0);

  return {
    busy,
    error,
    clearError: () => setError(undefined),
    async submit(body, price) {
      pressedAt.current = performance.now();
      if (isSending.current) return undefined;
      isSending.current = true;
      setBusy(true);
      setError(undefined);
      try {
        return await send<GalleryVideo>('POST', apiPaths.submitVideo(mode, price), body, {
          'idempotency-key': newIdempotencyKey(),
        });
      } catch (error) {
        const param = error instanceof ApiError ? error.param : undefined;
        setError({
          ...(param !== undefined && { param }),
          message: error instanceof Error ? error.message : 'The request could not be sent. Try again.',
        });
        return undefined;
      } finally {
        afterLastPress(pressedAt, () => {
          isSending.current = false;
          setBusy(false);
        });
      }
    },
  };
}

/** Calls `run` once there was no press for REPEAT_PRESS_MS. */
function afterLastPress(pressedAt: { readonly current: number }, run: () => void): void {
  const restMs = pressedAt.current + REPEAT_PRESS_MS - performance.now();
  if (restMs > 0) window.setTimeout(() => afterLastPress(pressedAt, run), restMs);
  else run();
}

/** Returns a random idempotency key. Does not use `randomUUID`, which browsers offer only in secure contexts. */
export function newIdempotencyKey(): string {
  return `console-${Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
