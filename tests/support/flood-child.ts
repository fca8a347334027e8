import { constants, setPriority } from 'node:os';
import { Readable } from 'node:stream';
import { Agent, request } from 'undici';
import { systemClock } from '../../lib/domain/clock';

// A client in a process of its own that takes as much of the gateway as it can, for tests of what others notice of it.

export interface FloodOrder {
  readonly baseUrl: string;
  readonly testKey: string;
  readonly liveKey: string;
  /** A URL that accepts connections and never answers. */
  readonly silentUrl: string;
  /** Test videos, each with a webhook to `silentUrl`, as fast as the gateway answers. */
  readonly submits: number;
  /** Bodies of 30 MB that are sent 64 KiB at a time, once a second. */
  readonly uploads: number;
  /** Streamed messages that last for 45 seconds, and begin again. */
  readonly streams: number;
  /** Live videos of a provider that does not answer. */
  readonly hanging: number;
}

export interface FloodReport {
  /** How often each kind of request was answered with each status; 0 is a connection that was closed. */
  readonly statuses: Readonly<Record<string, Readonly<Record<number, number>>>>;
  /** How many requests of each kind were under way when the flood ended. */
  readonly open: Readonly<Record<string, number>>;
}

const SUBMITTING_CONNECTIONS = 64;
const UPLOAD_BYTES = 30 * 1024 * 1024;
const UPLOAD_CHUNK = Buffer.alloc(64 * 1024, 'x');

// Other clients are on other machines, and take no processor time of the gateway: here this one only takes what is left.
setPriority(constants.priority.PRIORITY_LOW);

process.once('message', (order: FloodOrder) => void run(order));
process.once('disconnect', () => process.exit(0));
process.send?.('ready');

async function run(order: FloodOrder): Promise<void> {
  const statuses: Record<string, Record<number, number>> = {};
  const open: Record<string, number> = {};
  const dispatcher = new Agent({ connections: null, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 });
  let isOver = false;

  async function send(
    kind: string,
    route: string,
    key: string,
    body: string | AsyncIterable<Buffer>,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    let status = 0;
    open[kind] = (open[kind] ?? 0) + 1;
    try {
      const response = await request(`${order.baseUrl}${route}`, {
        method: 'POST',
        dispatcher,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : Readable.from(body),
      });
      status = response.statusCode;
      for await (const chunk of response.body) void chunk;
    } catch {
      // The gateway closes connections that send what it has refused.
    }
    open[kind] -= 1;
    const counts = (statuses[kind] ??= {});
    counts[status] = (counts[status] ?? 0) + 1;
  }

  const repeat = (times: number, each: (n: number) => Promise<void>) =>
    Promise.all(Array.from({ length: times }, (_, n) => each(n)));
  const untilOver = async (each: () => Promise<void>) => {
    while (!isOver) {
      await each();
      // A refusal is tried again after a moment, as a careless client does.
      await systemClock.sleep(100);
    }
  };
  const video = (model: string) =>
    JSON.stringify({ model, prompt: 'a flood', seconds: 1, webhook: `${order.silentUrl}/hook` });
  const sandboxVideo = JSON.stringify({
    ...(JSON.parse(video('sandbox-t2v')) as object),
    size: '640x360',
    fps: 8,
  });
  const message = JSON.stringify({
    model: 'sandbox-text',
    max_tokens: 500,
    stream: true,
    messages: [{ role: 'user', content: 'Hello' }],
  });

  const numbers = Array.from({ length: order.submits }, (_, n) => n).values();
  void repeat(order.hanging, () => send('hanging', '/v1/videos', order.liveKey, video('pixverse-v6-t2v')));
  void repeat(order.uploads, () =>
    untilOver(() =>
      send(
        'uploads',
        '/v1/videos',
        order.testKey,
        slowBody(() => isOver),
        { 'content-length': String(UPLOAD_BYTES) },
      ),
    ),
  );
  void repeat(order.streams, () =>
    untilOver(() => send('streams', '/v1/messages', order.testKey, message, { 'x-test-scenario': 'slow:45' })),
  );
  await repeat(SUBMITTING_CONNECTIONS, async () => {
    for (const _ of numbers) await send('submits', '/v1/videos', order.testKey, sandboxVideo);
  });
  isOver = true;
  process.send?.({ statuses, open } satisfies FloodReport);
}

async function* slowBody(isOver: () => boolean): AsyncIterable<Buffer> {
  for (let sent = 0; sent < UPLOAD_BYTES && !isOver(); sent += UPLOAD_CHUNK.length) {
    yield UPLOAD_CHUNK;
    await systemClock.sleep(1_000);
  }
}
