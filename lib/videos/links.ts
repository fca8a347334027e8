import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import { classifyAddress } from '../net/public-address';

// Signed download links. A link depends only on the video's id and its expiry, so every read of a video returns the
// same link and no link is stored.

export interface Links {
  /** The download address of a finished video, valid until `expires` (Unix seconds). */
  sign(videoId: string, expires: number): string;
  /**
   * Was this signature made by this installation for this id and expiry? Does not check whether the link has expired.
   */
  verify(videoId: string, expires: string, signature: string): boolean;
  /** The video id and expiry of a link that this installation signed; undefined for any other address. */
  recognise(url: string): { readonly videoId: string; readonly expires: number } | undefined;
  /**
   * Can a provider read this address itself? Not a data URL, and not an address of this installation unless that is on
   * the public internet.
   */
  isPublic(url: string): boolean;
}

export function createLinks({ secret, baseUrl }: { secret: string; baseUrl: string }): Links {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'patchbay download links v1', 32));
  const prefix = `${baseUrl}/v1/videos/`;
  const isInstallationPublic = isPublicBaseUrl(baseUrl);
  const signatureOf = (videoId: string, expires: string) =>
    createHmac('sha256', key).update(`${videoId}\n${expires}`).digest('base64url');

  function verify(videoId: string, expires: string, signature: string): boolean {
    // Compared as text: base64url decoding skips invalid characters, so a signature with extra characters would pass.
    const given = Buffer.from(signature);
    const right = Buffer.from(signatureOf(videoId, expires));
    return given.length === right.length && timingSafeEqual(given, right);
  }

  return {
    sign(videoId, expires) {
      return `${prefix}${videoId}/content?expires=${expires}&signature=${signatureOf(videoId, String(expires))}`;
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
    isPublic: (url) => /^https:/i.test(url) && (isInstallationPublic || !url.startsWith(prefix)),
  };
}

/** https, and a host that exists outside of this machine and its network: a public address, or a name with a domain. */
function isPublicBaseUrl(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl);
  const host = hostname.replace(/^\[|\]$/g, '');
  if (protocol !== 'https:') return false;
  if (isIP(host) > 0) return classifyAddress(host, []) === 'public';
  return host.includes('.') && !/\.(?:localhost|local|internal|test|example|invalid)\.?$/.test(host);
}
