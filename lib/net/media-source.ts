import { GatewayError, isGatewayError } from '../domain/errors';
import type { Call } from '../domain/call';
import type { ByteRange, Content, ProbeVideo, ReadPart, VideoFileFacts } from '../domain/files';
import type { AcceptedForm, HeldMedia, MediaBytes, MediaInForm, MediaOwner, MediaSource } from '../domain/provider';
import { mediaKind } from '../domain/video';
import { readPartOf } from '../io/video-probe';
import { decodeDataUrl, isDataUrl } from './data-url';
import { createHostTurns } from './host-turns';
import { createInlineBudget, type Reservation } from './inline-budget';
import { isPublicHttps } from './public-address';
import { declaredLength } from './read-body';
import type { Outbound } from './safe-fetch';
import type { MediaKind } from './sniff-media';
import { allowedMedia, isMediaKind, sniffMedia } from './sniff-media';
import { parseUrl } from '../domain/url';

interface MediaSourceDeps {
  readonly outbound: Outbound;
  /**
   * The file behind one of this installation's signed links, or a part of it, for its owner; undefined for any other
   * URL. Rejects with a GatewayError if this owner may not use the link.
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
/**
 * The limit on media in memory, of which large files may use half. It counts the bytes of the files: a request that
 * contains them in base64 needs a third more for each copy of its body.
 */
const MAX_INLINE_BYTES = 256 * 1024 * 1024;
/** Larger than every image, and than any file that providers take inside a request. */
const LARGE_BYTES = 32 * 1024 * 1024;
const TOTAL_MS: Readonly<Record<MediaKind, number>> = { image: 20_000, video: 60_000 };
const MAX_REDIRECTS = 3;
const MAX_AT_ONCE_PER_HOST = 5;
/** 8 MB: the index of a long video, or of one whose index is scattered over the file. */
const MAX_MEASURED_BLOCKS = 32;

export interface CallerMedia extends MediaSource {
  /**
   * The facts of a video, read from the index of its file. The whole file is read only if its server does not send
   * parts and the index is not at the beginning. Rejects as `read` does.
   */
  measure(url: string, owner: MediaOwner, call: Call): Promise<VideoFileFacts>;
}

interface Want {
  readonly kind: MediaKind;
  readonly owner?: MediaOwner;
  readonly maxBytes: number;
}

type FileWanted = Pick<Parameters<Outbound['fetch']>[1], 'maxBytes' | 'range' | 'wantsBody' | 'whenLonger'>;

/**
 * Reserves the memory of a file, before its first byte is read. `bytes` is the length of the file, or the limit of it
 * if the length is unknown. Returns false if the memory is not free; the file is then closed.
 */
type TakeMemory = (bytes: number) => boolean;

export function createMediaSource({
  outbound,
  openOwn,
  probe,
  maxInlineBytes = MAX_INLINE_BYTES,
}: MediaSourceDeps): CallerMedia {
  const turns = createHostTurns(MAX_AT_ONCE_PER_HOST);
  const budget = createInlineBudget(maxInlineBytes / 2, { fromBytes: LARGE_BYTES, maxBytes: maxInlineBytes / 2 });

  return {
    async read(url, { kind, owner }, call) {
      try {
        return await readHeld(url, { kind, maxBytes: MAX_FETCHED_BYTES[kind], ...(owner && { owner }) }, call);
      } catch (error) {
        throw ofCaller(error, call.signal);
      }
    },

    async as({ role, url, publishedUrl }, accepts, owner, call) {
      // The URL at which the provider itself can read the media.
      const publicUrl = isPublicHttps(url) ? url : publishedUrl;
      const possible = formsFor(url, publicUrl, accepts);
      const [first] = possible;
      if (first === undefined) throw ofCaller(onlyPublic(), call.signal);
      if (publicUrl !== undefined && first.form === 'https') return { form: 'https', url: publicUrl };

      const kind = mediaKind(role);
      const maxBytes = Math.min(MAX_FETCHED_BYTES[kind], largestInline(possible));
      try {
        const media = await readHeld(url, { kind, owner, maxBytes }, call);
        const accepted = possible.find(
          (one) => one.form === 'https' || media.bytes.byteLength <= (one.maxBytes ?? Infinity),
        );
        if (accepted) return inForm(accepted.form, publicUrl ?? url, media);
        media.release();
        throw tooLarge(maxBytes);
      } catch (error) {
        if (publicUrl !== undefined && isTooLarge(error) && possible.some(({ form }) => form === 'https'))
          return { form: 'https', url: publicUrl };
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
    const ofOwner = { ...call, orgId: owner.orgId };
    const measureBytes = (bytes: Uint8Array) => probe(partsOf(bytes), MAX_MEASURED_BLOCKS, signal);
    if (isDataUrl(url)) return measureBytes(decodeDataUrl(url, 'video').bytes);
    let ignoresRanges = false;
    try {
      const readPart: ReadPart = async (start, end) => {
        const own = await openOwnFile(url, owner, { start, end }, signal);
        if (own) return readPartOf(own);
        if (ignoresRanges) throw tooLarge(end - start + 1);
        const part = await fetchPart(url, start, end, ofOwner);
        ignoresRanges = part.status === 200;
        return part;
      };
      return await probe(readPart, MAX_MEASURED_BLOCKS, signal);
    } catch (error) {
      if (!isTooLarge(error)) throw error;
    }
    // The server ignores ranges, and the index is not in the beginning of the file.
    const maxBytes = MAX_FETCHED_BYTES.video;
    const { file, release } = await readReserved(maxBytes, ofOwner, (take) =>
      fetchMedia(url, 'video', maxBytes, take, ofOwner),
    );
    try {
      return await measureBytes(file);
    } finally {
      release();
    }
  }

  async function readHeld(url: string, want: Want, call: Call): Promise<MediaBytes & HeldMedia> {
    const { kind, owner, maxBytes } = want;
    const ofOwner = owner ? { ...call, orgId: owner.orgId } : call;
    const { file, release } = await readReserved(maxBytes, ofOwner, (take) => readFile(url, want, take, ofOwner));
    const contentType = sniffMedia(file);
    if (isMediaKind(contentType, kind)) return { bytes: file, contentType, release };
    release();
    throw wrongKind(kind);
  }

  /** `read` resolves to undefined if the memory was not free. */
  async function readReserved(
    maxBytes: number,
    { signal, orgId }: Call,
    read: (take: TakeMemory) => Promise<Uint8Array | undefined>,
  ): Promise<{ readonly file: Uint8Array } & HeldMedia> {
    let reserved: Reservation | undefined;
    let missingBytes = 0;
    const take: TakeMemory = (bytes) => {
      if (reserved && bytes <= missingBytes) return true;
      reserved?.release();
      reserved = budget.take(bytes, signal, orgId);
      // If the file is longer than at the last read, it may grow each time, so the maximum is reserved next.
      if (!reserved) missingBytes = missingBytes === 0 ? bytes : maxBytes;
      return reserved !== undefined;
    };
    try {
      for (;;) {
        const file = await read(take);
        if (file && reserved) {
          reserved.shrink(file.byteLength);
          return { file, release: reserved.release };
        }
        // Gives up its turn at the host, waits for memory, and then reads again. Calls that hold memory may wait for a
        // turn at the host, so a call must not keep its turn while it waits for their memory.
        reserved = await budget.reserve(missingBytes, signal, orgId);
      }
    } catch (error) {
      reserved?.release();
      throw error;
    }
  }

  async function readFile(
    url: string,
    { kind, owner, maxBytes }: Want,
    take: TakeMemory,
    call: Call,
  ): Promise<Uint8Array | undefined> {
    if (isDataUrl(url)) {
      if (!take(Math.min(maxBytes, url.length))) return undefined;
      const { bytes } = decodeDataUrl(url, kind);
      if (bytes.byteLength > maxBytes) throw tooLarge(maxBytes);
      return bytes;
    }
    const own = owner && (await openOwnFile(url, owner, undefined, call.signal));
    return own ? readWhole(own, maxBytes, take) : fetchMedia(url, kind, maxBytes, take, call);
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
      // The errors of reading a link, such as `video_expired`, would seem to be about the video that is being ordered.
      const sentence =
        'The source is a link of this installation whose file cannot be read. Check that its video is completed and has not expired.';
      throw new GatewayError('media_unreachable', sentence, { detail: `Reading the link failed with ${error.code}.` });
    }
  }

  async function fetchMedia(
    url: string,
    kind: MediaKind,
    maxBytes: number,
    take: TakeMemory,
    call: Call,
  ): Promise<Buffer | undefined> {
    let isTaken = false;
    const wantsBody: FileWanted['wantsBody'] = ({ status, bytes }) => status === 200 && (isTaken = take(bytes));
    const { status, body } = await fetchFile(url, kind, { maxBytes, wantsBody }, call);
    if (status !== 200) throw noFile(status);
    return isTaken ? body : undefined;
  }

  /**
   * Reads a part of a file, with the status of the response: 200 if the server ignores ranges. Then only the beginning
   * can be read without the rest; rejects with `media_too_large` for another part of a file that is longer than the
   * part.
   */
  async function fetchPart(
    url: string,
    start: number,
    end: number,
    call: Call,
  ): Promise<{ readonly status: number; readonly bytes: Uint8Array; readonly total: number }> {
    const maxBytes = end - start + 1;
    const whenLonger = start === 0 ? 'stop' : 'refuse';
    const want = { maxBytes, whenLonger, range: { start, end } } as const;
    const { status, headers, body } = await fetchFile(url, 'video', want, call);
    if (status === 200) {
      const total = declaredLength(headers) ?? (body.length < maxBytes ? body.length : undefined);
      if (total === undefined) throw tooLarge(maxBytes);
      return { status, bytes: body.subarray(start, end + 1), total };
    }
    const [, first, total] = /^bytes (\d+)-\d+\/(\d+)$/.exec(headers['content-range'] ?? '') ?? [];
    if (status !== 206 || Number(first) !== start) throw noFile(status);
    return { status, bytes: body, total: Number(total) };
  }

  function fetchFile(
    url: string,
    kind: MediaKind,
    want: FileWanted,
    { signal, orgId }: Call,
  ): ReturnType<Outbound['fetch']> {
    const host = parseUrl(url)?.host ?? '';
    const fetch = () =>
      outbound.fetch(url, {
        ...want,
        purpose: 'media',
        headers: { accept: `${kind}/*` },
        totalMs: TOTAL_MS[kind],
        redirects: MAX_REDIRECTS,
        signal,
      });
    // Others may wait for the memory that a call holds until it has read all of its media.
    return turns.run(host, signal, fetch, { orgId, isFirst: budget.holds(signal) });
  }
}

function partsOf(bytes: Uint8Array): ReadPart {
  return async (start, end) => ({ bytes: bytes.subarray(start, end + 1), total: bytes.length });
}

async function readWhole(
  { length, total, body }: Content,
  maxBytes: number,
  take: TakeMemory,
): Promise<Buffer | undefined> {
  const atMost = length ?? total ?? maxBytes;
  if (atMost > maxBytes || !take(atMost)) {
    body.destroy();
    if (atMost > maxBytes) throw tooLarge(maxBytes);
    return undefined;
  }
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
 * Returns the forms in which a provider can get the media. A provider that takes the bytes of a data URL inside its
 * request need not read them from us, so the URL is the last form.
 */
function formsFor(
  url: string,
  publicUrl: string | undefined,
  accepts: readonly AcceptedForm[],
): readonly AcceptedForm[] {
  const inline = accepts.filter(({ form }) => form !== 'https');
  if (publicUrl === undefined) return inline;
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
    'The provider of this model takes media only as public https URLs. Use an https URL that can be reached from the internet.',
  );
}

function wrongKind(kind: MediaKind): GatewayError {
  return new GatewayError('media_invalid', `The media URL must lead to ${allowedMedia[kind]}.`);
}

function noFile(status: number): GatewayError {
  const problem = `answered with status ${status} instead of the file`;
  return new GatewayError('media_unreachable', `The media URL ${problem}. Check that it is public.`);
}

function noLength(): GatewayError {
  return new GatewayError(
    'media_invalid',
    `The length of the video cannot be read from its file. The media URL must lead to ${allowedMedia.video}, preferably with its index at the beginning.`,
  );
}

const isTooLarge = (error: unknown): boolean => isGatewayError(error) && error.code === 'media_too_large';

function tooLarge(maxBytes: number): GatewayError {
  const limit = `${Math.floor(maxBytes / 1024 / 1024)} MB`;
  return new GatewayError('media_too_large', `The media are larger than ${limit}. Use a smaller file.`);
}

/** Returns the error as one of the media: no provider could read them, and nothing has started. */
function ofCaller(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted || !isGatewayError(error)) return error;
  return new GatewayError(error.code, error.message, {
    ...error.extra,
    upstream: { retry: 'never', started: 'no' },
  });
}
