import { randomBytes } from 'node:crypto';
import { appendFile, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { isId } from '../../domain/ids';
import type { VideoId } from '../../domain/ids';
import type { VideoOrder, VideoStart } from '../../domain/video';
import type { FailureCode, RenderedFacts } from './film/task';

// What the sandbox knows about its videos, on disk, so that any process of this machine can go on where another stopped. One
// folder for each video; the name of the file in it says how far it is:
//
//   job.json        asked for, or failed (the reason is in it)
//   finished.json   rendered; the film is beside it
//   cancelled.json  stopped
//
// A video leaves `job.json` by a rename, which only one process can win: a film never appears for a cancelled video, and a
// rendered one cannot be cancelled any more.

export interface StoredJob {
  readonly modelName: string;
  readonly owner: VideoStart['owner'];
  readonly scenario?: string;
  /** ISO instant. */
  readonly startedAt: string;
  /** Absent once nothing is left to render: the caller's words and media are not kept longer than needed. */
  readonly order?: VideoOrder;
  readonly failure?: { readonly code: FailureCode; readonly message: string };
  readonly rendered?: RenderedFacts;
}

export type JobState = 'open' | 'failed' | 'finished' | 'cancelled';

export type Counter = 'starts' | 'checks';

export type JobFolders = ReturnType<typeof createJobFolders>;

export function createJobFolders(dataDir: string) {
  const root = path.join(dataDir, 'videos');
  const folder = (videoId: VideoId) => {
    // An id becomes a path here, so nothing but an id may.
    if (!isId('video', videoId)) throw new Error('Not the id of a video.');
    return path.join(root, videoId);
  };
  const files = (videoId: VideoId) => {
    const at = folder(videoId);
    return {
      job: path.join(at, 'job.json'),
      finished: path.join(at, 'finished.json'),
      cancelled: path.join(at, 'cancelled.json'),
      film: path.join(at, 'video.mp4'),
      lock: path.join(at, 'lock'),
      part: path.join(at, `video-${randomBytes(6).toString('hex')}.part`),
      starts: path.join(at, 'starts'),
      checks: path.join(at, 'checks'),
    };
  };

  async function find(videoId: VideoId): Promise<{ job: StoredJob; state: JobState } | undefined> {
    const at = files(videoId);
    // In this order, because a rename moves a video down this list: what has left the first name is seen at the next.
    const open = await readJob(at.job);
    const cancelled = await readJob(at.cancelled);
    if (cancelled) return { job: cancelled, state: 'cancelled' };
    const finished = await readJob(at.finished);
    if (finished) return { job: finished, state: 'finished' };
    return open && { job: open, state: open.failure ? 'failed' : 'open' };
  }

  return {
    files,
    find,

    /** Stores a new job; false when the video is known already. */
    async create(videoId: VideoId, job: StoredJob): Promise<boolean> {
      await mkdir(folder(videoId), { recursive: true });
      if (await find(videoId)) return false;
      await writeWhole(files(videoId).job, job);
      return true;
    },

    /** Puts a rendered part in place; false when the video was cancelled or removed meanwhile. */
    async finish(videoId: VideoId, job: StoredJob, part: string, rendered: RenderedFacts): Promise<boolean> {
      const at = files(videoId);
      const { order: _order, ...rest } = job;
      if (!(await moved(at.job, at.finished)) && !(await readJob(at.finished))) return false;
      await rename(part, at.film);
      await writeWhole(at.finished, { ...rest, rendered });
      return true;
    },

    async fail(videoId: VideoId, job: StoredJob, failure: NonNullable<StoredJob['failure']>): Promise<void> {
      const { order: _order, ...rest } = job;
      const at = files(videoId);
      if (await readJob(at.job)) await writeWhole(at.job, { ...rest, failure });
    },

    /** True when the video is stopped now, or was before; `evenFinished` takes a rendered film back. */
    async cancel(videoId: VideoId, evenFinished: boolean): Promise<boolean> {
      const at = files(videoId);
      const known = await find(videoId);
      if (!known || known.state === 'failed') return false;
      if (known.state !== 'cancelled') {
        const won = (await moved(at.job, at.cancelled)) || (evenFinished && (await moved(at.finished, at.cancelled)));
        if (!won) return (await find(videoId))?.state === 'cancelled';
      }
      const { order: _order, ...rest } = known.job;
      await writeWhole(at.cancelled, rest);
      await rm(at.film, { force: true });
      return true;
    },

    /** Counts an event of a video, over all processes and restarts; the first is 1. */
    async count(videoId: VideoId, counter: Counter): Promise<number> {
      await mkdir(folder(videoId), { recursive: true });
      const file = files(videoId)[counter];
      // A line for each: appending cannot lose one, as reading and writing a number could.
      await appendFile(file, '.');
      return (await stat(file)).size;
    },

    async hasFilm(videoId: VideoId): Promise<boolean> {
      return stat(files(videoId).film).then(
        () => true,
        () => false,
      );
    },

    async remove(videoId: VideoId): Promise<void> {
      await rm(folder(videoId), { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

async function readJob(file: string): Promise<StoredJob | undefined> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  // Safe: only `writeWhole` below writes these files, and it never leaves half of one.
  return text === undefined ? undefined : (JSON.parse(text) as StoredJob);
}

/** Written beside, brought to the disk, then renamed: a reader sees the old file or the new one, also after a power cut. */
async function writeWhole(file: string, job: StoredJob): Promise<void> {
  const beside = `${file}.${randomBytes(6).toString('hex')}`;
  const handle = await open(beside, 'w', 0o600);
  try {
    await handle.writeFile(JSON.stringify(job));
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(beside, file);
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

export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
