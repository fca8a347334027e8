import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FirstRun } from '../../lib/accounts/first-run-file';
import { systemClock } from '../../lib/domain/clock';
import { buildAll, isBuilt } from '../../server/build.mjs';
import { bundleServer } from '../support/bundle-server';
import { projectRoot, SHORT_LIVED } from '../support/project';
import { proofRuns } from '../support/proof-runs';
import { chunk } from '../support/upstreams/fake-chat-upstream';
import { blockDelta, blockStart, frame, messageStart } from '../support/upstreams/message-frames';
import { userTurn } from './raw';
import type { HeldMemory } from './gateway-process';
import { chatModel, nativeModel } from './world';

// Many clients that begin to read and then stop, while an upstream sends as fast as it can: its output (64 MB
// each) is more than any machine can buffer for them. The gateway runs in a process of its own, and its memory is
// measured there, after a garbage collection.

const READERS = proofRuns(200, 50);
const STREAM_BYTES = 64 * 1024 * 1024;
/**
 * Per reader, for everything that an open answer needs: two sockets, their buffers of 64 KB each, and the chunk in the
 * parser.
 */
const MAX_BYTES_EACH = 1024 * 1024;
/** While no client reads. Without backpressure it would be hundreds of megabytes in that time. */
const MAX_GROWTH_BYTES = 16 * 1024 * 1024;

/** An upstream that is not cancelled sends for minutes. */
const patience = { timeout: 30_000, interval: 20 };

const text = 'The quick brown fox jumps over the lazy dog. '.repeat(20);
const streams = {
  '/v1/messages': {
    begin: frame(messageStart({ model: nativeModel })) + frame(blockStart(0, { type: 'text', text: '' })),
    piece: frame(blockDelta(0, { type: 'text_delta', text })).repeat(16),
  },
  '/v1/chat/completions': {
    begin: chunk({ role: 'assistant', content: '' }),
    piece: chunk({ content: text }).repeat(16),
  },
} as const;

/** Bytes that the gateway has read from the upstream for each answer. */
const taken: number[] = [];
let open = 0;

/** Writes to each answer while the gateway reads. */
function startUpstream(): Promise<Server> {
  const upstream = createServer((incoming, response) => {
    // Safe: it receives no other request.
    const { begin, piece } = streams[incoming.url as keyof typeof streams];
    const reader = taken.push(0) - 1;
    open += 1;
    response.once('close', () => (open -= 1));
    incoming.resume().once('end', () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(begin);
      const write = () => {
        while (taken[reader]! < STREAM_BYTES && !response.destroyed) {
          taken[reader]! += piece.length;
          if (!response.write(piece)) return void response.once('drain', write);
        }
      };
      write();
    });
  });
  return new Promise((resolve) => upstream.listen(0, '127.0.0.1', () => resolve(upstream)));
}

let dataDir: string;
let upstream: Server;
let gateway: ChildProcess;
let baseUrl: string;
let key: string;

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'patchbay-readers-'));
  upstream = await startUpstream();
  // Safe: it listens on a port.
  const { port } = upstream.address() as AddressInfo;
  if (!isBuilt()) await buildAll();
  gateway = fork(bundleServer('tests/conformance/gateway-process.ts'), [], {
    cwd: projectRoot,
    execArgv: [...SHORT_LIVED, '--expose-gc'],
    env: {
      NODE_ENV: 'production',
      DATA_DIR: dataDir,
      LOG_LEVEL: 'silent',
      ANTHROPIC_API_KEY: 'k',
      ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`,
      OPENAI_COMPATIBLE_BASE_URL: `http://127.0.0.1:${port}/v1`,
    },
  });
  // Safe: the first message of `gateway-process.ts`.
  const [ready] = (await once(gateway, 'message')) as [{ port: number }];
  baseUrl = `http://127.0.0.1:${ready.port}`;
  // Safe: the first start writes it.
  key = (JSON.parse(await readFile(path.join(dataDir, 'first-run.json'), 'utf8')) as FirstRun).keys.live;
});
afterAll(async () => {
  const gone = once(gateway, 'exit');
  gateway.disconnect();
  await gone;
  upstream.closeAllConnections();
  upstream.close();
  await rm(dataDir, { recursive: true, force: true });
});

async function heldBytes(): Promise<number> {
  gateway.send('memory');
  // Safe: the reply of `gateway-process.ts`.
  const [{ bytes }] = (await once(gateway, 'message')) as [HeldMemory];
  return bytes;
}

/** Waits until the gateway reads from no upstream socket any more. */
async function stalled(): Promise<void> {
  for (let before = -1, now = 0; before !== now; now = taken.reduce((sum, bytes) => sum + bytes, 0)) {
    before = now;
    await systemClock.sleep(300);
  }
}

describe('slow readers', () => {
  it('cost no memory, because the upstream waits for them: half of it native, half translated', async () => {
    const agent = new Agent({ connections: READERS });
    const ask = async (index: number) => {
      for (;;) {
        const { statusCode, body } = await request(`${baseUrl}/v1/messages`, {
          method: 'POST',
          dispatcher: agent,
          headers: { 'content-type': 'application/json', 'x-api-key': key },
          body: JSON.stringify(userTurn(index % 2 === 0 ? nativeModel : chatModel, 'Hello')),
        });
        body.on('error', () => {});
        if (statusCode === 200) return body;
        // A busy machine is an overload, which is refused before the upstream is called. A client asks again.
        expect(statusCode).toBe(503);
        await body.dump();
        await systemClock.sleep(1_000);
      }
    };
    // The first reader allocates what all later ones share.
    for (const model of [0, 1]) (await ask(model)).destroy();
    await expect.poll(() => open, patience).toBe(0);
    taken.length = 0;
    const before = await heldBytes();

    // A few at a time, so that they are no overload by themselves.
    const bodies: Awaited<ReturnType<typeof ask>>[] = [];
    while (bodies.length < READERS)
      bodies.push(...(await Promise.all(Array.from({ length: 10 }, (_, n) => ask(bodies.length + n)))));
    await stalled();
    const filled = await heldBytes();
    await systemClock.sleep(2_000);
    const later = await heldBytes();

    expect(taken).toHaveLength(READERS);
    for (const bytes of taken) expect(bytes).toBeLessThan(STREAM_BYTES);
    expect(filled - before).toBeLessThan(READERS * MAX_BYTES_EACH);
    expect(later - filled).toBeLessThan(MAX_GROWTH_BYTES);

    // They were paused, not dropped: a client that reads on gets more.
    const stoodAt = taken.reduce((sum, bytes) => sum + bytes, 0);
    for (const body of bodies.slice(0, 10)) body.resume();
    await expect
      .poll(() => taken.reduce((sum, bytes) => sum + bytes, 0), patience)
      .toBeGreaterThan(stoodAt + 1024 * 1024);

    for (const body of bodies) body.destroy();
    await expect.poll(() => open, patience).toBe(0);
    await agent.destroy();
  });
});
