import { Readable } from 'node:stream';
import type { MediaReach } from '../catalog/binding-fit';
import type { Clock } from '../domain/clock';
import { GatewayError } from '../domain/errors';
import type { ContentPart } from '../domain/files';
import { isId } from '../domain/ids';
import { mediaKind, type OrderMedia, type VideoOrder } from '../domain/video';
import type { Database } from '../db/database';
import { findOpenMedia, type VideoRow } from '../db/videos';
import { selectBytes } from '../io/open-file';
import { createTextSigner } from '../io/signed-text';
import { START_TIMEOUT_MS } from '../jobs/job';
import { decodeDataUrl, isDataUrl, MAX_DATA_URL_BYTES, sniffDataUrl } from '../net/data-url';
import { createInlineBudget } from '../net/inline-budget';
import { isPublicHttps } from '../net/public-address';
import type { MediaContent, SignedLink } from './videos';

// Publishes the bytes of data URLs for providers that take media only as https URLs. A link contains the video's id and
// the position of the medium in the stored order, so that the bytes are stored only once. It expires with its video.

export interface PublishedMedia {
  readonly reach: MediaReach;
  /**
   * Replaces the data URLs of an order by links. Returns the same order if providers cannot reach this installation.
   */
  publish(order: VideoOrder, video: Pick<VideoRow, 'id' | 'deadlineAt' | 'deadlineSeconds'>): VideoOrder;
  /** Removes the signatures of such links from a text. */
  redact(text: string): string;
  /** See `Videos.openMedia`. */
  open(id: string, file: string, link: SignedLink, part: ContentPart, signal: AbortSignal): Promise<MediaContent>;
}

const MAX_FILE_BYTES = Math.max(...Object.values(MAX_DATA_URL_BYTES));
const MAX_OPEN_BYTES = 128 * 1024 * 1024;
const CHUNK_BYTES = 64 * 1024;

export function createPublishedMedia({
  db,
  clock,
  secret,
  baseUrl,
  maxOpenBytes = MAX_OPEN_BYTES,
}: {
  db: Database;
  clock: Clock;
  secret: string;
  baseUrl: string;
  /** The limit on files in memory, of all requests together. */
  maxOpenBytes?: number;
}): PublishedMedia {
  const signer = createTextSigner(secret, 'patchbay published media v1');
  const budget = createInlineBudget(maxOpenBytes);
  const publishes = isPublicHttps(baseUrl);
  const textOf = (id: string, file: string, expires: string) => `${id}\n${file}\n${expires}`;

  function linkTo(id: string, file: string, expires: string): string {
    const signature = signer.sign(textOf(id, file, expires));
    return `${baseUrl}/internal/videos/${id}/media/${file}?expires=${expires}&signature=${signature}`;
  }

  return {
    reach: { publishes, reaches: (url) => (isDataUrl(url) ? publishes : isPublicHttps(url)) },

    publish(order, video) {
      if (!publishes || !order.media.some(({ url }) => isDataUrl(url))) return order;
      const expires = expiryOf(video);
      const media = order.media.map((medium, place): OrderMedia =>
        isDataUrl(medium.url)
          ? { ...medium, publishedUrl: linkTo(video.id, fileName(medium.url, place), expires) }
          : medium,
      );
      return { ...order, media };
    },

    redact: (text) => text.replace(SIGNATURE, '$1…'),

    async open(id, file, { expires, signature }, part, signal) {
      if (!isId('video', id) || !signer.verify(textOf(id, file, expires), signature))
        throw new GatewayError(
          'invalid_signature',
          'This link is not valid. Providers read the URL that was sent with the order, unchanged.',
        );
      if (Number(expires) * 1000 <= clock.nowMs()) throw ended();
      const reservation = await budget.reserve(MAX_FILE_BYTES, signal);
      try {
        const medium = await findOpenMedia(db, id, Number.parseInt(file, 10));
        if (!medium) throw ended();
        const { bytes, contentType } = decodeDataUrl(medium.url, mediaKind(medium.role));
        reservation.shrink(bytes.byteLength);
        const content = contentOf(bytes, part);
        content.body.once('close', reservation.release);
        return { ...content, contentType };
      } catch (error) {
        reservation.release();
        throw error;
      }
    },
  };
}

/** The query of a link, which has the signature at its end. */
const SIGNATURE = /(\/internal\/videos\/\w+\/media\/[\w.]+\?expires=\d+&signature=)[\w-]+/g;

/**
 * Returns the latest possible end of a video that is about to start, in Unix seconds. `deadlineAt` limits the wait for
 * a start, which may take `START_TIMEOUT_MS`, and the provider has `deadlineSeconds` from its acceptance on. The result
 * is the same for all attempts, so that a repeated request has the same body.
 */
function expiryOf({ deadlineAt, deadlineSeconds }: Pick<VideoRow, 'deadlineAt' | 'deadlineSeconds'>): string {
  return String(Math.ceil((deadlineAt.getTime() + START_TIMEOUT_MS) / 1000) + deadlineSeconds);
}

/** Some providers read the type of a file from its name. */
function fileName(dataUrl: string, place: number): string {
  const [, subtype = 'bin'] = (sniffDataUrl(dataUrl) ?? '').split('/');
  return `${place}.${subtype === 'quicktime' ? 'mov' : subtype}`;
}

function contentOf(bytes: Uint8Array, part: ContentPart): Omit<MediaContent, 'contentType'> {
  const total = bytes.byteLength;
  if (part === 'head') return { status: 200, start: 0, length: total, total, body: Readable.from([]) };
  if (part === undefined) return { status: 200, start: 0, length: total, total, body: streamOf(bytes) };
  const selected = selectBytes(part, total);
  if (!selected) return { status: 416, start: 0, total, body: Readable.from([]) };
  const { start, end } = selected;
  return { status: 206, start, length: end - start + 1, total, body: streamOf(bytes.subarray(start, end + 1)) };
}

/** Returns a stream of the bytes, in chunks, so that it closes only when nearly all of them have been sent. */
function streamOf(bytes: Uint8Array): Readable {
  function* chunks() {
    for (let at = 0; at < bytes.byteLength; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES);
  }
  return Readable.from(chunks(), { objectMode: false });
}

function ended(): GatewayError {
  return new GatewayError('video_expired', 'This link was valid until its video ended.');
}
