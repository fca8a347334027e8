import type { VideoId } from '../domain/ids';
import { createTextSigner } from '../io/signed-text';
import { isPublicHttps } from '../net/public-address';

// Addresses that a provider calls when the progress of a video changes. A call only makes the next check due, so that
// its content is not read and cannot be forged: the check asks the provider.

export interface Callbacks {
  /** The address for this video; undefined if providers cannot reach this installation. */
  urlFor(videoId: VideoId): string | undefined;
  /** Was this signature made by this installation for this video? */
  verify(videoId: string, signature: string): boolean;
}

export function createCallbacks({ secret, baseUrl }: { secret: string; baseUrl: string }): Callbacks {
  const signer = createTextSigner(secret, 'patchbay video callbacks v1');
  const isReachable = isPublicHttps(baseUrl);
  return {
    urlFor: (videoId) =>
      isReachable ? `${baseUrl}/internal/videos/${videoId}/callback?signature=${signer.sign(videoId)}` : undefined,
    verify: signer.verify,
  };
}
