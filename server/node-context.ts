import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { Clock } from '../lib/domain/clock';
import type { GatewayError } from '../lib/domain/errors';
import { bodyDeadlineMs, bodyTooSlow } from '../lib/http/body-pace';
import { isStream, type GatewayRequest, type GatewayResponse } from '../lib/http/handler';
import type { ReadAddress } from '../lib/net/client-address';
import { bodyTooLarge } from '../lib/http/request-body';
import { RelayBody } from '../lib/io/relay-body';
import type { BodyShare } from '../lib/limits/body-budget';

// Adapts Node's request and response for the handlers. This runs for every request, so every value is created lazily.

/** How long a refused upload may continue before the connection is cut, so that the client can read the error. */
export const LINGER_TIMEOUT_MS = 2_000;

/** Copying a longer chunk costs more than writing it in parts. */
const SHORT_CHUNK_BYTES = 16 * 1024;

/** Node drains an unread body up to this length, so that the connection can be kept. */
const SMALL_BODY_BYTES = 64 * 1024;

export interface NodeContext {
  readonly request: GatewayRequest;
  /** Sends the response; resolves when nothing is left to do. */
  send(response: GatewayResponse, keepAlive: boolean): void;
  /** Rejects `readBody` with this error. Returns false if no body is being read. */
  refuseBody(error: GatewayError): boolean;
}

export interface NodeContextDeps {
  readonly clock: Clock;
  readonly readAddress: ReadAddress;
  /** An abort controller for the next request of each connection, because creating one is expensive on Node 20. */
  readonly spareControllers: WeakMap<Socket, AbortController>;
  /** Called when the response is sent or the client has disconnected. */
  readonly onClose: (req: IncomingMessage, res: ServerResponse) => void;
  /** Receives an error of `onEnd`, which would otherwise be unhandled. */
  readonly onError: (error: unknown) => void;
}

/** The two parts of a request's target, and whether the client waits for `100 Continue` before it sends the body. */
export interface Target {
  readonly path: string;
  readonly search: string;
  readonly expectsContinue: boolean;
}

export function createNodeContext(
  req: IncomingMessage,
  res: ServerResponse,
  target: Target,
  deps: NodeContextDeps,
): NodeContext {
  return new RequestContext(req, res, target, deps);
}

/** A class, because every request has one: an object literal with getters takes two microseconds to create. */
class RequestContext implements NodeContext, GatewayRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly #req: IncomingMessage;
  readonly #res: ServerResponse;
  readonly #target: Target;
  readonly #deps: NodeContextDeps;
  #abortController: AbortController | undefined;
  #query: URLSearchParams | undefined;
  #openShare: (() => BodyShare) | undefined;
  #refuse: Refuse | undefined;
  #isRefused = false;
  #end: 'finished' | 'closed' | undefined;
  #tellEnd: GatewayResponse['onEnd'];

  constructor(req: IncomingMessage, res: ServerResponse, target: Target, deps: NodeContextDeps) {
    this.method = req.method ?? '';
    this.path = target.path;
    // Safe: only `set-cookie` is an array, and no handler reads it from a request.
    this.headers = req.headers as Readonly<Record<string, string | undefined>>;
    this.#req = req;
    this.#res = res;
    this.#target = target;
    this.#deps = deps;
    res.once('close', () => this.#close());
  }

  get request(): GatewayRequest {
    return this;
  }

  get query(): URLSearchParams {
    this.#query ??= new URLSearchParams(this.#target.search);
    return this.#query;
  }

  get remoteAddress(): string {
    return this.#deps.readAddress(this.#req.socket.remoteAddress ?? '', this.headers['x-forwarded-for']);
  }

  get signal(): AbortSignal {
    return this.#controller().signal;
  }

  abort(reason: unknown): void {
    this.#controller().abort(reason);
  }

  #controller(): AbortController {
    if (!this.#abortController) {
      const { socket } = this.#req;
      const { spareControllers } = this.#deps;
      this.#abortController = spareControllers.get(socket) ?? new AbortController();
      spareControllers.delete(socket);
      if (this.#end === 'closed') this.#abortController.abort();
    }
    return this.#abortController;
  }

  readBody(maxBytes: number): Promise<Buffer> {
    if (Number(this.headers['content-length'] ?? 0) > maxBytes) return Promise.reject(bodyTooLarge(maxBytes));
    if (this.#target.expectsContinue) this.#res.writeContinue();
    return readNodeBody(this.#req, maxBytes, this.#deps.clock, this.#openShare?.(), (refuse) => {
      this.#refuse = refuse;
    });
  }

  refuseBody(error: GatewayError): boolean {
    if (!this.#refuse) return false;
    this.#isRefused = true;
    this.#refuse(error);
    return true;
  }

  countBody(open: () => BodyShare): void {
    this.#openShare = open;
  }

  send(response: GatewayResponse, keepAlive: boolean): void {
    const res = this.#res;
    const { body } = response;
    this.#tellEnd = response.onEnd;
    if (this.#end || res.destroyed) {
      this.#end ??= 'closed';
      if (body !== undefined && isStream(body)) body.destroy();
      this.#tell();
      return;
    }
    // The client may still send the rest of the body after a 408; it would be parsed as the next request. One that was
    // refused may never send it.
    const unread = response.status === 408 || this.#isRefused || hasUnreadBody(this.#req, this.#target.expectsContinue);
    if (!keepAlive || unread) res.shouldKeepAlive = false;
    res.writeHead(response.status, response.headers as Record<string, string>); // Safe: Node only reads them.
    if (body !== undefined && isStream(body))
      sendStream(body, res, Number(response.headers['content-length'] ?? Number.NaN));
    else if (unread) sendThenLinger(body, this.#req, res, this.#deps.clock);
    else res.end(body);
  }

  #close(): void {
    this.#end = this.#res.writableFinished ? 'finished' : 'closed';
    this.#deps.onClose(this.#req, this.#res);
    if (this.#end === 'closed') this.#abortController?.abort();
    else this.#spareController();
    this.#tell();
  }

  #spareController(): void {
    const controller = this.#abortController;
    if (controller && !controller.signal.aborted) this.#deps.spareControllers.set(this.#req.socket, controller);
    this.#abortController = undefined;
  }

  #tell(): void {
    if (!this.#end || !this.#tellEnd) return;
    try {
      this.#tellEnd(this.#end);
    } catch (error) {
      this.#deps.onError(error);
    }
    this.#tellEnd = undefined;
  }
}

type Refuse = (error: GatewayError) => void;

/** Calls `onWait` with a function that refuses the body while it arrives, and with undefined when it has arrived. */
async function readNodeBody(
  req: IncomingMessage,
  maxBytes: number,
  clock: Clock,
  share: BodyShare | undefined,
  onWait: (refuse: Refuse | undefined) => void,
): Promise<Buffer> {
  // Usually the body has arrived with the headers, so there is nothing to wait for.
  if (req.complete && req.readableLength <= maxBytes) {
    share?.grow(req.readableLength);
    return (req.read() as Buffer | null) ?? Buffer.alloc(0); // Safe: without an encoding it gives bytes.
  }
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const startedAt = clock.nowMs();
    let cancelTimer = clock.after(bodyDeadlineMs(0), checkPace);

    function checkPace(): void {
      const leftMs = startedAt + bodyDeadlineMs(length) - clock.nowMs();
      if (leftMs > 0) cancelTimer = clock.after(Math.ceil(leftMs), checkPace);
      else settle(() => reject(bodyTooSlow()));
    }
    function onData(chunk: Buffer): void {
      length += chunk.length;
      if (length > maxBytes) return settle(() => reject(bodyTooLarge(maxBytes)));
      try {
        share?.grow(length);
      } catch (error) {
        return settle(() => reject(error));
      }
      chunks.push(chunk);
    }
    function onEnd(): void {
      settle(() => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, length)));
    }
    function onClose(): void {
      settle(() => reject(new Error('the client disconnected before the end of the body')));
    }
    function settle(run: () => void): void {
      cancelTimer();
      onWait(undefined);
      req.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
      req.pause();
      run();
    }
    onWait((error) => settle(() => reject(error)));
    req.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
}

function hasUnreadBody(req: IncomingMessage, expectsContinue: boolean): boolean {
  if (req.complete) return false;
  if (expectsContinue || req.headers['transfer-encoding'] !== undefined) return true;
  return Number(req.headers['content-length'] ?? 0) > SMALL_BODY_BYTES;
}

// Written by hand, because for a short stream `pipeline` costs as much as all of its events. A source that fails,
// closes early, or ends before its announced length must not look like a complete response. If the client disconnects,
// the source is destroyed.
function sendStream(body: Readable, res: ServerResponse, expectedBytes: number): void {
  if (body.destroyed) return void res.destroy();
  let sent = 0;
  let isEnded = false;
  let isCorked = true;
  let hasBegun = false;
  let isFull = false;

  /** Returns false when no more may be written until `onDrain`. */
  function write(chunk: Buffer): boolean {
    sent += chunk.length;
    const socket = hasBegun && !isCorked ? res.socket : null;
    hasBegun = true;
    if (socket && !res.chunkedEncoding) isFull = !writeBytes(socket, chunk, onDrain);
    else if (socket && chunk.length <= SHORT_CHUNK_BYTES) isFull = !writeChunk(socket, chunk, onDrain);
    else isFull = !res.write(chunk);
    return !isFull;
  }
  function onDrain(): void {
    if (!isFull) return;
    isFull = false;
    body.resume();
  }
  function uncork(): void {
    if (!isCorked) return;
    isCorked = false;
    res.uncork();
  }
  function cut(): void {
    if (!res.destroyed) uncork();
    res.destroy();
  }

  body.on('data', (chunk: Buffer) => {
    if (!write(chunk)) body.pause();
  });
  if (body instanceof RelayBody) body.passTo(write);
  body.once('end', () => {
    isEnded = true;
    if (sent < expectedBytes) cut();
    else res.end();
  });
  // Never removed: a source may still fail while it is destroyed.
  body.on('error', cut);
  body.once('close', () => {
    if (!isEnded) cut();
  });
  res.on('drain', onDrain);
  res.on('error', () => body.destroy());
  res.once('close', () => body.destroy());
  // Data that is already available is sent in one write with the headers, and a complete response also with its end.
  res.cork();
  setImmediate(() => {
    if (res.writableEnded || res.destroyed) return;
    uncork();
    // A source that was paused while the socket was corked must not wait for a drain event that never comes.
    isFull = false;
    body.resume();
  });
}

/**
 * Writes one chunk of a chunked body in one socket write, after the headers. Node would write the chunk's length, bytes
 * and end separately, which costs more than all other work on an event. Returns false if nothing more may be written
 * until `onDrain`.
 */
function writeChunk(socket: Socket, chunk: Buffer, onDrain: () => void): boolean {
  const hasRoom = socket.write(`${chunk.length.toString(16)}\r\n${chunk.toString('latin1')}\r\n`, 'latin1');
  // The response emits `drain` only for data that Node has written itself.
  if (!hasRoom) socket.once('drain', onDrain);
  return hasRoom;
}

/**
 * Writes bytes of a body with a known length directly to the socket, after the headers. Through the response, Node
 * would hold them until the end of the turn, and signal backpressure after each chunk of more than 16 KB, even if the
 * kernel has taken all of it. Pausing and resuming the source costs more than sending the bytes. Returns false if
 * nothing more may be written until `onDrain`.
 */
function writeBytes(socket: Socket, chunk: Buffer, onDrain: () => void): boolean {
  if (socket.write(chunk) || socket.writableLength === 0) return true;
  socket.once('drain', onDrain);
  return false;
}

/**
 * Sends the complete response. The connection closes when the client has stopped sending, or after LINGER_TIMEOUT_MS.
 */
function sendThenLinger(
  body: Buffer | string | undefined,
  req: IncomingMessage,
  res: ServerResponse,
  clock: Clock,
): void {
  if (body === undefined) res.flushHeaders();
  else res.write(body);
  const finish = () => {
    cancel();
    req.off('end', finish);
    res.end();
  };
  const cancel = clock.after(LINGER_TIMEOUT_MS, finish);
  req.on('error', finish);
  req.once('end', finish);
  req.resume();
}
