import { createTextSigner } from '../io/signed-text';

// Signed download links. A link depends only on the video's id and its expiry, so every read of a video returns the
// same link and no link is stored.

export interface Links {
  /** Returns the download URL of a finished video, valid until `expires` (Unix seconds). */
  sign(videoId: string, expires: number): string;
  /**
   * Returns whether this installation made the signature for this id and expiry. Does not check whether the link has
   * expired.
   */
  verify(videoId: string, expires: string, signature: string): boolean;
  /** Returns the video id and expiry of a link that this installation signed; undefined for any other URL. */
  recognise(url: string): { readonly videoId: string; readonly expires: number } | undefined;
}

export function createLinks({ secret, baseUrl }: { secret: string; baseUrl: string }): Links {
  const signer = createTextSigner(secret, 'patchbay download links v1');
  const prefix = `${baseUrl}/v1/videos/`;
  const textOf = (videoId: string, expires: string) => `${videoId}\n${expires}`;
  const verify = (videoId: string, expires: string, signature: string) =>
    signer.verify(textOf(videoId, expires), signature);

  return {
    sign(videoId, expires) {
      return `${prefix}${videoId}/content?expires=${expires}&signature=${signer.sign(textOf(videoId, String(expires)))}`;
    },
    verify,
    recognise(text) {
      if (!text.startsWith(prefix)) return undefined;
      const match = /^([A-Za-z0-9_]+)\/content\?(.+)$/.exec(text.slice(prefix.length));
      const query = new URLSearchParams(match?.[2]);
      const [videoId, expires, signature] = [
        match?.[1] ?? '',
        query.get('expires') ?? '',
        query.get('signature') ?? '',
      ];
      return verify(videoId, expires, signature) ? { videoId, expires: Number(expires) } : undefined;
    },
  };
}
