import { randomBytes } from 'node:crypto';
import { appendFile, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { isId } from '../../domain/ids';
import type { VideoId } from '../../domain/ids';
import type { VideoOrder, VideoStart } from '../../domain/video';
import { isMissing } from '../../io/open-file';
import type { FailureCode, RenderedFacts } from './renderer/task';

// The sandbox's video state on disk, so that any process of this machine can continue where another one stopped. One
// folder per video; the name of the small file in it is its state:
//
//   job.json        requested
//   finished.json   rendered: video.mp4 exists
//   failed.json     failed, with the reason
//   cancelled.json  cancelled
//
// A video leaves `job.json` by a rename, which only one process can win: a cancelled video never gets a file, and a
// rendered one can no longer be cancelled. `order.json` contains the caller's prompt and media and is deleted when
// nothing is left to render.

export interface StoredJob {
  readonly modelName: string;
  readonly owner: VideoStart['owner'];
  readonly scenario?: string;
  /** ISO instant. */
  readonly startedAt: string;
  readonly failure?: { readonly code: FailureCode; readonly message: string };
  readonly rendered?: RenderedFacts;
}

export interface FoundJob {
  readonly job: StoredJob;
  readonly state: 'open' | 'finished' | 'failed' | 'cancelled';
}

export type JobFolders = ReturnType<typeof createJobFolders>;

export function createJobFolders(dataDir: string) {
  const folder = (videoId: VideoId) => {
    // The id becomes part of a path, so nothing but an id is accepted.
    if (!isId('video', videoId)) throw new Error('Not the id of a video.');
    return path.join(dataDir, 'videos', videoId);
  };
  const file = (videoId: VideoId, name: string) => path.join(folder(videoId), name);
  const video = (videoId: VideoId) => file(videoId, 'video.mp4');
  const exists = (at: string) =>
    stat(at).then(
      () => true,
      () => false,
    );

  async function find(videoId: VideoId): Promise<FoundJob | undefined> {
    // The state that a video starts in is read first: a video that leaves it meanwhile is then found in its later
    // state.
    const job = await readJson<StoredJob>(file(videoId, 'job.json'));
    for (const state of ['cancelled', 'failed', 'finished'] as const) {
      const decided = await readJson<StoredJob>(file(videoId, `${state}.json`));
      if (decided) return { job: decided, state };
    }
    return job && { job, state: 'open' };
  }

  return {
    find,
    video,
    lock: (videoId: VideoId) => file(videoId, 'lock'),
    newPart: (videoId: VideoId) => file(videoId, `${randomBytes(6).toString('hex')}.part`),

    /** Stores a new job, with its order if it is to be rendered. Returns false if the video already exists. */
    async create(videoId: VideoId, job: StoredJob, order: VideoOrder | undefined): Promise<boolean> {
      await mkdir(folder(videoId), { recursive: true, mode: 0o700 });
      if (await find(videoId)) return false;
      if (order) await writeAtomically(file(videoId, 'order.json'), order);
      await writeAtomically(file(videoId, 'job.json'), job);
      return true;
    },

    /** Reads the order of a video; undefined if nothing is left to render. */
    async findOrder(videoId: VideoId): Promise<VideoOrder | undefined> {
      return readJson<VideoOrder>(file(videoId, 'order.json'));
    },

    /**
     * Returns whether a video must be rendered, including one whose process died before its last step and left no file.
     */
    async isToRender(videoId: VideoId, found: FoundJob | undefined): Promise<boolean> {
      if (found?.state === 'open') return true;
      return found?.state === 'finished' && !found.job.rendered && !(await exists(video(videoId)));
    },

    /**
     * Moves a rendered part into place. Returns false if the video was cancelled or removed meanwhile. Only for the
     * holder of the lock.
     */
    async finish(videoId: VideoId, job: StoredJob, part: string, rendered: RenderedFacts): Promise<boolean> {
      const finished = file(videoId, 'finished.json');
      if (!(await moved(file(videoId, 'job.json'), finished)) && !(await exists(finished))) return false;
      await rename(part, video(videoId));
      await writeAtomically(finished, { ...job, rendered });
      await rm(file(videoId, 'order.json'), { force: true });
      return true;
    },

    /** Only for the holder of the lock. */
    async fail(videoId: VideoId, job: StoredJob, failure: NonNullable<StoredJob['failure']>): Promise<void> {
      if (!(await exists(folder(videoId)))) return;
      await writeAtomically(file(videoId, 'failed.json'), { ...job, failure });
      await rm(file(videoId, 'order.json'), { force: true });
    },

    /** Returns whether the video is cancelled, now or before; with `evenFinished` a rendered file is discarded. */
    async cancel(videoId: VideoId, evenFinished: boolean): Promise<boolean> {
      const known = await find(videoId);
      if (!known || known.state === 'failed') return false;
      const cancelled = file(videoId, 'cancelled.json');
      const won =
        known.state === 'cancelled' ||
        (await moved(file(videoId, 'job.json'), cancelled)) ||
        (evenFinished && (await moved(file(videoId, 'finished.json'), cancelled)));
      if (!won) return (await find(videoId))?.state === 'cancelled';
      await rm(file(videoId, 'order.json'), { force: true });
      await rm(video(videoId), { force: true });
      // The renderer, in whichever process, notices the missing lock and stops.
      await rm(file(videoId, 'lock'), { force: true });
      return true;
    },

    /** Counts an event of a video over all processes and restarts. Returns 1 for the first. */
    async count(videoId: VideoId, event: 'starts' | 'checks'): Promise<number> {
      await mkdir(folder(videoId), { recursive: true, mode: 0o700 });
      // One byte per event: appending cannot lose one, while reading and rewriting a number could.
      await appendFile(file(videoId, event), '.');
      return (await stat(file(videoId, event))).size;
    },

    /** Removes what killed renderers left behind. Only for the holder of the lock. */
    async removeParts(videoId: VideoId): Promise<void> {
      for (const name of await readdir(folder(videoId))) {
        if (name.endsWith('.part')) await rm(file(videoId, name), { force: true });
      }
    },

    async remove(videoId: VideoId): Promise<void> {
      await rm(folder(videoId), { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

async function readJson<T>(at: string): Promise<T | undefined> {
  const text = await readFile(at, 'utf8').catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  // Safe: only `writeAtomically` below writes these files, and it never leaves a partial one.
  return text === undefined ? undefined : (JSON.parse(text) as T);
}

/**
 * Written to a temporary file, flushed to disk, then renamed: a reader sees the old file or the new one, also after a
 * power failure.
 */
async function writeAtomically(at: string, content: StoredJob | VideoOrder): Promise<void> {
  const beside = `${at}.${randomBytes(6).toString('hex')}.part`;
  const handle = await open(beside, 'w', 0o600);
  try {
    await handle.writeFile(JSON.stringify(content));
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(beside, at);
}

async function moved(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}
