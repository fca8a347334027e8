import { GatewayError } from '../domain/errors';
import type { MediaBytes } from '../domain/provider';
import type { MediaKind } from './sniff-media';
import { allowedMedia, isMediaKind, sniffMedia } from './sniff-media';

/** Decoded bytes of media in a `data:` URL. */
export const MAX_DATA_URL_BYTES: Readonly<Record<MediaKind, number>> = {
  image: 20 * 1024 * 1024,
  video: 25 * 1024 * 1024,
};

/** The maximum length of type, parameters and comma. */
const MAX_HEAD_CHARS = 256;
/** Encodes at least the bytes that `sniffMedia` needs, in base64 and percent-encoded. */
const SNIFF_CHARS = 192;

export function isDataUrl(text: string): boolean {
  return /^data:/i.test(text);
}

/** Checks syntax, size and kind without keeping the bytes. Throws `media_invalid` or `media_too_large`. */
export function checkDataUrl(text: string, kind: MediaKind, param: string): void {
  decodeDataUrl(text, kind, param);
}

/** Decodes the media of a `data:` URL, base64 or percent-encoded. Throws `media_invalid` or `media_too_large`. */
export function decodeDataUrl(text: string, kind: MediaKind, param?: string): MediaBytes {
  const extra = param === undefined ? {} : { param };
  const subject = param ?? 'The data URL';
  const invalid = (problem: string) => new GatewayError('media_invalid', `${subject} ${problem}`, extra);

  const head = parseHead(text);
  if (head === undefined) throw invalid(`is not a complete data URL. It must look like data:${kind}/…;base64,…`);
  const { type, isBase64, start } = head;
  if (!type.startsWith(`${kind}/`)) throw invalid(`must hold ${allowedMedia[kind]} and say so in its type.`);

  const maxBytes = MAX_DATA_URL_BYTES[kind];
  const limit = `${maxBytes / 1024 / 1024} MB`;
  const tooLarge = () =>
    new GatewayError(
      'media_too_large',
      `${subject} is larger than ${limit}. Use a smaller file or an https URL.`,
      extra,
    );
  // Checked before anything is decoded.
  if (isBase64 ? base64Bytes(text, start) > maxBytes : text.length - start > maxBytes * 3) throw tooLarge();
  const bytes = isBase64 ? decodeBase64(text, start) : decodePercent(text, start);
  if (bytes === undefined) throw invalid(isBase64 ? 'is not valid base64.' : 'is not validly percent-encoded.');
  if (bytes.length > maxBytes) throw tooLarge();

  const contentType = sniffMedia(bytes);
  if (!isMediaKind(contentType, kind)) throw invalid(`must hold ${allowedMedia[kind]}.`);
  return { bytes, contentType };
}

/** Returns the type of the media of a valid data URL, detected from their first bytes; see `sniffMedia`. */
export function sniffDataUrl(text: string): string | undefined {
  const head = parseHead(text);
  if (head === undefined) return undefined;
  const encoded = text.slice(head.start, head.start + SNIFF_CHARS);
  const bytes = head.isBase64 ? Buffer.from(encoded, 'base64') : decodePercent(encoded.replace(/%.?$/, ''), 0);
  return bytes && sniffMedia(bytes);
}

interface Head {
  /** The media type, in lower case. */
  readonly type: string;
  readonly isBase64: boolean;
  /** The first character behind the comma. */
  readonly start: number;
}

function parseHead(text: string): Head | undefined {
  const head = /^data:([^,]*),/is.exec(text.slice(0, MAX_HEAD_CHARS));
  if (head === null) return undefined;
  const [type = '', ...parameters] = (head[1] ?? '').split(';').map((part) => part.trim().toLowerCase());
  return { type, isBase64: parameters.at(-1) === 'base64', start: head[0].length };
}

/** Returns the number of bytes that the base64 text from `start` to the end encodes, padded or not. */
function base64Bytes(text: string, start: number): number {
  let end = text.length;
  while (end > start && text.length - end < 2 && text[end - 1] === '=') end -= 1;
  return Math.floor(((end - start) * 3) / 4);
}

function decodeBase64(text: string, start: number): Buffer | undefined {
  // The decoder skips invalid characters; then the output is shorter than computed from the length.
  const bytes = Buffer.from(text.slice(start), 'base64');
  return bytes.length > 0 && bytes.length === base64Bytes(text, start) ? bytes : undefined;
}

function decodePercent(text: string, start: number): Buffer | undefined {
  const bytes = Buffer.allocUnsafe(text.length - start);
  let length = 0;
  for (let at = start; at < text.length; at += 1) {
    let byte = text.charCodeAt(at);
    if (byte < 0x21 || byte > 0x7e) return undefined;
    if (byte === 0x25) {
      // Beyond the end `charCodeAt` is NaN, which is refused as any other character that is not a digit.
      byte = hexDigit(text.charCodeAt(at + 1)) * 16 + hexDigit(text.charCodeAt(at + 2));
      if (Number.isNaN(byte)) return undefined;
      at += 2;
    }
    bytes[length] = byte;
    length += 1;
  }
  return bytes.subarray(0, length);
}

/** By character code: a text of 60 million characters must not block the event loop for a second. */
function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x61 + 10 : Number.NaN;
}
