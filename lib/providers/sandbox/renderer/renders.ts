import { rm } from 'node:fs/promises';
import type { Clock } from '../../../domain/clock';
import { errorForLog, isGatewayError } from '../../../domain/errors';
import type { ErrorCode } from '../../../domain/errors';
import type { VideoId } from '../../../domain/ids';
import type { Log } from '../../../domain/log';
import type { MediaSource } from '../../../domain/provider';
import type { VideoOrder } from '../../../domain/video';
import type { StartWorker } from '../../../workers';
import type { FailureCode, RenderAnswer, TaskMedia } from './task';
import type { JobFolders, StoredJob } from '../job-folder';
import { takeRenderLock } from './render-lock';
import { createRenderPool } from './render-pool';

// The videos that this process renders, and their order. The queue contains only ids. The work itself is on disk, so a
// video that is lost here is found by the next check, in any process.

const mostWaiting = 1_000;
/** A thread that ends without an answer may have hit a temporary problem (no memory), so it is tried once more. */
const mostAttempts = 2;

interface Renders {
  /** Requests that the video is rendered. Safe to repeat. `full`: the queue has no room now. */
  request(videoId: VideoId): 'waiting' | 'running' | 'full';
  isRunning(videoId: VideoId): boolean;
  isFull(): boolean;
  /** Resolves when nothing of the video runs in this process any more. */
  stop(videoId: VideoId): Promise<void>;
  close(): Promise<void>;
}

interface RenderDeps {
  readonly folders: JobFolders;
  readonly clock: Clock;
  readonly log: Log;
  readonly cores: number;
  readonly media: MediaSource;
  readonly startWorker: StartWorker;
}

export function createRenders(deps: RenderDeps): Renders {
  const { log } = deps;
  const pool = createRenderPool(deps);
  const waiting = new Set<VideoId>();
  const running = new Map<VideoId, { stop: AbortController; done: Promise<void> }>();
  const mostRunning = Math.max(1, deps.cores);
  let closed = false;

  function startNext(): void {
    for (const videoId of waiting) {
      if (closed || running.size >= mostRunning) return;
      waiting.delete(videoId);
      const stop = new AbortController();
      const done = renderVideo(deps, pool.run, videoId, stop)
        .catch((error: unknown) => {
          // The next check requests it again.
          if (!stop.signal.aborted)
            log.error('a sandbox video could not be rendered now', { videoId, error: errorForLog(error) });
        })
        .finally(() => {
          running.delete(videoId);
          startNext();
        });
      running.set(videoId, { stop, done });
    }
  }

  return {
    request(videoId) {
      if (running.has(videoId)) return 'running';
      if (!waiting.has(videoId)) {
        if (closed || waiting.size >= mostWaiting) return 'full';
        waiting.add(videoId);
        startNext();
      }
      return running.has(videoId) ? 'running' : 'waiting';
    },
    isRunning: (videoId) => running.has(videoId),
    isFull: () => closed || waiting.size >= mostWaiting,
    async stop(videoId) {
      waiting.delete(videoId);
      const render = running.get(videoId);
      render?.stop.abort();
      await render?.done;
    },
    async close() {
      closed = true;
      waiting.clear();
      for (const { stop } of running.values()) stop.abort();
      await Promise.all([...running.values()].map(({ done }) => done));
      await pool.close();
    },
  };
}

type RunTask = ReturnType<typeof createRenderPool>['run'];

async function renderVideo(deps: RenderDeps, run: RunTask, videoId: VideoId, stop: AbortController): Promise<void> {
  const { folders, clock, log } = deps;
  if (!(await folders.isToRender(videoId, await folders.find(videoId)))) return;
  const lock = await takeRenderLock(folders.lock(videoId), clock, () => stop.abort());
  // Another process is rendering it.
  if (!lock) return;
  const part = folders.newPart(videoId);
  try {
    // Read again: the last holder may have finished just before it released the lock.
    const found = await folders.find(videoId);
    const order = await folders.findOrder(videoId);
    if (!found || !order || !(await folders.isToRender(videoId, found))) return;
    await folders.removeParts(videoId);
    const startedMs = performance.now();
    const answer = await renderWithRetry(deps, run, videoId, found.job, order, part, stop.signal);
    if (answer.status === 'rendered') await folders.finish(videoId, found.job, part, answer.facts);
    else await folders.fail(videoId, found.job, { code: answer.code, message: answer.message });
    log.info('sandbox video rendered', {
      videoId,
      code: answer.status === 'failed' ? answer.code : 'ok',
      ms: Math.round(performance.now() - startedMs),
    });
  } finally {
    await rm(part, { force: true });
    await lock.release();
  }
}

async function renderWithRetry(
  deps: RenderDeps,
  run: RunTask,
  videoId: VideoId,
  job: StoredJob,
  order: VideoOrder,
  outputPath: string,
  signal: AbortSignal,
): Promise<RenderAnswer> {
  for (let attempt = 1; attempt <= mostAttempts; attempt++) {
    try {
      // Read again for each attempt: the bytes were transferred to the thread that has ended.
      const media = await readMedia(deps, order, job.owner, signal);
      if ('failed' in media) return media.failed;
      return await run(
        { order: { ...order, media: [] }, modelName: job.modelName, media: media.read, outputPath },
        signal,
      );
    } catch (error) {
      if (signal.aborted) throw error;
      deps.log.warn('a sandbox rendering ended without a result', { videoId, attempt, error: errorForLog(error) });
    }
  }
  return {
    status: 'failed',
    code: 'generation_failed',
    message:
      'The sandbox could not render this video. Try again, with a smaller size if it was a large one. You were not charged.',
  };
}

const mediaFailures: Readonly<Partial<Record<ErrorCode, FailureCode>>> = {
  url_not_allowed: 'media_unreachable',
  media_unreachable: 'media_unreachable',
  media_invalid: 'media_invalid',
  media_too_large: 'media_too_large',
};

async function readMedia(
  deps: RenderDeps,
  order: VideoOrder,
  owner: StoredJob['owner'],
  signal: AbortSignal,
): Promise<{ read: TaskMedia[] } | { failed: RenderAnswer }> {
  const read: TaskMedia[] = [];
  for (const { role, url } of order.media) {
    const kind = role === 'source_video' || role === 'reference_video' ? 'video' : 'image';
    try {
      const { bytes, contentType } = await deps.media.read(url, { kind, owner }, { signal, log: deps.log });
      read.push({ role, bytes, contentType });
    } catch (error) {
      const code = isGatewayError(error) ? mediaFailures[error.code] : undefined;
      if (code === undefined || !isGatewayError(error)) throw error;
      const message = error.message.includes('not charged') ? error.message : `${error.message} You were not charged.`;
      return { failed: { status: 'failed', code, message } };
    }
  }
  return { read };
}
