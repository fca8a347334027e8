import { GatewayError, isGatewayError } from '../domain/errors';
import type { Call } from '../domain/call';
import type { AcceptedForm, MediaBytes, MediaInForm, MediaOwner, MediaSource } from '../domain/provider';
import { mediaKind } from '../domain/video';
import { decodeDataUrl, isDataUrl } from './data-url';
import { createHostTurns } from './host-turns';
import type { Reservation } from './inline-budget';
import { createInlineBudget } from './inline-budget';
import { isPublicHttps } from './public-address';
import type { Outbound } from './safe-fetch';
import type { MediaKind } from './sniff-media';
import { allowedMedia, isMediaKind, sniffMedia } from './sniff-media';

interface MediaSourceDeps {
  readonly outbound: Outbound;
  /**
   * The file behind one of this installation's signed links, for its owner; undefined for any other address. Rejects
   * with a GatewayError if this owner may not use the link, or if the file has more than `maxBytes`.
   */
  readonly openOwn: (
    url: string,
    owner: MediaOwner,
    maxBytes: number,
    signal: AbortSignal,
  ) => Promise<Buffer | undefined>;
  /** The limit on media in memory that `as` applies to all requests together. */
  readonly maxInlineBytes?: number;
}

/** At most 200 MB, because the file is held in memory. */
const MAX_FETCHED_BYTES: Readonly<Record<MediaKind, number>> = { image: 20 * 1024 * 1024, video: 200 * 1024 * 1024 };
/** Counts the bytes of the files. A request with them in base64 needs a third more for each copy of its body. */
const MAX_INLINE_BYTES = 256 * 1024 * 1024;
const TOTAL_MS: Readonly<Record<MediaKind, number>> = { image: 20_000, video: 60_000 };
const MAX_REDIRECTS = 3;
const MAX_AT_ONCE_PER_HOST = 5;

interface Want {
  readonly kind: MediaKind;
  readonly owner?: MediaOwner;
  readonly maxBytes: number;
}

export function createMediaSource({
  outbound,
  openOwn,
  maxInlineBytes = MAX_INLINE_BYTES,
}: MediaSourceDeps): MediaSource {
  const turns = createHostTurns(MAX_AT_ONCE_PER_HOST);
  const budget = createInlineBudget(maxInlineBytes);

  return {
    async read(url, { kind, owner }, call) {
      try {
        return await readMedia(url, { kind, maxBytes: MAX_FETCHED_BYTES[kind], ...(owner && { owner }) }, call);
      } catch (error) {
        throw ofCaller(error, call.signal);
      }
    },

    async as({ role, url }, accepts, owner, call) {
      const possible = accepts.filter(({ form }) => form !== 'https' || isPublicHttps(url));
      const [first] = possible;
      if (first === undefined) throw ofCaller(onlyPublic(), call.signal);
      if (first.form === 'https') return { form: 'https', url };

      const kind = mediaKind(role);
      const maxBytes = Math.min(MAX_FETCHED_BYTES[kind], largestInline(possible));
      // Before the file has been read, only a limit of its length is known.
      const atMost = isDataUrl(url) ? Math.min(maxBytes, url.length) : maxBytes;
      const reservation = await budget.reserve(atMost, call.signal);
      try {
        const media = await readMedia(url, { kind, owner, maxBytes }, call);
        const accepted = possible.find(
          (one) => one.form === 'https' || media.bytes.byteLength <= (one.maxBytes ?? Infinity),
        );
        if (accepted === undefined) throw tooLarge(maxBytes);
        reservation.shrink(media.bytes.byteLength);
        return inForm(accepted.form, url, media, reservation);
      } catch (error) {
        reservation.release();
        const isTooLarge = isGatewayError(error) && error.code === 'media_too_large';
        if (isTooLarge && possible.some(({ form }) => form === 'https')) return { form: 'https', url };
        throw ofCaller(error, call.signal);
      }
    },
  };

  async function readMedia(url: string, { kind, owner, maxBytes }: Want, call: Call): Promise<MediaBytes> {
    if (isDataUrl(url)) {
      const media = decodeDataUrl(url, kind);
      if (media.bytes.byteLength > maxBytes) throw tooLarge(maxBytes);
      return media;
    }
    const own = owner && (await readOwn(url, owner, maxBytes, call.signal));
    const bytes = own ?? (await fetchMedia(url, kind, maxBytes, call.signal));
    const contentType = sniffMedia(bytes);
    if (!isMediaKind(contentType, kind))
      throw new GatewayError('media_invalid', `The media address must lead to ${allowedMedia[kind]}.`);
    return { bytes, contentType };
  }

  async function readOwn(
    url: string,
    owner: MediaOwner,
    maxBytes: number,
    signal: AbortSignal,
  ): Promise<Buffer | undefined> {
    try {
      return await openOwn(url, owner, maxBytes, signal);
    } catch (error) {
      if (!isGatewayError(error) || error.code.startsWith('media_')) throw error;
      // Errors of the file's own endpoint, such as `video_expired`, would be about another video than the one ordered.
      const sentence = 'The source is a link of this installation whose file cannot be read.';
      throw new GatewayError('media_unreachable', sentence, { detail: `The link was answered with ${error.code}.` });
    }
  }

  async function fetchMedia(url: string, kind: MediaKind, maxBytes: number, signal: AbortSignal): Promise<Buffer> {
    const host = URL.canParse(url) ? new URL(url).host : '';
    const answer = await turns.run(host, signal, () =>
      outbound.fetch(url, {
        purpose: 'media',
        headers: { accept: `${kind}/*` },
        maxBytes,
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

function largestInline(accepts: readonly AcceptedForm[]): number {
  return Math.max(...accepts.map(({ form, maxBytes }) => (form === 'https' ? 0 : (maxBytes ?? Infinity))));
}

function inForm(
  form: AcceptedForm['form'],
  url: string,
  { bytes, contentType }: MediaBytes,
  { release }: Reservation,
): MediaInForm {
  if (form === 'bytes') return { form, bytes, contentType, release };
  if (form === 'https') {
    release();
    return { form, url };
  }
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  return form === 'base64'
    ? { form, data, contentType, release }
    : { form, url: `data:${contentType};base64,${data}`, release };
}

function onlyPublic(): GatewayError {
  return new GatewayError(
    'media_invalid',
    'The provider of this model takes media only as public https addresses. Use an https address that can be reached from the internet.',
  );
}

function tooLarge(maxBytes: number): GatewayError {
  const limit = `${Math.floor(maxBytes / 1024 / 1024)} MB`;
  return new GatewayError('media_too_large', `The media are larger than ${limit}. Use a smaller file.`);
}

/** The same error with the outcome for media: no provider could read them, and nothing has started. */
function ofCaller(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted || !isGatewayError(error)) return error;
  return new GatewayError(error.code, error.message, {
    ...error.extra,
    upstream: { retry: 'never', started: 'no' },
  });
}
