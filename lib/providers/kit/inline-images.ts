import { GatewayError, isGatewayError } from '../../domain/errors';
import type { ContentBlock, ImageBlock, MessagesBody, Turn } from '../../domain/messages';
import type { Call, MediaSource } from '../../domain/provider';

// For upstreams that do not fetch: pictures by address are read here, through the guarded way out, and go along in base64.

const takenTypes = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const;

/** The same body with every picture in it; the same object when none is by address. Rejects when one cannot be read. */
export async function inlineImages(body: MessagesBody, media: MediaSource, call: Call): Promise<MessagesBody> {
  const urls = new Set(body.messages.flatMap((turn) => (typeof turn.content === 'string' ? [] : turn.content.flatMap(addressesOf))));
  if (urls.size === 0) return body;
  const read = await Promise.all([...urls].map(async (url) => [url, await readImage(url, media, call)] as const));
  const images = new Map<string, ImageBlock['source']>(read);
  const [first, ...others] = body.messages;
  return { ...body, messages: [withImages(first, images), ...others.map((turn) => withImages(turn, images))] };
}

function addressesOf(block: ContentBlock): string[] {
  if (block.type === 'image') return block.source.type === 'url' ? [block.source.url] : [];
  return block.type === 'tool_result' && typeof block.content === 'object' ? block.content.flatMap(addressesOf) : [];
}

async function readImage(url: string, media: MediaSource, call: Call): Promise<ImageBlock['source']> {
  try {
    const { bytes, contentType } = await media.read(url, { kind: 'image' }, call);
    const type = takenTypes.find((taken) => taken === contentType);
    if (!type) throw new GatewayError('media_invalid', 'Pictures must be JPEG, PNG, GIF or WebP.');
    return { type: 'base64', media_type: type, data: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64') };
  } catch (error) {
    if (!isGatewayError(error)) throw error;
    // It is the caller's address: another provider could not read it either.
    throw new GatewayError(error.code, error.message, { ...error.extra, param: 'messages', upstream: { retry: 'never', started: 'no' } });
  }
}

function withImages(turn: Turn, images: ReadonlyMap<string, ImageBlock['source']>): Turn {
  return typeof turn.content === 'string' ? turn : { ...turn, content: turn.content.map((block) => withImage(block, images)) };
}

function withImage(block: ContentBlock, images: ReadonlyMap<string, ImageBlock['source']>): ContentBlock {
  if (block.type === 'image' && block.source.type === 'url') return { ...block, source: images.get(block.source.url) ?? block.source };
  if (block.type !== 'tool_result' || typeof block.content !== 'object') return block;
  return { ...block, content: block.content.map((inner) => withImage(inner, images)) };
}
