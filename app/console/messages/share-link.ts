import { parseJson } from './conversation';

// A request as the fragment of a link: compressed JSON in base64url. A browser never sends a fragment to a server, so
// only the sender and the recipient see the request. The link contains no answers except those of earlier turns, and no
// key, because the page has none.

const FRAGMENT = '#request=';
/** Browsers and chat programs handle links up to about this length. */
export const MAX_LINK_CHARS = 32_000;
/**
 * The maximum length of the decompressed request. A link of MAX_LINK_CHARS could decompress to a thousand times its
 * length.
 */
const MAX_REQUEST_CHARS = 2_000_000;

/**
 * Returns the link to this page with the request. Throws an Error with a user-readable message if the link would be too
 * long.
 */
export async function makeLink(body: unknown, pageUrl: string): Promise<string> {
  const link = pageUrl.split('#', 1)[0] + FRAGMENT + base64Url(await compressed(JSON.stringify(body)));
  if (link.length > MAX_LINK_CHARS)
    throw new Error(
      `This request is too large for a link: it would have ${link.length.toLocaleString('en')} characters, and at most ${MAX_LINK_CHARS.toLocaleString('en')} work everywhere. Remove images or shorten the conversation, or copy the request as JSON under “View code”.`,
    );
  return link;
}

/** Whether the fragment of a URL contains a request. */
export function hasRequest(fragment: string): boolean {
  return fragment.startsWith(FRAGMENT);
}

/** Reads the request from a fragment. Throws an Error with a user-readable message if it cannot be read. */
export async function readLink(fragment: string): Promise<unknown> {
  let text: string;
  try {
    text = await decompressed(bytesOf(fragment.slice(FRAGMENT.length)));
  } catch (error) {
    if (error instanceof RangeError)
      throw new Error('The request of this link is too large to open. Ask for it as JSON.');
    throw new Error('The request of this link cannot be read: the link is damaged or was cut off. Ask for it again.');
  }
  return parseJson(text);
}

async function compressed(text: string): Promise<Uint8Array> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/**
 * Decompresses a text. Throws a RangeError as soon as it is too long, because a short link could otherwise exhaust the
 * memory.
 */
async function decompressed(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const reader = new Blob([bytes])
    .stream()
    .pipeThrough(new DecompressionStream('deflate-raw'))
    .pipeThrough(new TextDecoderStream())
    .getReader();
  let text = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += part.value;
    if (text.length <= MAX_REQUEST_CHARS) continue;
    await reader.cancel();
    throw new RangeError('too long');
  }
  return text;
}

function base64Url(bytes: Uint8Array): string {
  let letters = '';
  for (const byte of bytes) letters += String.fromCharCode(byte);
  return btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const letters = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
}
