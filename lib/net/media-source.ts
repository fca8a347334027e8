import { GatewayError, isGatewayError } from '../domain/errors';
import type { Call } from '../domain/call';
import type { ByteRange, Content, ProbeVideo, ReadPart, VideoFileFacts } from '../domain/files';
import type { AcceptedForm, HeldMedia, MediaBytes, MediaInForm, MediaOwner, MediaSource } from '../domain/provider';
import { mediaKind } from '../domain/video';
import { readPartOf } from '../io/video-probe';
import { decodeDataUrl, isDataUrl } from './data-url';
import { createHostTurns } from './host-turns';
import { createInlineBudget } from './inline-budget';
import { isPublicHttps } from './public-address';
import type { Outbound } from './safe-fetch';
import type { MediaKind } from './sniff-media';
import { allowedMedia, isMediaKind, sniffMedia } from './sniff-media';
import { parseUrl } from '../domain/url';

interface MediaSourceDeps {
  readonly outbound: Outbound;
  /**
   * The file behind one of this installation's signed links, or a part of it, for its owner; undefined for any other
   * address. Rejects with a GatewayError if this owner may not use the link.
   */
  readonly openOwn: (
    url: string,
    owner: MediaOwner,
    part: ByteRange | undefined,
    signal: AbortSignal,
  ) => Promise<Content | undefined>;
  readonly probe: ProbeVideo;
  /** The limit on media in memory of all requests together. */
  readonly maxInlineBytes?: number;
}

/** At most 200 MB, because the file is held in memory. */
const MAX_FETCHED_BYTES: Readonly<Record<MediaKind, number>> = { image: 20 * 1024 * 1024, video: 200 * 1024 * 1024 };
/** Counts the bytes of the files. A request with them in base64 needs a third more for each copy of its body. */
const MAX_INLINE_BYTES = 256 * 1024 * 1024;
const TOTAL_MS: Readonly<Record<MediaKind, number>> = { image: 20_000, video: 60_000 };
const MAX_REDIRECTS = 3;
const MAX_AT_ONCE_PER_HOST = 5;
/** 8 MB: the index of a long video, or of one whose index is scattered over the file. */
const MAX_MEASURED_BLOCKS = 32;

export interface CallerMedia extends MediaSource {
  /**
   * The facts of a video, read from the index of its file; the whole file is read only if its server does not send
   * parts. Rejects as `read` does.
   */
  measure(url: string, owner: MediaOwner, call: Call): Promise<VideoFileFacts>;
}

interface Want {
  readonly kind: MediaKind;
  readonly owner?: MediaOwner;
  readonly maxBytes: number;
}

export function createMediaSource({
  outbound,
  openOwn,
  probe,
  maxInlineBytes = MAX_INLINE_BYTES,
}: MediaSourceDeps): CallerMedia {
  const turns = createHostTurns(MAX_AT_ONCE_PER_HOST);
  const budget = createInlineBudget(maxInlineBytes);

  return {
    async read(url, { kind, owner }, call) {
      try {
        return await readHeld(url, { kind, maxBytes: MAX_FETCHED_BYTES[kind], ...(owner && { owner }) }, call);
      } catch (error) {
        throw ofCaller(error, call.signal);
      }
    },

    async as({ role, url, publishedUrl }, accepts, owner, call) {
      // The address at which the provider itself can read the media.
      const address = isPublicHttps(url) ? url : publishedUrl;
      const possible = formsFor(url, address, accepts);
      const [first] = possible;
      if (first === undefined) throw ofCaller(onlyPublic(), call.signal);
      if (address !== undefined && first.form === 'https') return { form: 'https', url: address };

      const kind = mediaKind(role);
      const maxBytes = Math.min(MAX_FETCHED_BYTES[kind], largestInline(possible));
      try {
        const media = await readHeld(url, { kind, owner, maxBytes }, call);
        const accepted = possible.find(
          (one) => one.form === 'https' || media.bytes.byteLength <= (one.maxBytes ?? Infinity),
        );
        if (accepted) return inForm(accepted.form, address ?? url, media);
        media.release();
        throw tooLarge(maxBytes);
      } catch (error) {
        if (address !== undefined && isTooLarge(error) && possible.some(({ form }) => form === 'https'))
          return { form: 'https', url: address };
        throw ofCaller(error, call.signal);
      }
    },

    async measure(url, owner, call) {
      try {
        const facts = await factsOf(url, owner, call);
        if (facts) return facts;
        throw noLength();
      } catch (error) {
        throw ofCaller(error, call.signal);
      }
    },
  };

  async function factsOf(url: string, owner: MediaOwner, call: Call): Promise<VideoFileFacts | undefined> {
    const { signal } = call;
    const measureBytes = (bytes: Uint8Array) => probe(partsOf(bytes), MAX_MEASURED_BLOCKS, signal);
    if (isDataUrl(url)) return measureBytes(decodeDataUrl(url, 'video').bytes);
    try {
      const readPart: ReadPart = async (start, end) => {
        const own = await openOwnFile(url, owner, { start, end }, signal);
        return own ? readPartOf(own) : fetchPart(url, start, end, signal);
      };
      return await probe(readPart, MAX_MEASURED_BLOCKS, signal);
    } catch (error) {
      if (!isTooLarge(error)) throw error;
    }
    // The server ignores ranges.
    const maxBytes = MAX_FETCHED_BYTES.video;
    const reservation = await budget.reserve(maxBytes, signal);
    try {
      return await measureBytes(await fetchMedia(url, 'video', maxBytes, signal));
    } finally {
      reservation.release();
    }
  }

  async function readHeld(url: string, want: Want, call: Call): Promise<MediaBytes & HeldMedia> {
    // Before the file has been read, only a limit of its length is known.
    const atMost = isDataUrl(url) ? Math.min(want.maxBytes, url.length) : want.maxBytes;
    const { shrink, release } = await budget.reserve(atMost, call.signal);
    try {
      const media = await readMedia(url, want, call);
      shrink(media.bytes.byteLength);
      return { ...media, release };
    } catch (error) {
      release();
      throw error;
    }
  }

  async function readMedia(url: string, { kind, owner, maxBytes }: Want, call: Call): Promise<MediaBytes> {
    if (isDataUrl(url)) {
      const media = decodeDataUrl(url, kind);
      if (media.bytes.byteLength > maxBytes) throw tooLarge(maxBytes);
      return media;
    }
    const own = owner && (await openOwnFile(url, owner, undefined, call.signal));
    const bytes = own ? await readWhole(own, maxBytes) : await fetchMedia(url, kind, maxBytes, call.signal);
    const contentType = sniffMedia(bytes);
    if (!isMediaKind(contentType, kind)) throw wrongKind(kind);
    return { bytes, contentType };
  }

  async function openOwnFile(
    url: string,
    owner: MediaOwner,
    part: ByteRange | undefined,
    signal: AbortSignal,
  ): Promise<Content | undefined> {
    try {
      return await openOwn(url, owner, part, signal);
    } catch (error) {
      if (!isGatewayError(error) || error.code.startsWith('media_')) throw error;
      // Errors of the file's own endpoint, such as `video_expired`, would be about another video than the one ordered.
      const sentence = 'The source is a link of this installation whose file cannot be read.';
      throw new GatewayError('media_unreachable', sentence, { detail: `The link was answered with ${error.code}.` });
    }
  }

  async function fetchMedia(url: string, kind: MediaKind, maxBytes: number, signal: AbortSignal): Promise<Buffer> {
    const answer = await fetchFile(url, kind, { maxBytes }, signal);
    if (answer.status === 200) return answer.body;
    throw noFile(answer.status);
  }

  /** Rejects with `media_too_large` if the server sends the whole file and it is longer than the part. */
  async function fetchPart(url: string, start: number, end: number, signal: AbortSignal): ReturnType<ReadPart> {
    const want = { maxBytes: end - start + 1, range: { start, end } };
    const { status, headers, body } = await fetchFile(url, 'video', want, signal);
    if (status === 200) return partsOf(body)(start, end);
    const [, first, total] = /^bytes (\d+)-\d+\/(\d+)$/.exec(headers['content-range'] ?? '') ?? [];
    if (status !== 206 || Number(first) !== start) throw noFile(status);
    return { bytes: body, total: Number(total) };
  }

  function fetchFile(
    url: string,
    kind: MediaKind,
    want: { readonly maxBytes: number; readonly range?: ByteRange },
    signal: AbortSignal,
  ): ReturnType<Outbound['fetch']> {
    const host = parseUrl(url)?.host ?? '';
    return turns.run(host, signal, () =>
      outbound.fetch(url, {
        ...want,
        purpose: 'media',
        headers: { accept: `${kind}/*` },
        totalMs: TOTAL_MS[kind],
        redirects: MAX_REDIRECTS,
        signal,
      }),
    );
  }
}

function partsOf(bytes: Uint8Array): ReadPart {
  return async (start, end) => ({ bytes: bytes.subarray(start, end + 1), total: bytes.length });
}

async function readWhole({ body }: Content, maxBytes: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of body) {
    // Safe: the body of a file yields Buffers.
    parts.push(part as Buffer);
    bytes += (part as Buffer).length;
    if (bytes > maxBytes) throw tooLarge(maxBytes);
  }
  return Buffer.concat(parts, bytes);
}

/**
 * The forms that the media can have. A provider that takes the bytes of a data URL inside its request need not read them
 * from us, so their address is the last form.
 */
function formsFor(url: string, address: string | undefined, accepts: readonly AcceptedForm[]): readonly AcceptedForm[] {
  const inline = accepts.filter(({ form }) => form !== 'https');
  if (address === undefined) return inline;
  return isDataUrl(url) ? [...inline, ...accepts.filter(({ form }) => form === 'https')] : accepts;
}

function largestInline(accepts: readonly AcceptedForm[]): number {
  return Math.max(...accepts.map(({ form, maxBytes }) => (form === 'https' ? 0 : (maxBytes ?? Infinity))));
}

function inForm(
  form: AcceptedForm['form'],
  url: string,
  { bytes, contentType, release }: MediaBytes & HeldMedia,
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

function wrongKind(kind: MediaKind): GatewayError {
  return new GatewayError('media_invalid', `The media address must lead to ${allowedMedia[kind]}.`);
}

function noFile(status: number): GatewayError {
  const problem = `answered with status ${status} instead of the file`;
  return new GatewayError('media_unreachable', `The media address ${problem}. Check that it is public.`);
}

function noLength(): GatewayError {
  return new GatewayError(
    'media_invalid',
    `The length of the video cannot be read from its file. The media address must lead to ${allowedMedia.video}, best with its index at the beginning.`,
  );
}

const isTooLarge = (error: unknown): boolean => isGatewayError(error) && error.code === 'media_too_large';

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
