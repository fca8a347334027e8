import { pipeline } from 'node:stream';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

// Limits apply to decoded bytes as they arrive: 50 kB of gzip can hold 50 MB.

const decoders = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

type BodyResult =
  | { readonly kind: 'read'; readonly bytes: Buffer }
  | { readonly kind: 'too_large' }
  /** More than one content encoding, an unknown one, or bytes that are not valid in the declared encoding. */
  | { readonly kind: 'encoding' }
  | { readonly kind: 'broken'; readonly error: unknown };

export type WhenLonger = 'refuse' | 'stop' | 'cut';

/**
 * Reads at most `maxBytes` decoded bytes and destroys the rest. `stop` and `cut` are for responses of which only the
 * beginning is needed. With `cut` the result is whatever could be read, also when the body breaks off.
 */
export async function readBody(
  body: Readable,
  headers: Readonly<Record<string, string>>,
  maxBytes: number,
  whenLonger: WhenLonger,
): Promise<BodyResult> {
  // Destroying a partly read body makes it emit an error, which needs a listener.
  body.on('error', () => {});
  const encodings = encodingsOf(headers);
  const [name] = encodings;
  if (encodings.length > 1 || (name !== undefined && !isDecoder(name))) {
    body.destroy();
    return whenLonger === 'cut' ? { kind: 'read', bytes: Buffer.alloc(0) } : { kind: 'encoding' };
  }
  if (whenLonger === 'refuse' && (declaredLength(headers) ?? 0) > maxBytes) {
    body.destroy();
    return { kind: 'too_large' };
  }

  const source: Readable = name === undefined ? body : pipeline(body, decoders[name](), () => {});
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of source) {
      // Safe: a response body and zlib's decoders both produce Buffers.
      const bytes = chunk as Buffer;
      if (size + bytes.length > maxBytes) {
        if (whenLonger === 'refuse') return { kind: 'too_large' };
        chunks.push(bytes.subarray(0, maxBytes - size));
        size = maxBytes;
        break;
      }
      chunks.push(bytes);
      size += bytes.length;
    }
  } catch (error) {
    if (whenLonger !== 'cut') return isDecodingError(error) ? { kind: 'encoding' } : { kind: 'broken', error };
  }
  return { kind: 'read', bytes: Buffer.concat(chunks, size) };
}

/** Returns the length of the decoded body in bytes; undefined if it is only known after reading. */
export function declaredLength(headers: Readonly<Record<string, string>>): number | undefined {
  const length = headers['content-length'];
  return length === undefined || encodingsOf(headers).length > 0 ? undefined : Number(length);
}

function encodingsOf(headers: Readonly<Record<string, string>>): readonly string[] {
  const names = (headers['content-encoding'] ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  return names.filter((name) => name !== '' && name !== 'identity');
}

function isDecoder(name: string): name is keyof typeof decoders {
  return Object.hasOwn(decoders, name);
}

function isDecodingError(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    /^(Z_|ERR_BROTLI|ERR__ERROR_FORMAT)/.test(error.code)
  );
}
