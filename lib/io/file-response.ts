import { Readable } from 'node:stream';
import type { Clock } from '../domain/clock';
import { isGatewayError, upstreamFailed, videoExpired, type GatewayError } from '../domain/errors';
import type { ByteRange, Content, ContentPart } from '../domain/files';
import { selectBytes } from './open-file';
import { RelayBody } from './relay-body';
import { watchSilence, type SilenceWatch } from './silence-timer';

// Turns an HTTP response into the requested part of an MP4 file. The response is judged before the caller gets it: what
// follows can only be cut off, because the status of our own response has been sent by then.

export interface FileResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Yields Buffers. Destroying it closes the connection, unless the response is complete. */
  readonly body: Readable;
}

export interface FileCall {
  readonly clock: Clock;
  /** Ends the body when it aborts, even if received bytes have not been read. */
  readonly signal: AbortSignal;
}

/** A file of this length or less is an error page or a placeholder. */
const MAX_PLACEHOLDER_BYTES = 1_024;
/** The header of an MP4 box: its length and its type. */
const BOX_HEADER_BYTES = 8;
/** Applies only while the consumer wants bytes, so that a slow consumer is not mistaken for a silent server. */
const IDLE_TIMEOUT_MS = 30_000;

/** The first byte of a file: the response to this range states the file's length, which `headOf` returns. */
export const FIRST_BYTE: ByteRange = { start: 0, end: 0 };

/** Returns the header that requests a part; none for the whole file and for `head`. */
export function rangeHeader(part: ContentPart): Readonly<Record<string, string>> {
  if (part === undefined || part === 'head') return {};
  return { range: part.start < 0 ? `bytes=${part.start}` : `bytes=${part.start}-${part.end ?? ''}` };
}

/**
 * Requests a part of a file and reads the response. The body of the response is destroyed when this rejects, when
 * `body` of the content ends or is destroyed, and when the signal aborts.
 *
 * A server that ignores the range is read from its beginning and cut to the part. If it does not state a length either,
 * the content is the whole file with status 200. `body` ends with an error if the response is shorter than it stated.
 * If the server refuses HEAD, as some storage services do for a URL that is signed for GET, the length comes from a
 * request for the first byte.
 *
 * Rejects with `video_expired` (404 or 410), with `upstream_content_unavailable` for everything else that is not the
 * requested part of an MP4 file, and as `request` does.
 */
export async function openFile(
  request: (method: 'GET' | 'HEAD', part: ContentPart) => Promise<FileResponse>,
  part: ContentPart,
  call: FileCall,
): Promise<Content> {
  const response = await request(part === 'head' ? 'HEAD' : 'GET', part);
  const isGone = response.status === 404 || response.status === 410;
  if (part !== 'head' || response.status < 400 || isGone) return readFileResponse(response, part, call);
  response.body.on('error', () => {}).destroy();
  return headOf(await readFileResponse(await request('GET', FIRST_BYTE), FIRST_BYTE, call));
}

/** Returns the content of a response. Owns the body from then on: it destroys the body when it rejects. */
async function readFileResponse(response: FileResponse, part: ContentPart, call: FileCall): Promise<Content> {
  const { body } = response;
  // Destroying a body that was not read to its end makes it emit an error.
  body.on('error', () => {});
  try {
    call.signal.throwIfAborted();
    checkStatus(response);
    if (response.status === 416) return unsatisfiable(response, part);
    checkHeaders(response);
    const plan = part === 'head' ? planHead(response) : planBody(response, part);
    if (plan.total !== undefined && plan.total <= MAX_PLACEHOLDER_BYTES) throw unavailable('The file is too short.');
    if (part === 'head' || plan.status === 416) {
      body.destroy();
      return { ...contentFacts(plan), body: Readable.from([]) };
    }
    const { etag } = response.headers;
    return { ...contentFacts(plan), ...(etag !== undefined && { etag }), body: await openPart(body, plan, call) };
  } catch (error) {
    body.destroy();
    throw error;
  }
}

/** Returns the content for `head`, made from that of a part. */
export function headOf(content: Content): Content {
  content.body.destroy();
  if (content.status === 416) throw unavailable('The file is empty.');
  const length = content.total === undefined ? {} : { length: content.total, total: content.total };
  return { status: 200, start: 0, ...length, body: Readable.from([]) };
}

interface Plan {
  readonly status: 200 | 206 | 416;
  /** Bytes of the response before the part. */
  readonly skip: number;
  readonly start: number;
  readonly length?: number;
  readonly total?: number;
  /** Whether the response begins at the beginning of the file and has enough bytes to show its type. */
  readonly showsType: boolean;
}

function contentFacts({ status, start, length, total }: Plan): Omit<Content, 'body'> {
  return { status, start, ...(length === undefined ? {} : { length }), ...(total === undefined ? {} : { total }) };
}

function checkStatus({ status }: FileResponse): void {
  if (status === 404 || status === 410) throw videoExpired();
  if (status !== 200 && status !== 206 && status !== 416)
    throw unavailable(`The server responded with status ${status}.`);
}

function checkHeaders({ headers }: FileResponse): void {
  if (/^\s*(?:text\/html|application\/json)\b/i.test(headers['content-type'] ?? ''))
    throw unavailable('The server sent a web page instead of a video file.');
  // Of an encoded body, ranges and lengths would count the encoded bytes.
  if (!/^\s*(?:identity)?\s*$/i.test(headers['content-encoding'] ?? ''))
    throw unavailable('The server sent the file in a content encoding that was not requested.');
}

function unsatisfiable({ headers, body }: FileResponse, part: ContentPart): Content {
  if (part === undefined || part === 'head')
    throw unavailable('The server responded with status 416, but no range was requested.');
  const total = /^bytes \*\/(\d{1,15})$/.exec(headers['content-range'] ?? '')?.[1];
  body.destroy();
  return { status: 416, start: 0, ...(total === undefined ? {} : { total: Number(total) }), body: Readable.from([]) };
}

function planHead(response: FileResponse): Plan {
  if (response.status !== 200)
    throw unavailable('The server sent a part of the file, but the whole file was requested.');
  const total = statedLength(response);
  const known = total === undefined ? {} : { length: total, total };
  return { status: 200, skip: 0, start: 0, ...known, showsType: false };
}

function planBody(response: FileResponse, part: ByteRange | undefined): Plan {
  if (response.status === 206) return planPartial(response, part);
  const total = statedLength(response);
  // Without its length, the place of a part in the file cannot be stated.
  if (total === undefined) return { status: 200, skip: 0, start: 0, showsType: true };
  if (part === undefined) return { status: 200, skip: 0, start: 0, length: total, total, showsType: true };
  const bytes = selectBytes(part, total);
  if (!bytes) return { status: 416, skip: 0, start: 0, total, showsType: false };
  const { start, end } = bytes;
  return { status: 206, skip: start, start, length: end - start + 1, total, showsType: true };
}

function planPartial(response: FileResponse, part: ByteRange | undefined): Plan {
  const range = parseContentRange(response.headers['content-range']);
  if (part === undefined || range === undefined || !isPart(range, part))
    throw unavailable('The server sent another part of the file than the requested one.');
  const length = range.end - range.start + 1;
  if ((statedLength(response) ?? length) !== length)
    throw unavailable('The stated length is not that of the requested part.');
  return {
    status: 206,
    skip: 0,
    start: range.start,
    length,
    ...(range.total === undefined ? {} : { total: range.total }),
    showsType: range.start === 0 && length >= BOX_HEADER_BYTES,
  };
}

function statedLength({ headers }: FileResponse): number | undefined {
  const text = headers['content-length'] ?? '';
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

interface ContentRange {
  readonly start: number;
  readonly end: number;
  readonly total?: number;
}

function parseContentRange(text: string | undefined): ContentRange | undefined {
  const [, start, end, total] = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)$/i.exec(text ?? '') ?? [];
  if (start === undefined) return undefined;
  const range = { start: Number(start), end: Number(end), ...(total === '*' ? {} : { total: Number(total) }) };
  return range.start > range.end || range.end >= (range.total ?? Infinity) ? undefined : range;
}

/** Returns whether this is exactly the requested part, as far as the server has stated it. */
function isPart(range: ContentRange, part: ByteRange): boolean {
  if (range.total !== undefined) {
    const bytes = selectBytes(part, range.total);
    return range.start === bytes?.start && range.end === bytes.end;
  }
  if (part.start >= 0) return range.start === part.start && range.end <= (part.end ?? Infinity);
  const length = range.end - range.start + 1;
  return length === -part.start || (range.start === 0 && length < -part.start);
}

/** Opens the part. If the response shows the type of the file, resolves after checking it. */
async function openPart(source: Readable, plan: Plan, { clock, signal }: FileCall): Promise<Readable> {
  const silence = watchSilence(clock, IDLE_TIMEOUT_MS, () =>
    source.destroy(unavailable(`The server sent nothing for ${IDLE_TIMEOUT_MS} ms.`)),
  );
  let part: Readable | undefined;
  const onAbort = () => {
    const reason = signal.reason instanceof Error ? signal.reason : new Error('The call was aborted.');
    source.destroy(reason);
    part?.destroy(reason);
  };
  signal.addEventListener('abort', onAbort, { once: true });
  const release = () => {
    signal.removeEventListener('abort', onAbort);
    silence.end();
  };

  let head: Buffer;
  try {
    silence.wait();
    head = plan.showsType ? await readHead(source) : Buffer.alloc(0);
  } catch (error) {
    release();
    throw isGatewayError(error) || signal.aborted
      ? error
      : unavailable('The connection closed at the beginning of the file.');
  }
  silence.rest();

  part = partOf(source, head, plan, silence, () => {
    release();
    source.destroy();
  });
  // The signal may have aborted after the last await, before the listener was added.
  if (signal.aborted) onAbort();
  return part;
}

/** Reads the first chunks, up to a whole box header. Rejects if they are not the beginning of an MP4 file. */
async function readHead(source: Readable): Promise<Buffer> {
  let head: Buffer = Buffer.alloc(0);
  for await (const chunk of source.iterator({ destroyOnReturn: false })) {
    // Safe: the body of a response yields Buffers.
    head = head.length === 0 ? (chunk as Buffer) : Buffer.concat([head, chunk as Buffer]);
    if (head.length >= BOX_HEADER_BYTES) break;
  }
  if (head.length < BOX_HEADER_BYTES) throw unavailable('The file is too short.');
  if (head.toString('latin1', 4, 8) !== 'ftyp') throw unavailable('The file is not an MP4 file.');
  return head;
}

/**
 * Returns a stream that reads only when its consumer does, so that a slow consumer slows the server down. Uses events,
 * because an iterator would pause and resume the connection for every chunk.
 */
function partOf(source: Readable, head: Buffer, plan: Plan, silence: SilenceWatch, onClose: () => void): Readable {
  let skip = plan.skip;
  let left = plan.length ?? Infinity;

  const part = new RelayBody(
    () => {
      silence.wait();
      source.resume();
    },
    onClose,
    0,
  );

  function rest(): void {
    silence.rest();
    source.pause();
  }
  function take(chunk: Buffer): void {
    if (left === 0) return;
    const isWhole = skip === 0 && chunk.length <= left;
    const wanted = isWhole ? chunk : chunk.subarray(Math.min(skip, chunk.length), skip + left);
    skip = Math.max(0, skip - chunk.length);
    left -= wanted.length;
    silence.wait();
    if (wanted.length > 0 && !part.pass(wanted)) rest();
    // Bytes after the stated length are not read.
    if (left > 0) return;
    rest();
    part.push(null);
  }

  // If the source fails after the consumer has gone, the error would have no other listener and end the process.
  part.on('error', () => {});
  source.pause();
  source.on('data', take);
  source.once('end', () => {
    if (left === 0) return;
    if (plan.length === undefined) part.push(null);
    else part.destroy(unavailable(`The file ended ${left} bytes early.`));
  });
  source.on('error', (error) => {
    // The end of a part may still be queued, while a server that ignores ranges fails to send what follows it.
    if (left > 0) part.destroy(error);
  });
  source.once('close', () => {
    if (!source.readableEnded && left > 0)
      part.destroy(unavailable('The connection closed before the end of the file.'));
  });
  if (source.destroyed)
    part.destroy(source.errored ?? unavailable('The connection closed before the end of the file.'));
  else if (head.length > 0) take(head);
  return part;
}

function unavailable(detail: string): GatewayError {
  return upstreamFailed({ retry: 'later', started: 'maybe' }, detail, 'upstream_content_unavailable');
}
