import { GatewayError, isGatewayError } from '../../../domain/errors';
import type { ErrorCode } from '../../../domain/error-rules';
import type { ContentBlock, ImageBlock, MessagesBody, Turn } from '../../../domain/messages';
import { linkSignals } from '../../../io/linked-signal';
import type { MediaSource } from '../../../domain/provider';
import type { Call } from '../../../domain/call';

// For upstreams that do not fetch URLs: images by URL are downloaded here, through the SSRF-guarded client, and sent in
// base64.

const takenTypes = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const;

export type ImageReader = Pick<MediaSource, 'read'>;

/** Per request. An image that occurs twice is sent twice. */
const MAX_URLS = 20;
const MAX_BYTES = 60 * 1024 * 1024;
const MAX_AT_ONCE = 4;

/**
 * Returns the body with every image inlined; the same object if none is by URL. Rejects if an image cannot be read, or
 * if there are too many or too large ones.
 */
export async function inlineImages(body: MessagesBody, media: ImageReader, call: Call): Promise<MessagesBody> {
  const times = new Map<string, number>();
  for (const { content } of body.messages) {
    if (typeof content === 'string') continue;
    for (const url of content.flatMap(urlsOf)) times.set(url, (times.get(url) ?? 0) + 1);
  }
  if (times.size === 0) return body;
  if (times.size > MAX_URLS)
    throw refused(
      'unsupported_value',
      `This model takes at most ${MAX_URLS} images by URL; got ${times.size}. Send fewer, or send them in base64.`,
    );
  const images = await readImages(times, media, call);
  const [first, ...others] = body.messages;
  return { ...body, messages: [withImages(first, images), ...others.map((turn) => withImages(turn, images))] };
}

/** Reads a few in parallel; the first failure aborts the others. */
async function readImages(
  times: ReadonlyMap<string, number>,
  media: ImageReader,
  call: Call,
): Promise<ReadonlyMap<string, ImageBlock['source']>> {
  const images = new Map<string, ImageBlock['source']>();
  const failed = new AbortController();
  const either = linkSignals(call.signal, failed.signal);
  const left = [...times];
  let bytes = 0;

  async function readLeft(): Promise<void> {
    for (let next = left.shift(); next; next = left.shift()) {
      const [url, count] = next;
      const image = await readImage(url, media, { ...call, signal: either.signal });
      bytes += image.bytes * count;
      if (bytes > MAX_BYTES)
        throw refused(
          'media_too_large',
          `The images of a request may have at most ${MAX_BYTES / (1024 * 1024)} MiB together. Send fewer or smaller ones.`,
        );
      images.set(url, image.source);
    }
  }

  try {
    await Promise.all(Array.from({ length: MAX_AT_ONCE }, readLeft));
    return images;
  } catch (error) {
    left.length = 0;
    failed.abort(error);
    throw error;
  } finally {
    either.release();
  }
}

/** Returns the error for invalid images of the client, which no other provider could take either. */
function refused(code: ErrorCode, sentence: string): GatewayError {
  return new GatewayError(code, sentence, { param: 'messages', upstream: { retry: 'never', started: 'no' } });
}

function urlsOf(block: ContentBlock): string[] {
  if (block.type === 'image') return block.source.type === 'url' ? [block.source.url] : [];
  return block.type === 'tool_result' && typeof block.content === 'object' ? block.content.flatMap(urlsOf) : [];
}

async function readImage(
  url: string,
  media: ImageReader,
  call: Call,
): Promise<{ readonly bytes: number; readonly source: ImageBlock['source'] }> {
  try {
    const { bytes, contentType, release } = await media.read(url, { kind: 'image' }, call);
    // From here on the bytes count as a part of the request's body.
    release();
    const type = takenTypes.find((taken) => taken === contentType);
    if (!type) throw new GatewayError('media_invalid', 'Images must be JPEG, PNG, GIF or WebP.');
    const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
    return { bytes: bytes.byteLength, source: { type: 'base64', media_type: type, data } };
  } catch (error) {
    if (!isGatewayError(error)) throw error;
    throw refused(error.code, error.message);
  }
}

function withImages(turn: Turn, images: ReadonlyMap<string, ImageBlock['source']>): Turn {
  return typeof turn.content === 'string'
    ? turn
    : { ...turn, content: turn.content.map((block) => withImage(block, images)) };
}

function withImage(block: ContentBlock, images: ReadonlyMap<string, ImageBlock['source']>): ContentBlock {
  if (block.type === 'image' && block.source.type === 'url')
    return { ...block, source: images.get(block.source.url) ?? block.source };
  if (block.type !== 'tool_result' || typeof block.content !== 'object') return block;
  return { ...block, content: block.content.map((inner) => withImage(inner, images)) };
}
