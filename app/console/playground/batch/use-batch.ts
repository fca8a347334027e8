'use client';

import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { ConnectionError } from '../../../../lib/client/errors';
import type { Mode } from '../../../../lib/domain/video';
import { send } from '../../console-api';
import { apiPaths } from '../../api-paths';
import type { GalleryVideo } from '../gallery-video';
import { newIdempotencyKey, REPEAT_PRESS_MS } from '../use-submission';
import {
  batchText,
  forgetBatch,
  keepBatch,
  nextRow,
  parseBatch,
  withoutMedia,
  withRow,
  type Batch,
  type BatchRow,
} from './batch';
import type { PlannedVideo } from './batch-plan';

// Submits the videos of a batch one after another, and keeps the batch across reloads.

export interface BatchState {
  readonly batch: Batch | undefined;
  /** Rows are being submitted. */
  readonly isSubmitting: boolean;
  /** Rows are waiting but are not being submitted, because the page was reloaded or the server could not be reached. */
  readonly isInterrupted: boolean;
  submit(videos: readonly PlannedVideo[]): void;
  /** Submits the waiting rows. */
  resume(): void;
  /** Submits one refused row again, or all of them without an argument. */
  retry(row?: BatchRow): void;
  clear(): void;
}

export function useBatch(mode: Mode, onSubmitted: (video: GalleryVideo) => void): BatchState {
  const kept = useSyncExternalStore(
    never,
    () => batchText(mode),
    () => null,
  );
  const begun = useMemo(() => parseBatch(kept), [kept]);
  const [changed, setChanged] = useState<{ readonly batch: Batch | undefined }>();
  const [isSubmitting, setIsSubmitting] = useState(false);
  // The loop reads and writes the batch between two renders.
  const current = useRef<Batch>(undefined);
  const isRunning = useRef(false);
  const isLeft = useRef(false);
  const pressedAt = useRef(-REPEAT_PRESS_MS);
  const batch = changed ? changed.batch : begun;

  useEffect(() => {
    isLeft.current = false;
    return () => {
      isLeft.current = true;
    };
  }, []);

  function store(next: Batch): void {
    current.current = next;
    keepBatch(next);
    setChanged({ batch: next });
  }

  async function run(first: Batch): Promise<void> {
    store(first);
    if (isRunning.current) return;
    isRunning.current = true;
    setIsSubmitting(true);
    try {
      for (;;) {
        const now = current.current;
        const row = now && nextRow(now);
        if (!now || !row || isLeft.current) return;
        if (!(await sendRow(now, row))) return;
      }
    } finally {
      isRunning.current = false;
      setIsSubmitting(false);
    }
  }

  /** Sends a row. Resolves to false if the server could not be reached, so that the other rows must wait. */
  async function sendRow(now: Batch, row: BatchRow): Promise<boolean> {
    const set = (change: Partial<BatchRow>) =>
      current.current && store(withRow(current.current, row.idempotencyKey, change));
    store(withRow({ ...now, sentAt: unixSeconds() }, row.idempotencyKey, { state: 'sending' }));
    try {
      const body = { ...row.body, ...now.media };
      const video = await send<GalleryVideo>('POST', apiPaths.submitVideo(mode, row.price), body, {
        'idempotency-key': row.idempotencyKey,
      });
      set({ state: 'submitted', videoId: video.id });
      onSubmitted({ ...video, prompt: row.prompt });
      return true;
    } catch (error) {
      // The server may have accepted a request that was not answered. Sending it again with the same idempotency key
      // cannot create a second video.
      if (error instanceof ConnectionError) return false;
      set({
        state: 'refused',
        error: error instanceof Error ? error.message : 'The request could not be sent. Try again.',
      });
      return true;
    }
  }

  return {
    batch,
    isSubmitting,
    isInterrupted: !isSubmitting && batch !== undefined && nextRow(batch) !== undefined,
    submit(videos) {
      const isRepeated = performance.now() - pressedAt.current < REPEAT_PRESS_MS;
      pressedAt.current = performance.now();
      if (isRepeated || isRunning.current) return;
      const rows = videos.map(({ modelId, prompt, seed, quote, body: bodyOf }) => ({
        row: { modelId, prompt, ...(seed !== undefined && { seed }), price: quote?.total ?? '0' },
        ...withoutMedia(bodyOf()),
      }));
      void run({
        mode,
        startedAt: unixSeconds(),
        sentAt: unixSeconds(),
        media: rows[0]?.media ?? {},
        rows: rows.map(({ row, body }) => ({ ...row, idempotencyKey: newIdempotencyKey(), state: 'waiting', body })),
      });
    },
    resume() {
      if (batch) void run(batch);
    },
    retry(row) {
      if (!batch) return;
      const rows = batch.rows.map((each): BatchRow => {
        if (each.state !== 'refused' || (row && row.idempotencyKey !== each.idempotencyKey)) return each;
        const { error: _error, ...others } = each;
        return { ...others, state: 'waiting' };
      });
      void run({ ...batch, rows });
    },
    clear() {
      current.current = undefined;
      forgetBatch(mode);
      setChanged({ batch: undefined });
    },
  };
}

const never = () => () => undefined;

const unixSeconds = () => Math.floor(new Date().getTime() / 1000);
