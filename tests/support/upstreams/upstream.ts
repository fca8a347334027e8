import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { WebSocket } from 'ws';

// The base of every fake provider: one server on loopback with the vendor's paths, which records every socket and
// request.

/** The defects of a session; set before it begins, or while it runs. */
export interface UpstreamErrors {
  /** The upgrade is never answered. */
  neverUpgrade?: boolean;
  upgradeDelayMs?: number;
  /** The status of an upgrade that is refused. */
  refuse?: number;
  /** The connection breaks, without a close frame, after this much audio. */
  dropAfterSeconds?: number;
  /** Responses contain `context_id` instead of `contextId`. */
  otherSpelling?: boolean;
  /** Only the first connection breaks like this. */
  dropOnce?: boolean;
  /** The upstream closes properly without a request to do so, after this much audio. */
  closeAfterSeconds?: number;
  /** The end is never answered. */
  hangOnStop?: boolean;
  /** The delay of the last final. */
  stopDelayMs?: number;
  /** Unknown messages and invalid JSON between the others. */
  noise?: boolean;
  /** The socket is closed as soon as it is open. */
  closeAtOnce?: boolean;
  /** The upstream sends nothing after the upgrade. */
  mute?: boolean;
  /** The pause between two chunks of speech; 0: none. */
  pieceMs?: number;
  /** A cancelled text still reports an error, a moment later. */
  errorOnCancel?: boolean;
  /** Chunks that end in the middle of a sample. */
  oddPieces?: boolean;
}

export interface RecordedSocket {
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly texts: string[];
  /** Lengths of binary messages. */
  readonly binary: number[];
  /** When each message arrived, by the monotonic clock. */
  readonly times: number[];
  socket: WebSocket;
  /** Absent while open. */
  closeCode?: number;
}

export interface RecordedRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

export interface Upstream {
  /** `http://127.0.0.1:…` */
  readonly baseUrl: string;
  readonly errors: UpstreamErrors;
  readonly sockets: RecordedSocket[];
  readonly requests: RecordedRequest[];
  readonly open: RecordedSocket[];
  /** Resolves when no socket is open; rejects after two seconds. */
  drained(): Promise<void>;
  close(): Promise<void>;
}

interface Refusal {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}

interface UpstreamScript {
  /** Returns the error of an upgrade. The valid key of the fakes is `good-key`. */
  checkUpgrade?(url: URL, headers: IncomingHttpHeaders): Refusal | undefined;
  /** By path; a path ending in `*` matches by prefix. */
  readonly sockets: Readonly<Record<string, (recorded: RecordedSocket, upstream: Upstream) => void>>;
  answer?(
    request: RecordedRequest,
    upstream: Upstream,
  ): { readonly status: number; readonly body: unknown } | undefined;
}

export const goodKey = 'good-key';

export async function createUpstream(script: UpstreamScript): Promise<Upstream> {
  const errors: UpstreamErrors = {};
  const sockets: RecordedSocket[] = [];
  const requests: RecordedRequest[] = [];
  const lines = new Set<Duplex>();
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const text = Buffer.concat(parts).toString('utf8');
    const recorded = {
      method: request.method ?? '',
      url: urlOf(request),
      headers: request.headers,
      body: text === '' ? undefined : JSON.parse(text),
    };
    requests.push(recorded);
    const answer = script.answer?.(recorded, upstream) ?? { status: 404, body: { detail: 'Not Found' } };
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body));
  });
  // Like the vendors: the first offered protocol is selected.
  const sockets101 = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: 4 * 1024 * 1024 });
  server.on('upgrade', (request, line, head) => {
    line.on('error', () => {});
    lines.add(line);
    line.on('close', () => lines.delete(line));
    if (errors.neverUpgrade) return;
    const upgrade = () => {
      const url = urlOf(request);
      const path = Object.keys(script.sockets).find((known) =>
        known.endsWith('*') ? url.pathname.startsWith(known.slice(0, -1)) : url.pathname === known,
      );
      const refusal = errors.refuse
        ? { status: errors.refuse }
        : path === undefined
          ? { status: 404 }
          : script.checkUpgrade?.(url, request.headers);
      if (refusal) {
        const headers = Object.entries(refusal.headers ?? {})
          .map(([name, value]) => `${name}: ${value}\r\n`)
          .join('');
        line.end(`HTTP/1.1 ${refusal.status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n${headers}\r\n`);
        return;
      }
      sockets101.handleUpgrade(request, line, head, (socket) => {
        const recorded: RecordedSocket = { url, headers: request.headers, texts: [], binary: [], times: [], socket };
        sockets.push(recorded);
        socket.on('error', () => {});
        socket.on('message', (data: Buffer, isBinary) => {
          recorded.times.push(performance.now());
          if (isBinary) recorded.binary.push(data.byteLength);
          else recorded.texts.push(data.toString('utf8'));
        });
        socket.on('close', (code) => {
          recorded.closeCode = code;
        });
        if (errors.closeAtOnce) return socket.close(1011, 'overloaded');
        // Safe: a matching path was found above.
        if (!errors.mute) script.sockets[path!]!(recorded, upstream);
      });
    };
    if (errors.upgradeDelayMs) setTimeout(upgrade, errors.upgradeDelayMs);
    else upgrade();
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('The fake upstream has no port.');

  const upstream: Upstream = {
    baseUrl: `http://127.0.0.1:${address.port}`,
    errors,
    sockets,
    requests,
    get open() {
      return sockets.filter(({ closeCode }) => closeCode === undefined);
    },
    async drained() {
      for (let tries = 0; upstream.open.length > 0; tries++) {
        if (tries > 200) throw new Error(`${upstream.open.length} upstream sockets are still open.`);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    },
    async close() {
      for (const line of lines) line.destroy();
      server.closeAllConnections();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
  return upstream;
}

const urlOf = (request: IncomingMessage) => new URL(request.url ?? '/', 'http://upstream.invalid');

/** Sends as JSON, with noise before it if the defects include noise. */
export function say({ socket }: RecordedSocket, upstream: Upstream, message: object): void {
  if (socket.readyState !== socket.OPEN) return;
  if (upstream.errors.noise) {
    socket.send(
      JSON.stringify({ type: 'SomethingNew', message: 'SomethingNew', message_type: 'something_new', value: 1 }),
    );
    socket.send('<html>not json</html>');
    // A message of the right kind without content, and JSON that is not a message.
    const kinds = Object.entries(message).filter(
      ([name, value]) => ['type', 'message', 'message_type'].includes(name) && typeof value === 'string',
    );
    for (const strange of [
      Object.fromEntries(kinds),
      null,
      [],
      42,
      'text',
      { type: { type: [] }, tokens: 7, error_code: 'x', error: {} },
    ])
      socket.send(JSON.stringify(strange));
  }
  socket.send(JSON.stringify(message));
}

/** Breaks the connection if the defects include it; true if it did. */
export function dropWhenDue({ socket }: RecordedSocket, upstream: Upstream, seconds: number): boolean {
  const { dropAfterSeconds, closeAfterSeconds } = upstream.errors;
  if (closeAfterSeconds !== undefined && seconds >= closeAfterSeconds) {
    socket.close(1000);
    return true;
  }
  if (dropAfterSeconds === undefined || seconds < dropAfterSeconds) return false;
  if (upstream.errors.dropOnce) delete upstream.errors.dropAfterSeconds;
  socket.terminate();
  return true;
}

/** Runs the end of a session as the defects require: late, or never. */
export function finishLater(upstream: Upstream, finish: () => void): void {
  if (upstream.errors.hangOnStop) return;
  if (upstream.errors.stopDelayMs) setTimeout(finish, upstream.errors.stopDelayMs);
  else finish();
}

export function parseText(data: Buffer): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(data.toString('utf8'));
    // Safe: an object that is not null has string keys.
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
