import { presentPage, withPageIds } from '../contract/present-page';
import type { FavoriteJson, FoundVideoJson, FoundVideoPageJson, VideoJson, VideoPageJson } from '../contract/videos';
import type { Account, Actor, Caller } from '../domain/caller';
import type { Clock } from '../domain/clock';
import { errorForLog, GatewayError, upstreamFailed } from '../domain/errors';
import type { MediaStore } from '../domain/files';
import { isId, type OrgId } from '../domain/ids';
import type { Log } from '../domain/log';
import type { ProviderDirectory } from '../routing/provider-directory';
import type { Database } from '../db/database';
import { findMakerOfKey } from '../db/keys';
import {
  eraseVideo,
  findVideo,
  findVideoById,
  findVideoOfOrganization,
  listVideos,
  recordPolled,
  searchVideos,
  setFavorite,
  type FavoriteOwner,
  type VideoRow,
} from '../db/videos';
import { lockStart } from '../db/video-starts';
import { leaveQueues } from '../db/waiting-starts';
import { eraseDeliveries } from '../db/webhooks';
import { canCancel } from './can-cancel';
import { runningOf } from './check-video';
import type { FinishVideo } from './finish-video';
import type { Links } from './links';
import { videoNotFound } from './not-found';
import { presentVideo } from './present';
import { removeTraces } from './delete-provider-artifacts';
import type { ReadVideo, VideoPage, VideoSearch } from './videos';

// Reads, lists, deletes and cancels the caller's videos.

const CANCEL_MS = 10_000;

export function createManageVideos(deps: {
  db: Database;
  clock: Clock;
  log: Log;
  links: Links;
  providers: Pick<ProviderDirectory, 'of'>;
  store?: MediaStore;
  finishVideo: FinishVideo;
}) {
  const { db, clock, log, links, providers, finishVideo } = deps;
  const present = (row: VideoRow) => presentVideo(row, links);

  async function getRow(caller: Account, id: string): Promise<VideoRow> {
    const row = isId('video', id) ? await findVideo(db, caller, id) : undefined;
    if (!row) throw videoNotFound();
    // A caller that knows the id has received the response to its submission, so a later submission is not an automatic
    // retry of this one.
    if (row.polledAt === null) await recordPolled(db, row.id, clock.now());
    return row;
  }

  async function ownerOf({ userId, keyId }: Actor): Promise<FavoriteOwner> {
    const owner = userId ?? (keyId && (await findMakerOfKey(db, keyId))) ?? keyId;
    if (owner === undefined) throw new RangeError('An actor is a person or a key.');
    return owner;
  }

  return {
    async get(caller: Caller, id: string): Promise<ReadVideo> {
      const row = await getRow(caller, id);
      return {
        video: present(row),
        ...(row.startedAt !== null && row.provider !== null
          ? { accepted: { provider: row.provider, attempts: row.startAttempt } }
          : {}),
      };
    },

    async list(caller: Account, page: VideoPage): Promise<VideoPageJson> {
      const after = page.after === undefined ? undefined : await findAfter(caller, page.after);
      const rows = await listVideos(db, caller, {
        limit: page.limit + 1,
        order: page.order,
        ...(after ? { after } : {}),
      });
      return withPageIds(presentPage(rows, page.limit, present));
    },

    async search(account: Account, { limit, after, ...filter }: VideoSearch): Promise<FoundVideoPageJson> {
      const from = after === undefined ? undefined : await findAfter(account, after);
      const found = await searchVideos(db, account, filter, { limit: limit + 1, ...(from ? { after: from } : {}) });
      const presentFound = ({ video, prompt, keyName, favorite }: (typeof found)[number]): FoundVideoJson => ({
        ...present(video),
        ...(prompt === null ? {} : { prompt }),
        request_id: video.requestId,
        key: { id: video.keyId, ...(keyName === null ? {} : { name: keyName }) },
        ...(video.provider === null ? {} : { provider: video.provider }),
        ...(video.completedAt && { duration_ms: video.completedAt.getTime() - video.createdAt.getTime() }),
        favorite,
      });
      return withPageIds(presentPage(found, limit, presentFound));
    },

    favoriteOwner: ownerOf,

    async setFavorite(actor: Actor, id: string, favorite: boolean): Promise<FavoriteJson> {
      const row = isId('video', id) ? await findVideoOfOrganization(db, actor.orgId, id) : undefined;
      if (!row) throw videoNotFound();
      await setFavorite(db, await ownerOf(actor), row.id, favorite ? { at: clock.now() } : undefined);
      return { id: row.id, object: 'video.favorite', favorite };
    },

    async accountOf(orgId: OrgId, id: string): Promise<Account> {
      const row = isId('video', id) ? await findVideoOfOrganization(db, orgId, id) : undefined;
      if (!row) throw videoNotFound();
      return { orgId: row.orgId, mode: row.mode };
    },

    async remove(caller: Account, id: string): Promise<void> {
      const row = await getRow(caller, id);
      if (row.completedAt === null) {
        throw new GatewayError(
          'video_not_finished',
          'This video is still running. Cancel it first with POST /v1/videos/{id}/cancel, or wait until it is finished.',
        );
      }
      await db.inTransaction(async (tx) => {
        await eraseVideo(tx, row.id, clock.now());
        await eraseDeliveries(tx, row.id, clock.now());
      });
      // After the commit: the hourly housekeeping finds a file without a row, but a row without its file would be a
      // download that fails.
      await removeTraces(deps, row).catch((error: unknown) => {
        log.error('the file of a deleted video could not be removed now', {
          videoId: row.id,
          provider: row.provider ?? '',
          error: errorForLog(error),
        });
      });
    },

    async cancel(caller: Account, id: string): Promise<VideoJson> {
      const row = await getRow(caller, id);
      if (row.completedAt !== null) throw alreadyFinished();
      const isBegun = row.receipt !== null;
      if (isBegun) await cancelUpstream(row);
      const finished = await db.inTransaction(async (tx) => {
        const start = isBegun ? 'idle' : await lockStart(tx, row.id);
        if (start === 'begun') return 'begun';
        // A start in progress can be cancelled once it has finished. If the provider cannot cancel, we would pay for a
        // video that we do not charge for.
        if (start !== 'idle' && !(await canCancel(providers, start))) throw cannotBeStopped();
        return finishVideo(tx, row.id, { status: 'failed', code: 'cancelled', message: 'The video was cancelled.' });
      });
      // A start began between the read and this transaction, so decide again.
      if (finished === 'begun') return this.cancel(caller, id);
      if (!finished) throw alreadyFinished();
      // The job of its start leaves them too, but much later, and each start that waits would read past it until then.
      // Not in the transaction: a start locks its place in a queue before its video.
      await leaveQueues(db, row.id);
      const now = await findVideoById(db, row.id);
      return present(now ?? finished);
    },
  };

  async function findAfter(caller: Account, id: string): Promise<VideoRow> {
    const row = isId('video', id) ? await findVideo(db, caller, id) : undefined;
    if (!row)
      throw new GatewayError(
        'unsupported_value',
        'after must be the id of one of your videos: the last_id of the previous page.',
        { param: 'after' },
      );
    return row;
  }

  async function cancelUpstream(row: VideoRow): Promise<void> {
    const provider = (await providers.of(row))?.video;
    // The provider has finished; only the copy to the archive is still running.
    if (row.upstreamResult !== null) throw tooLate();
    if (!provider?.cancel) throw cannotBeStopped();
    const late = new AbortController();
    const cancelTimer = clock.after(CANCEL_MS, () => late.abort(notAnswered()));
    const answer = await provider.cancel(runningOf(row), { signal: late.signal, log }).finally(cancelTimer);
    // With `requested`, the provider may still complete and charge the video. That is our loss and not the caller's.
    if (answer === 'cancelled' || answer === 'requested') return;
    throw answer === 'too_late' ? tooLate() : cannotBeStopped();
  }
}

/**
 * Returns the error of a cancellation without an answer. The provider may have cancelled the video; the next check
 * shows it.
 */
function notAnswered(): GatewayError {
  return upstreamFailed(
    { retry: 'later', started: 'maybe' },
    `No answer to the cancellation within ${CANCEL_MS} ms.`,
    'upstream_timeout',
  );
}

function tooLate(): GatewayError {
  return new GatewayError('cancel_not_supported', 'It is too late to cancel: the provider is finishing this video.');
}

function cannotBeStopped(): GatewayError {
  return new GatewayError(
    'cancel_not_supported',
    'The provider of this video cannot stop it once it has begun. Nothing was changed.',
  );
}

function alreadyFinished(): GatewayError {
  return new GatewayError('video_finished', 'This video is already finished, so there is nothing to cancel.');
}
