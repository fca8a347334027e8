import { errorForLog, GatewayError } from '../domain/errors';
import type { VideoId } from '../domain/ids';
import type { Json } from '../domain/json';
import type { Log } from '../domain/log';
import type { ProviderDirectory } from '../routing/provider-directory';
import type { Database } from '../db/database';
import { findVideoById } from '../db/videos';
import { createTextSigner } from '../io/signed-text';
import type { Queue } from '../jobs/queue';
import { isPublicHttps } from '../net/public-address';
import type { ReceivedCallback } from './videos';

// URLs that a provider calls when the progress of a video changes. A call only makes the next check due. Its content is
// not trusted: the check asks the provider itself. Only the provider knows the URL of a video; if a provider signs its
// calls, the signature is verified too.

export interface Callbacks {
  /** Returns the callback URL of a video; undefined if providers cannot reach this installation. */
  urlFor(videoId: VideoId): string | undefined;
  /** Returns the id of the video if the signature is this installation's for it; otherwise undefined. */
  verify(videoId: string, signature: string): VideoId | undefined;
}

export function createCallbacks({ secret, baseUrl }: { secret: string; baseUrl: string }): Callbacks {
  const signer = createTextSigner(secret, 'patchbay video callbacks v1');
  const isReachable = isPublicHttps(baseUrl);
  return {
    urlFor: (videoId) =>
      isReachable ? `${baseUrl}/internal/videos/${videoId}/callback?signature=${signer.sign(videoId)}` : undefined,
    // Safe: this installation signs nothing but ids of videos.
    verify: (videoId, signature) => (signer.verify(videoId, signature) ? (videoId as VideoId) : undefined),
  };
}

/** The minimum time between two checks of a video that callbacks cause, however often the provider calls. */
const MIN_GAP_MS = 2_000;

/** Verifies a call of a provider, and makes the check of its video due. See `Videos.receiveCallback`. */
export function createReceiveCallback({
  db,
  log,
  callbacks,
  providers,
  queue,
}: {
  readonly db: Database;
  readonly log: Log;
  readonly callbacks: Callbacks;
  readonly providers: Pick<ProviderDirectory, 'of'>;
  readonly queue: Pick<Queue, 'makeDue'>;
}) {
  return async function receiveCallback(
    id: string,
    { signature, headers, readBody, signal }: ReceivedCallback,
  ): Promise<Json | undefined> {
    const videoId = callbacks.verify(id, signature);
    if (videoId === undefined)
      throw new GatewayError(
        'invalid_signature',
        'This callback is not valid. Providers call the URL that was sent with the order, unchanged.',
      );
    const video = await findVideoById(db, videoId);
    const url = callbacks.urlFor(videoId);
    // Some providers call again after the video has ended.
    if (!video || video.completedAt !== null || url === undefined) return undefined;
    const provider = (await providers.of(video))?.video;
    const body = await readBody();
    try {
      const answer = await provider?.receiveCallback?.({ videoId, url, headers, body }, { signal, log });
      await queue.makeDue('video.check', videoId, MIN_GAP_MS);
      return answer;
    } catch (error) {
      // Only logged: the regular check comes anyway.
      log.warn('a callback of a provider was refused', {
        videoId,
        provider: video.provider ?? '',
        error: errorForLog(error),
      });
      throw error;
    }
  };
}
