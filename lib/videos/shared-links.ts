import type { Clock } from '../domain/clock';
import { GatewayError, videoExpired } from '../domain/errors';
import { isId, type VideoId } from '../domain/ids';
import { createLru } from '../io/lru';
import type { Database } from '../db/database';
import { findSharedVideo, type VideoRow } from '../db/videos';
import type { LinkOwner, Limits } from '../limits/limits';
import { suspended } from './download-watch';
import type { Links } from './links';
import { videoNotFound } from './not-found';
import type { SignedLink } from './videos';

// Anyone who has a signed link can download its file any number of times, or publish the link. Requests with it are
// therefore limited per video and organisation, separately from requests with keys.

export interface SharedLinks {
  /**
   * Returns the video of a link. Call `release` once, when the download has ended. Rejects with `invalid_signature`,
   * `video_expired`, `video_not_found`, `organization_suspended`, `rate_limit_exceeded` or
   * `concurrency_limit_exceeded`.
   */
  open(id: string, link: SignedLink): Promise<{ readonly video: VideoRow; readonly release: () => void }>;
}

/** How long the owner of a video is remembered, so that requests are counted without reading it from the database. */
const REMEMBER_MS = 5_000;
const MAX_REMEMBERED = 10_000;

export function createSharedLinks({
  db,
  clock,
  links,
  limits,
}: {
  readonly db: Database;
  readonly clock: Clock;
  readonly links: Links;
  readonly limits: Pick<Limits, 'admitLink'>;
}): SharedLinks {
  const owners = createLru<VideoId, { readonly owner: LinkOwner; readonly atMs: number }>(MAX_REMEMBERED);

  async function read(id: VideoId): Promise<{ video: VideoRow; owner: LinkOwner }> {
    const found = await findSharedVideo(db, id);
    if (!found) throw videoNotFound();
    if (found.orgClosed) throw suspended();
    const { video, limits: ownLimits } = found;
    const owner: LinkOwner = { orgId: video.orgId, mode: video.mode, videoId: video.id, limits: ownLimits };
    owners.set(id, { owner, atMs: clock.nowMs() });
    return { video, owner };
  }

  return {
    async open(id, { expires, signature }) {
      if (!isId('video', id) || !links.verify(id, expires, signature)) {
        throw new GatewayError(
          'invalid_signature',
          'This link is not valid. Use the video_url of GET /v1/videos/{id}, unchanged.',
        );
      }
      if (Number(expires) * 1000 <= clock.nowMs()) throw videoExpired(new Date(Number(expires) * 1000));
      const known = owners.get(id);
      if (!known || clock.nowMs() - known.atMs >= REMEMBER_MS) {
        const { video, owner } = await read(id);
        return { video, release: await limits.admitLink(owner) };
      }
      const release = await limits.admitLink(known.owner);
      try {
        return { video: (await read(id)).video, release };
      } catch (error) {
        release();
        throw error;
      }
    },
  };
}
