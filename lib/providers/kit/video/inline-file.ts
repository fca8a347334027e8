import { pipeline, Readable, Transform, type TransformCallback } from 'node:stream';
import type { Call } from '../../../domain/call';
import type { Clock } from '../../../domain/clock';
import { upstreamFailed } from '../../../domain/errors';
import type { Content, ContentPart } from '../../../domain/files';
import { openFile, type FileResponse } from '../../../io/file-response';
import { MAX_JSON_BYTES, parseJson, type JsonAnswer } from '../http/ask-json';
import { readableOf, type Upstream, type UpstreamRequest } from '../http/http';
import { unreadable } from './keyed-file';

// Reads a file that an upstream delivers as base64 inside an answer in JSON, which may have a hundred MB. It is decoded
// while it arrives and stored neither in memory nor in the database. Each reader requests the answer again.

/**
 * `file` yields the bytes of the file in the answer; destroying it closes the connection. `json` is then the part before
 * the file, with an empty text in the place of the file.
 */
export type InlineAnswer = JsonAnswer & { readonly file?: Readable };

/** The time limit for the part of the answer before the file. */
const HEAD_TIMEOUT_MS = 15_000;

/**
 * Sends a request whose answer may have a file as the text of this field. Without a file, it is `askJson`; with one, it
 * resolves as soon as the file begins. `file` fails if the answer ends before the file does.
 */
export async function askInline(
  upstream: Upstream,
  request: UpstreamRequest,
  field: string,
  clock: Clock,
): Promise<InlineAnswer> {
  const { status, headers, body } = await upstream.send(request);
  const cancelTimer = clock.after(HEAD_TIMEOUT_MS, () =>
    body.stop(upstreamFailed(UNKNOWN, `The answer stopped for ${HEAD_TIMEOUT_MS} ms.`, 'upstream_timeout')),
  );
  const beginning = new RegExp(`"${field}"\\s*:\\s*"(?=[^"])`);
  let file: Readable | undefined;
  // In Latin-1, one character stands for one byte.
  let text = '';
  try {
    for (let bytes = await body.read(); bytes; bytes = await body.read()) {
      text += bytes.toString('latin1');
      const found = beginning.exec(text);
      if (found) {
        const begins = found.index + found[0].length;
        file = decode(text.slice(begins), readableOf(body));
        return { status, headers, json: parseBeginning(text.slice(0, begins)), bytes: text.length, file };
      }
      if (text.length > MAX_JSON_BYTES)
        throw upstreamFailed(UNKNOWN, `The answer is longer than ${MAX_JSON_BYTES} bytes.`);
    }
    return { status, headers, json: parseJson(Buffer.from(text, 'latin1')), bytes: text.length };
  } finally {
    cancelTimer();
    if (!file) body.stop();
  }
}

const UNKNOWN = { retry: 'elsewhere', started: 'maybe' } as const;

/**
 * Opens the file of an answer, or a part of it. Its length is known only at its end, so a part, or `head`, reads the
 * whole answer first. Rejects as `RemoteFiles.open` does.
 */
export async function openInlineFile(
  ask: () => Promise<InlineAnswer>,
  part: ContentPart,
  { clock }: { readonly clock: Clock },
  { signal }: Call,
): Promise<Content> {
  async function request(headers: FileResponse['headers'] = {}): Promise<FileResponse> {
    const { status, file } = await ask();
    if (file) return { status, headers, body: file };
    // An answer without the file is a failure, even with status 200.
    return { status: status === 200 ? 502 : status, headers: {}, body: Readable.from([]) };
  }

  async function measure(): Promise<number> {
    const { body } = await openFile(() => request(), undefined, { clock, signal });
    let bytes = 0;
    // Safe: the body of a content yields Buffers.
    for await (const chunk of body) bytes += (chunk as Buffer).length;
    return bytes;
  }

  try {
    if (part === undefined) return await openFile(() => request(), undefined, { clock, signal });
    const headers = { 'content-length': String(await measure()) };
    const answer = async () =>
      part === 'head' ? { status: 200, headers, body: Readable.from([]) } : await request(headers);
    return await openFile(answer, part, { clock, signal });
  } catch (error) {
    signal.throwIfAborted();
    throw unreadable(error);
  }
}

/** Matches a string or a bracket of JSON. Strings are matched as a whole, so that brackets in them do not count. */
const STRING_OR_BRACKET = /"[^"\\]*(?:\\[^]?[^"\\]*)*"?|[{}[\]]/g;

/** Parses a JSON text that ends at the beginning of a string: that string is empty, and open brackets are closed. */
function parseBeginning(text: string): unknown {
  const open: string[] = [];
  for (const [token] of text.matchAll(STRING_OR_BRACKET)) {
    if (token === '{') open.unshift('}');
    else if (token === '[') open.unshift(']');
    else if (token === '}' || token === ']') open.shift();
  }
  return parseJson(Buffer.from(`${text}"${open.join('')}`, 'latin1'));
}

/** Decodes a base64 text that has begun, up to the end of its JSON string. Anything after it is not read. */
function decode(begun: string, rest: Readable): Readable {
  const decoder = new Base64Decoder();
  // It may fail before its reader listens, and an error without a listener would end the process.
  decoder.on('error', () => {});
  decoder.write(Buffer.from(begun, 'latin1'));
  pipeline(rest, decoder, () => {});
  return decoder;
}

/** Characters that are escaped in some answers. */
const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|(\/))/g;
const CUT_ESCAPE = /\\(?:u[0-9a-fA-F]{0,3})?$/;

class Base64Decoder extends Transform {
  /** The characters of an incomplete group, which cannot be decoded to whole bytes yet. */
  #left = '';
  #isComplete = false;

  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    if (this.#isComplete) return done();
    const text = this.#left + chunk.toString('latin1');
    const end = text.indexOf('"');
    this.#isComplete = end >= 0;
    const cut = this.#isComplete ? end : text.search(CUT_ESCAPE);
    const plain = (cut < 0 ? text : text.slice(0, cut)).replace(ESCAPE, (_escape, code?: string) =>
      code === undefined ? '/' : String.fromCharCode(Number.parseInt(code, 16)),
    );
    const usable = this.#isComplete ? plain.length : plain.length - (plain.length % 4);
    this.#left = plain.slice(usable) + (cut < 0 ? '' : text.slice(cut));
    const base64 = plain.slice(0, usable);
    if (!/^[A-Za-z0-9+/]*={0,2}$/.test(base64)) return done(new Error('The file is not base64.'));
    done(null, Buffer.from(base64, 'base64'));
  }

  override _flush(done: TransformCallback): void {
    done(this.#isComplete ? null : new Error('The answer ended before its file did.'));
  }
}
