import type { Call } from '../domain/call';
import type { Clock } from '../domain/clock';
import { errorForLog, isGatewayError } from '../domain/errors';
import type { ByteRange, MediaStore } from '../domain/files';
import type { VideoId } from '../domain/ids';
import type { Log } from '../domain/log';
import type { ProviderDirectory } from '../routing/provider-directory';
import type { FinishedVideo, UpstreamBill } from '../domain/video';
import type { Database, Tx } from '../db/database';
import type { UpstreamResult } from '../db/schema/index';
import { findVideoById, updateUnfinishedVideo, type VideoRow } from '../db/videos';
import type { JobHandler } from '../jobs/job';
import type { Queue } from '../jobs/queue';
import { failureDelayMs } from './check-schedule';
import { billOf, type FinishVideo } from './finish-video';
import { openProviderFile } from './open-provider-file';

// `video.archive`: copies the file of a video from its provider to the archive, and only then completes the video.
// `expires_at` and the body of the webhook are fixed at completion, so a copy that fails afterwards would break them.

/** A larger file stays with its provider. */
const MAX_FILE_BYTES = 5 * 1024 ** 3;

/** Stores the provider's result and schedules the copy. Does nothing if the video has ended. */
export type BeginArchive = (
  tx: Tx,
  video: VideoRow,
  finished: { readonly video: FinishedVideo; readonly expiresAt: Date; readonly bill?: UpstreamBill },
) => Promise<void>;

export function createBeginArchive({ clock, queue }: { readonly clock: Clock; readonly queue: Queue }): BeginArchive {
  return async function beginArchive(tx, { id, status, orgId, mode, provider }, { video, expiresAt, ...end }) {
    const now = clock.now();
    const row = await updateUnfinishedVideo(tx, id, {
      ...(status === 'queued' ? { status: 'in_progress', inProgressAt: now } : {}),
      upstreamResult: { ...video, expiresAt: expiresAt.toISOString(), reportedAt: now.toISOString() },
      archiveKey: `videos/${id}.mp4`,
      ...billOf(end),
    });
    if (row) await queue.enqueue(tx, { kind: 'video.archive', videoId: id }, { orgId, mode, place: provider ?? '' });
  };
}

interface ArchiveDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  /** Undefined if the operator has removed the archive since the copy was scheduled. */
  readonly store: MediaStore | undefined;
  readonly providers: Pick<ProviderDirectory, 'of'>;
  readonly finishVideo: FinishVideo;
  readonly random: () => number;
}

export function createArchiveVideo(deps: ArchiveDeps): JobHandler<'video.archive'> {
  const { db, clock, log, store, random } = deps;

  return async function archiveVideo({ videoId, failures = 0 }, signal) {
    const video = await findVideoById(db, videoId);
    const { upstreamResult: result, archiveKey } = video ?? {};
    // The video has ended, or this job has run before.
    if (!video || !result || !archiveKey) return 'done';
    if (!store) {
      await completeWithoutCopy(deps, videoId);
      return 'done';
    }
    let bytes: number;
    try {
      bytes = await copy(deps, store, { video, result, archiveKey }, { signal, log });
    } catch (error) {
      log.warn('the file of a video could not be copied to the archive', {
        videoId,
        provider: video.provider ?? '',
        attempt: failures + 1,
        error: errorForLog(error),
      });
      const leftMs = neverSucceeds(error) ? 0 : copyUntil(video, result) - clock.nowMs();
      if (leftMs <= 0) {
        // Not if another run of this job has completed the video: then the file in the archive is its copy.
        if (await completeWithoutCopy(deps, videoId)) await removeRest(store, archiveKey, { signal, log });
        return 'done';
      }
      return { againInMs: Math.min(failureDelayMs(failures, random), leftMs), with: { failures: failures + 1 } };
    }
    await complete(deps, videoId, { archiveKey, bytes });
    return 'done';
  };
}

/** Ends a video whose job failed too often on our side: it is completed, and its file stays with the provider. */
export function createGiveUpArchive(deps: Pick<ArchiveDeps, 'db' | 'log' | 'finishVideo'>) {
  return async function giveUpArchive({ videoId }: { readonly videoId: VideoId }): Promise<void> {
    await completeWithoutCopy(deps, videoId);
  };
}

interface Copy {
  readonly video: VideoRow;
  readonly result: UpstreamResult;
  readonly archiveKey: string;
}

/** Copies the file to the archive. Resolves with its length in bytes. */
async function copy(
  deps: ArchiveDeps,
  store: MediaStore,
  { video, result, archiveKey }: Copy,
  call: Call,
): Promise<number> {
  // An earlier run may have ended between the copy and the completion, and the provider may have deleted the file
  // since.
  const stored = await storedBytes(store, archiveKey, call);
  if (stored !== undefined) return stored;
  const provider = (await deps.providers.of(video))?.video;
  if (!provider) throw new Error('The provider of the video is not set up.');
  let { file } = result;
  const open = (part: ByteRange | undefined) =>
    openProviderFile(provider, { receipt: video.receipt, file }, part, call, async (renewed) => {
      file = renewed;
      await updateUnfinishedVideo(deps.db, video.id, { upstreamResult: { ...result, file } });
    });
  const { bytes } = await store.put(archiveKey, open, { maxBytes: MAX_FILE_BYTES }, call);
  call.log.info('a file was copied to the archive', { videoId: video.id, bytes });
  return bytes;
}

/** Removes the remains of a copy that was given up. */
async function removeRest(store: MediaStore, key: string, call: Call): Promise<void> {
  await store.remove(key, call).catch((error: unknown) => {
    call.log.warn('the rest of a copy could not be removed from the archive', { error: errorForLog(error) });
  });
}

/** Returns the length of the file in the archive, in bytes; undefined if it is not there. */
async function storedBytes(store: MediaStore, key: string, call: Call): Promise<number | undefined> {
  try {
    return (await store.open(key, 'head', call)).length;
  } catch (error) {
    if (isGatewayError(error) && error.code === 'video_expired') return undefined;
    throw error;
  }
}

/** Returns whether a copy can never succeed: a file that is too large stays too large; any other error may pass. */
function neverSucceeds(error: unknown): boolean {
  return isGatewayError(error) && error.code === 'media_too_large';
}

/**
 * Returns the time at which the copy is given up, in Unix milliseconds: when the provider deletes the file, or when the
 * deadline of the video has been over for as long as its generation took.
 */
function copyUntil({ deadlineAt, startedAt, createdAt }: VideoRow, { expiresAt, reportedAt }: UpstreamResult): number {
  const tookMs = Date.parse(reportedAt) - (startedAt ?? createdAt).getTime();
  return Math.min(Date.parse(expiresAt), deadlineAt.getTime() + tookMs);
}

/** Completes the video; undefined if it had already ended. Without a copy, the file stays with its provider. */
async function complete(
  { db, finishVideo }: Pick<ArchiveDeps, 'db' | 'finishVideo'>,
  id: VideoId,
  copied?: { readonly archiveKey: string; readonly bytes: number },
): Promise<VideoRow | undefined> {
  return db.inTransaction(async (tx) => {
    // Read again: the copy may have stored a new reference to the file.
    const result = (await findVideoById(tx, id))?.upstreamResult;
    if (!result) return undefined;
    const video: FinishedVideo = { ...result, expiresAt: new Date(result.expiresAt) };
    if (!copied) return finishVideo(tx, id, { status: 'completed', video });
    const { archiveKey, bytes } = copied;
    return finishVideo(tx, id, { status: 'completed', video: { ...video, bytes }, archiveKey });
  });
}

/** Completes the video; returns whether it has not ended before. */
async function completeWithoutCopy(
  deps: Pick<ArchiveDeps, 'db' | 'log' | 'finishVideo'>,
  videoId: VideoId,
): Promise<boolean> {
  const row = await complete(deps, videoId);
  if (row)
    deps.log.error('a video was completed without a copy of its file in the archive', {
      videoId,
      provider: row.provider ?? '',
    });
  return row !== undefined;
}
