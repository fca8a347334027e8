import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

// The server that all fakes of text providers share: it records requests, finds the scenario of each request and writes
// the response in the chunks of that scenario. The scenario is chosen per request, by the header `x-fake-scenario` or
// by a marker such as `[[fake:tool chunking=byte pad]]` anywhere in the body, so that it also works behind a gateway
// and tests can run in parallel.

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  readonly raw: Buffer;
  /** Undefined when it is not JSON. */
  readonly body: Record<string, unknown> | undefined;
  readonly scenario: Scenario;
  /** Resolves when the connection of this response ends; `early` if that was before the response's end. */
  readonly closed: Promise<{ readonly early: boolean; readonly atMs: number }>;
}

export interface Scenario {
  readonly name: string;
  readonly options: Readonly<Record<string, string>>;
}

/** A fake's response. Frames are complete events, written as the scenario's options require. */
export type FakeReply =
  | { readonly kind: 'frames'; readonly frames: readonly string[]; readonly headers?: Readonly<Record<string, string>> }
  | {
      readonly kind: 'body';
      readonly status: number;
      readonly body: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly afterMs?: number;
    }
  | { readonly kind: 'hang' }
  | { readonly kind: 'reset' };

export interface FakeUpstream {
  readonly baseUrl: string;
  readonly requests: readonly ReceivedRequest[];
  /** The number of connections so far. */
  connections(): number;
  /** The last request of that scenario. */
  last(scenario?: string): ReceivedRequest;
  close(): Promise<void>;
}

const marker = /\[\[fake:([a-z0-9-]+)((?: [a-zA-Z]+(?:=[^\s\]"\\]*)?)*)\]\]/g;

export async function startFakeUpstream(answer: (request: ReceivedRequest) => FakeReply): Promise<FakeUpstream> {
  const requests: ReceivedRequest[] = [];
  const server = createServer((incoming, response) => {
    void receive(incoming, response).then(async (request) => {
      requests.push(request);
      await write(response, answer(request), request.scenario.options);
    });
  });
  let connections = 0;
  server.on('connection', () => void connections++);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // Safe: it listens on a port.
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    requests,
    connections: () => connections,
    last(scenario) {
      const found = requests.filter((request) => scenario === undefined || request.scenario.name === scenario).at(-1);
      if (!found) throw new Error(`No request of the scenario ${scenario ?? '(any)'} has come.`);
      return found;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

async function receive(incoming: IncomingMessage, response: ServerResponse): Promise<ReceivedRequest> {
  const closed = new Promise<{ early: boolean; atMs: number }>((resolve) => {
    response.once('close', () => resolve({ early: !response.writableFinished, atMs: performance.now() }));
  });
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const raw = Buffer.concat(chunks);
  const url = new URL(incoming.url ?? '/', 'http://fake');
  return {
    method: incoming.method ?? '',
    path: url.pathname,
    query: url.search,
    headers: incoming.headers,
    raw,
    body: parseBody(raw),
    scenario: findScenario(incoming.headers, raw),
    closed,
  };
}

function parseBody(raw: Buffer): Record<string, unknown> | undefined {
  try {
    return JSON.parse(raw.toString('utf8')) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

/** The last marker counts: earlier ones are from the history of the conversation. */
function findScenario(headers: IncomingHttpHeaders, raw: Buffer): Scenario {
  const header = headers['x-fake-scenario'];
  const text = typeof header === 'string' ? `[[fake:${header}]]` : raw.toString('utf8');
  const [, name = 'text', options = ''] = [...text.matchAll(marker)].at(-1) ?? [];
  const pairs = options
    .trim()
    .split(' ')
    .filter(Boolean)
    .map((option) => option.split('=') as [string, string?]);
  return { name, options: Object.fromEntries(pairs.map(([key, value]) => [key, value ?? 'yes'])) };
}

async function write(response: ServerResponse, reply: FakeReply, options: Scenario['options']): Promise<void> {
  const pause = (ms: string | undefined) =>
    ms === undefined ? undefined : new Promise((resolve) => setTimeout(resolve, Number(ms)));
  switch (reply.kind) {
    case 'hang':
      return;
    case 'reset':
      response.socket?.resetAndDestroy();
      return;
    case 'body':
      await pause(reply.afterMs === undefined ? undefined : String(reply.afterMs));
      response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers }).end(reply.body);
      return;
    case 'frames': {
      await pause(options.delayHeaders);
      response.writeHead(200, {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-cache',
        ...reply.headers,
      });
      response.flushHeaders();
      const frames = options.crlf ? reply.frames.map((frame) => frame.replaceAll('\n', '\r\n')) : reply.frames;
      const drop = options.drop === undefined ? undefined : Number(options.drop);
      const pieces = cut(frames.slice(0, drop), options);
      for (const [index, piece] of pieces.entries()) {
        if (response.destroyed) return;
        if (index === 0) await pause(options.delayFirst);
        else await pause(options.delay);
        if (!response.write(piece))
          await new Promise((resolve) => response.once('drain', resolve).once('close', resolve));
        // Each chunk is a separate write to the socket, and usually a separate read at the other end.
        if (pieces.length > 1) await new Promise((resolve) => setImmediate(resolve));
      }
      if (options.stall) return;
      if (drop !== undefined && options.clean === undefined) response.socket?.destroy();
      else response.end();
    }
  }
}

function cut(frames: readonly string[], options: Scenario['options']): readonly Buffer[] {
  const whole = Buffer.from(frames.join(''));
  if (options.cut !== undefined)
    return [whole.subarray(0, Number(options.cut)), whole.subarray(Number(options.cut))].filter(
      (piece) => piece.length > 0,
    );
  if (options.every !== undefined) {
    // Split at `from`, and from there on after every so many bytes.
    const [every, from] = [Number(options.every), Number(options.from ?? 0)];
    const starts = Array.from(
      { length: Math.ceil(Math.max(0, whole.length - from) / every) },
      (_, index) => from + index * every,
    );
    return [whole.subarray(0, from), ...starts.map((start) => whole.subarray(start, start + every))].filter(
      (piece) => piece.length > 0,
    );
  }
  switch (options.chunking) {
    case 'byte':
      return [...whole].map((byte) => Buffer.of(byte));
    case 'whole':
      return [whole];
    case 'seven': {
      // Odd chunk sizes that also split multi-byte characters.
      return Array.from({ length: Math.ceil(whole.length / 7) }, (_, index) =>
        whole.subarray(index * 7, index * 7 + 7),
      );
    }
    default:
      return frames.map((frame) => Buffer.from(frame));
  }
}
