import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { KeyRevocationWatch } from '../accounts/key-revocation-watch';
import type { Caller, Account } from '../domain/caller';
import type { Clock } from '../domain/clock';
import type { ErrorCode } from '../domain/error-rules';
import { errorForLog, GatewayError, isGatewayError, videoExpired } from '../domain/errors';
import { isId, type VideoId } from '../domain/ids';
import type { Log } from '../domain/log';
import type { ProviderDirectory } from '../routing/provider-directory';
import type { ByteRange, Content, MediaStore } from '../domain/files';
import type { Database } from '../db/database';
import { findVideo, recordFileBytes, recordPolled, updateFile, type VideoRow } from '../db/videos';
import { wholeLength } from '../io/open-file';
import type { Limits } from '../limits/limits';
import { createDownloadWatch } from './download-watch';
import type { Links } from './links';
import { videoNotFound } from './not-found';
import { openProviderFile } from './open-provider-file';
import { createSharedLinks } from './shared-links';
import type { ChoosePart, SignedLink, VideoContent } from './videos';

// Streams the finished file from the archive, or from the provider that has it. The file is never buffered, so a
// download needs the same memory for any size.

const EARLY_RETRY_SECONDS = 5;

/** The errors of a provider's `open` that are passed on to the caller unchanged. */
const CALLER_ERRORS: readonly ErrorCode[] = ['video_expired', 'video_on_other_machine', 'upstream_content_unavailable'];

export function createVideoContent(deps: {
  db: Database;
  clock: Clock;
  log: Log;
  links: Links;
  providers: Pick<ProviderDirectory, 'of'>;
  keyRevocations: KeyRevocationWatch;
  limits: Pick<Limits, 'admitLink'>;
  store?: MediaStore;
}) {
  const { db, clock, log, links, providers, keyRevocations, store } = deps;
  const sharedLinks = createSharedLinks(deps);
  const downloads = createDownloadWatch(deps);

  async function openRow(row: VideoRow, choose: ChoosePart, signal: AbortSignal): Promise<VideoContent> {
    checkReady(row);
    if (row.polledAt === null) await recordPolled(db, row.id, clock.now());
    // Derived from values that never change after completion, so that a resumed download can rely on it.
    const etag = `"${createHash('sha256').update(`${row.id} ${row.completedAt?.toISOString()}`).digest('base64url').slice(0, 27)}"`;
    const part = choose(etag);
    const named = { etag, fileName: `${row.id}.mp4` };
    if (part === 'unchanged') return { status: 304, start: 0, body: Readable.from([]), ...named };
    if (part === 'head') return { ...lengthOf(row), ...named };
    const content = await openFinished(row, part, signal);
    if (row.fileBytes === null && content.total !== undefined) recordLength(row.id, content.total);
    downloads.watch(row.id, content.body);
    return { ...content, ...named };
  }

  /** Records the length without waiting: the body must have a reader or listener in the turn in which it was opened. */
  function recordLength(id: VideoId, bytes: number): void {
    recordFileBytes(db, id, bytes).catch((error: unknown) =>
      log.warn('the length of a file could not be recorded', { videoId: id, error: errorForLog(error) }),
    );
  }

  /** Returns the length from the row: a HEAD does not open the file at its provider. An unknown length is left out. */
  function lengthOf({ fileBytes }: VideoRow): Content {
    if (fileBytes !== null) return wholeLength(fileBytes);
    return { status: 200, start: 0, body: Readable.from([]) };
  }

  async function openFinished(row: VideoRow, part: ByteRange | undefined, signal: AbortSignal): Promise<Content> {
    const call = { signal, log };
    try {
      if (row.archiveKey !== null) {
        if (!store) throw new Error('MEDIA_STORE is not set any more.');
        return await store.open(row.archiveKey, part, call);
      }
      const provider = (await providers.of(row))?.video;
      if (provider) return await openProviderFile(provider, row, part, call, (file) => updateFile(db, row.id, file));
    } catch (error) {
      if (signal.aborted) throw error;
      if (isGatewayError(error) && CALLER_ERRORS.includes(error.code)) throw error;
      log.warn('a finished file could not be opened', {
        videoId: row.id,
        provider: row.provider ?? '',
        error: errorForLog(error),
      });
    }
    throw new GatewayError(
      'upstream_content_unavailable',
      'The file could not be read from the provider. Try again in a moment.',
      { retryAfterSeconds: EARLY_RETRY_SECONDS },
    );
  }

  function checkReady(row: VideoRow): void {
    if (row.status === 'failed') {
      throw new GatewayError(
        'video_failed',
        'This video failed, so there is no file. GET /v1/videos/{id} tells why; you were not charged.',
      );
    }
    if (row.status !== 'completed') {
      throw new GatewayError(
        'video_not_ready',
        'This video is not finished yet. Poll GET /v1/videos/{id} until it is completed.',
        { retryAfterSeconds: EARLY_RETRY_SECONDS },
      );
    }
    if (row.expiresAt && clock.now() >= row.expiresAt) throw videoExpired(row.expiresAt);
  }

  /** Ends a download when its key is revoked or expires: a slow reader could keep it open for any length of time. */
  function endWithKey(body: Readable, caller: Caller, id: string): void {
    const unwatch = keyRevocations.watch(caller, {
      path: `/v1/videos/${id}/content`,
      isFree: true,
      using: () => undefined,
      onEnd: (error) => body.destroy(error),
    });
    // Always called: every body is read to its end or destroyed.
    body.once('close', unwatch);
  }

  return {
    async open(caller: Caller, id: string, choose: ChoosePart, signal: AbortSignal): Promise<VideoContent> {
      const row = isId('video', id) ? await findVideo(db, caller, id) : undefined;
      if (!row) throw videoNotFound();
      const content = await openRow(row, choose, signal);
      if (content.status !== 304) endWithKey(content.body, caller, id);
      return content;
    },

    async openSigned(id: string, link: SignedLink, choose: ChoosePart, signal: AbortSignal): Promise<VideoContent> {
      const { video, release } = await sharedLinks.open(id, link);
      let body: Readable | undefined;
      try {
        const content = await openRow(video, choose, signal);
        if (content.status !== 304) body = content.body;
        return content;
      } finally {
        if (body && !body.closed) body.once('close', release);
        else release();
      }
    },

    /**
     * Returns whether this account may use a signed link as media: it must lead to a finished video of the same account
     * in the same mode.
     */
    async mayUse(account: Account, link: { videoId: string; expires: number }): Promise<boolean> {
      if (!isId('video', link.videoId) || link.expires * 1000 <= clock.nowMs()) return false;
      return (await findVideo(db, account, link.videoId))?.status === 'completed';
    },

    /**
     * Opens the file behind one of our own signed links, or a part of it, for its owner; undefined for any other URL.
     */
    async openOwn(
      url: string,
      owner: Account,
      part: ByteRange | undefined,
      signal: AbortSignal,
    ): Promise<Content | undefined> {
      const link = links.recognise(url);
      if (!link) return undefined;
      const row = isId('video', link.videoId) ? await findVideo(db, owner, link.videoId) : undefined;
      if (!row)
        throw new GatewayError(
          'media_unreachable',
          'The source is a link of this installation, but not to a video of yours. Use the video_url of a completed video of your own, in the same mode.',
        );
      checkReady(row);
      return openFinished(row, part, signal);
    },
  };
}
