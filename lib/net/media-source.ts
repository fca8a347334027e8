import { GatewayError } from '../domain/errors';
import type { MediaSource } from '../domain/provider';
import { decodeDataUrl, isDataUrl } from './data-url';
import { createHostTurns } from './host-turns';
import type { Outbound } from './safe-fetch';
import type { MediaKind } from './sniff-media';
import { allowedMedia, isMediaKind, sniffMedia } from './sniff-media';

interface MediaSourceDeps {
  readonly outbound: Outbound;
  /**
   * The file behind one of this installation's signed links, for its owner; undefined for any other address. Rejects
   * with a GatewayError if this owner may not use the link.
   */
  readonly openOwn: (url: string, owner: MediaOwner, signal: AbortSignal) => Promise<Buffer | undefined>;
}

type MediaOwner = NonNullable<Parameters<MediaSource['read']>[1]['owner']>;

/** At most 200 MB, because the file is held in memory. */
const MAX_FETCHED_BYTES: Readonly<Record<MediaKind, number>> = { image: 20 * 1024 * 1024, video: 200 * 1024 * 1024 };
const TOTAL_MS: Readonly<Record<MediaKind, number>> = { image: 20_000, video: 60_000 };
const MAX_REDIRECTS = 3;
const MAX_AT_ONCE_PER_HOST = 5;

export function createMediaSource({ outbound, openOwn }: MediaSourceDeps): MediaSource {
  const turns = createHostTurns(MAX_AT_ONCE_PER_HOST);

  return {
    async read(url, { kind, owner }, call) {
      if (isDataUrl(url)) return decodeDataUrl(url, kind);
      const bytes = (owner && (await openOwn(url, owner, call.signal))) ?? (await fetchMedia(url, kind, call.signal));
      const contentType = sniffMedia(bytes);
      if (!isMediaKind(contentType, kind))
        throw new GatewayError('media_invalid', `The media address must lead to ${allowedMedia[kind]}.`);
      return { bytes, contentType };
    },
  };

  async function fetchMedia(url: string, kind: MediaKind, signal: AbortSignal): Promise<Buffer> {
    const host = URL.canParse(url) ? new URL(url).host : '';
    const answer = await turns.run(host, signal, () =>
      outbound.fetch(url, {
        purpose: 'media',
        headers: { accept: `${kind}/*` },
        maxBytes: MAX_FETCHED_BYTES[kind],
        totalMs: TOTAL_MS[kind],
        redirects: MAX_REDIRECTS,
        signal,
      }),
    );
    if (answer.status === 200) return answer.body;
    const problem = `answered with status ${answer.status} instead of the file`;
    throw new GatewayError('media_unreachable', `The media address ${problem}. Check that it is public.`);
  }
}
