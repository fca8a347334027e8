import { rm } from 'node:fs/promises';
import type { Clock } from '../../../domain/clock';
import { errorForLog, isGatewayError } from '../../../domain/errors';
import type { ErrorCode } from '../../../domain/error-rules';
import type { VideoId } from '../../../domain/ids';
import type { Log } from '../../../domain/log';
import type { HeldMedia, MediaSource } from '../../../domain/provider';
import { mediaKind } from '../../../domain/video';
import type { VideoOrder } from '../../../domain/video';
import { createWorkerPool, type WorkerPool } from '../../../io/worker-pool';
import type { StartWorker } from '../../../workers';
import type { FailureCode, RenderAnswer, RenderTask, TaskMedia } from './task';
import type { JobFolders, StoredJob } from '../job-folder';
import { takeRenderLock } from './render-lock';
import { createRenderQueue } from './render-queue';

// The videos that this process renders. The queue contains only ids. The work itself is on disk, so a video that is
// lost here is found by the next check, in any process.

/** The duration of a render, as long as none has been measured: five seconds of 720p on one core. */
const FIRST_ESTIMATE_MS = 5_000;
/** The share of the last render in the estimate for the next one. */
const SMOOTHING = 0.25;
/** A thread that ends without an answer may have hit a temporary problem (no memory), so it is tried once more. */
const MAX_ATTEMPTS = 2;
const IDLE_TIMEOUT_MS = 30_000;
/**
 * The longest video in the largest size takes several minutes on one slow core; a decoder in an endless loop never
 * ends.
 */
const RENDER_TIMEOUT_MS = 12 * 60_000;
/** WebAssembly memory never shrinks, so a thread that has rendered large or many frames is replaced. */
const MAX_KEPT_PIXELS = 1920 * 1088;
const MAX_TASKS_PER_THREAD = 40;

interface Renders {
  /** Queues the video for rendering. Safe to repeat. `full`: the queue has no room for its organisation now. */
  request(videoId: VideoId, job: StoredJob): 'waiting' | 'running' | 'full';
  isRunning(videoId: VideoId): boolean;
  isFullFor(owner: StoredJob['owner']): boolean;
  /**
   * Estimates the milliseconds until a running video is rendered, or a waiting one begins. Infinity for other videos.
   */
  msToChange(videoId: VideoId): number;
  /**
   * Calls the listener when the rendering of a video begins, ends or fails; its files have changed by then. Not when a
   * rendering is stopped, or is to be tried again. Returns a function that removes the listener.
   */
  onChange(listener: (videoId: VideoId) => void): () => void;
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
  const { clock, log } = deps;
  const waiting = createRenderQueue();
  const running = new Map<VideoId, { stop: AbortController; startedMs: number; done: Promise<void> }>();
  const listeners = new Set<(videoId: VideoId) => void>();
  const maxRunning = Math.max(1, deps.cores);
  const threads = createRenderThreads({ ...deps, maxThreads: maxRunning });
  let averageMs = FIRST_ESTIMATE_MS;
  let closed = false;

  function changed(videoId: VideoId): void {
    for (const listener of listeners) listener(videoId);
  }

  function startNext(): void {
    while (!closed && running.size < maxRunning) {
      const videoId = waiting.take();
      if (videoId === undefined) return;
      const stop = new AbortController();
      const done = renderVideo(deps, threads, videoId, stop, () => changed(videoId))
        .then((ms) => {
          if (ms !== undefined) averageMs += SMOOTHING * (ms - averageMs);
        })
        .catch((error: unknown) => {
          // Only logged: the next check requests the rendering again.
          if (!stop.signal.aborted)
            log.error('a sandbox video could not be rendered now', { videoId, error: errorForLog(error) });
        })
        .finally(() => {
          running.delete(videoId);
          startNext();
        });
      running.set(videoId, { stop, startedMs: clock.nowMs(), done });
    }
  }

  return {
    request(videoId, { owner, startedAt }) {
      if (running.has(videoId)) return 'running';
      if (!waiting.has(videoId)) {
        if (closed || waiting.isFullFor(owner)) return 'full';
        waiting.add(videoId, { owner, startedAt });
        startNext();
      }
      return running.has(videoId) ? 'running' : 'waiting';
    },
    isRunning: (videoId) => running.has(videoId),
    isFullFor: (owner) => closed || waiting.isFullFor(owner),
    msToChange(videoId) {
      const render = running.get(videoId);
      if (render) return Math.max(0, render.startedMs + averageMs - clock.nowMs());
      const place = waiting.placeOf(videoId);
      return place === undefined ? Infinity : Math.ceil(place / maxRunning) * averageMs;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async stop(videoId) {
      waiting.remove(videoId);
      const render = running.get(videoId);
      render?.stop.abort();
      await render?.done;
    },
    async close() {
      closed = true;
      waiting.clear();
      for (const { stop } of running.values()) stop.abort();
      await Promise.all([...running.values()].map(({ done }) => done));
      await threads.close();
    },
  };
}

type RenderThreads = WorkerPool<RenderTask, RenderAnswer>;

/**
 * The rendering threads. Each holds a hundred megabytes of WebAssembly and canvases, which only the end of the thread
 * releases. An abort ends the thread, so that a cancelled video costs no more time.
 */
export function createRenderThreads({
  maxThreads,
  startWorker,
  clock,
}: Pick<RenderDeps, 'startWorker' | 'clock'> & { readonly maxThreads: number }): RenderThreads {
  return createWorkerPool({
    source: 'lib/providers/sandbox/renderer/render-worker.ts',
    maxThreads,
    idleTimeoutMs: IDLE_TIMEOUT_MS,
    taskTimeoutMs: RENDER_TIMEOUT_MS,
    onAbort: 'end-thread',
    maxTasksPerThread: MAX_TASKS_PER_THREAD,
    isLastTask: ({ order }) => order.width * order.height > MAX_KEPT_PIXELS,
    transferList,
    startWorker,
    clock,
  });
}

/** Large media are transferred rather than copied. A small buffer may share its memory with others, so it is copied. */
function transferList({ media }: RenderTask): ArrayBuffer[] {
  return media
    .map(({ bytes }) => bytes)
    .filter((bytes) => bytes.byteLength > 65_536 && bytes.byteLength === bytes.buffer.byteLength)
    .map((bytes) => bytes.buffer)
    .filter((buffer) => buffer instanceof ArrayBuffer);
}

/** Resolves with the duration in milliseconds, or undefined if nothing had to be rendered here. */
async function renderVideo(
  deps: RenderDeps,
  threads: RenderThreads,
  videoId: VideoId,
  stop: AbortController,
  changed: () => void,
): Promise<number | undefined> {
  const { folders, clock, log } = deps;
  if (!(await folders.isToRender(videoId, await folders.find(videoId)))) return undefined;
  const lock = await takeRenderLock(folders.lock(videoId), clock, () => stop.abort());
  // Another process is rendering it.
  if (!lock) return undefined;
  const part = folders.newPart(videoId);
  try {
    // Read again: the last holder may have finished just before it released the lock.
    const found = await folders.find(videoId);
    const order = await folders.findOrder(videoId);
    if (!found || !order || !(await folders.isToRender(videoId, found))) return undefined;
    await folders.removeParts(videoId);
    changed();
    const startedMs = clock.nowMs();
    const answer = await renderWithRetry(deps, threads, videoId, found.job, order, part, stop.signal);
    if (answer.status === 'rendered') await folders.finish(videoId, found.job, part, answer.facts);
    else await folders.fail(videoId, found.job, { code: answer.code, message: answer.message });
    changed();
    const ms = clock.nowMs() - startedMs;
    log.info('sandbox video rendered', { videoId, code: answer.status === 'failed' ? answer.code : 'ok', ms });
    return ms;
  } finally {
    await rm(part, { force: true });
    await lock.release();
  }
}

async function renderWithRetry(
  deps: RenderDeps,
  threads: RenderThreads,
  videoId: VideoId,
  job: StoredJob,
  order: VideoOrder,
  outputPath: string,
  signal: AbortSignal,
): Promise<RenderAnswer> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const held: HeldMedia[] = [];
    try {
      // Read again for each attempt: the bytes were transferred to the thread that has ended.
      const media = await readMedia(deps, order, job.owner, held, signal);
      if ('failed' in media) return media.failed;
      return await threads.run(
        { order: { ...order, media: [] }, modelName: job.modelName, media: media.read, outputPath },
        { signal },
      );
    } catch (error) {
      if (signal.aborted) throw error;
      deps.log.warn('a sandbox rendering ended without a result', { videoId, attempt, error: errorForLog(error) });
    } finally {
      for (const { release } of held) release();
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

/** Reads the media of an order. Adds the functions that release their memory to `held`, even if it rejects. */
async function readMedia(
  deps: RenderDeps,
  order: VideoOrder,
  owner: StoredJob['owner'],
  held: HeldMedia[],
  signal: AbortSignal,
): Promise<{ read: TaskMedia[] } | { failed: RenderAnswer }> {
  const read: TaskMedia[] = [];
  for (const { role, url } of order.media) {
    const kind = mediaKind(role);
    try {
      const media = await deps.media.read(url, { kind, owner }, { signal, log: deps.log });
      held.push(media);
      read.push({ role, bytes: media.bytes, contentType: media.contentType });
    } catch (error) {
      const code = isGatewayError(error) ? mediaFailures[error.code] : undefined;
      if (code === undefined || !isGatewayError(error)) throw error;
      const message = error.message.includes('not charged') ? error.message : `${error.message} You were not charged.`;
      return { failed: { status: 'failed', code, message } };
    }
  }
  return { read };
}
