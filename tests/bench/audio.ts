import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { WebSocket, WebSocketServer } from 'ws';

// What does a relayed frame of sound cost? Three processes: the gateway, a fake upstream that notes when each frame arrives,
// and this one, which sends fifty frames of 20 ms a second for every session. Beside the gateway stands the least that a
// relay can be, as a yardstick: one socket piped into another. Run: `npm run bench:audio`, with `-- --smoke` for a minute.

const FRAME_BYTES = 640;
const FRAME_MS = 20;
const smoke = process.argv.includes('--smoke');
const SESSIONS = smoke ? [50] : [50, 100, 200, 400];
const WARM_UP_MS = smoke ? 3_000 : 10_000;
const MEASURE_MS = smoke ? 5_000 : 10_000;
const ROUNDS = smoke ? 2 : 5;

interface Usage {
  readonly cpuMicros: number;
  readonly rssBytes: number;
}

const role = process.argv[2];
if (role === 'upstream') runUpstream();
else if (role === 'yardstick') runYardstick(Number(process.argv[3]));
else void orchestrate();

/** Takes sound and notes how long each frame was under way; says nothing until the end. */
function runUpstream(): void {
  let delays: number[] = [];
  const server = createServer();
  const sockets = new WebSocketServer({ server, perMessageDeflate: false });
  sockets.on('connection', (socket) => {
    socket.on('message', (data, isBinary) => {
      // Safe: with the default options every message is one Buffer.
      const bytes = data as Buffer;
      if (isBinary) delays.push(wallMillis() - bytes.readDoubleLE(0));
      else if (bytes.includes('CloseStream')) {
        socket.send('{"type":"Metadata","duration":1}');
        socket.close();
      }
    });
  });
  process.on('message', () => {
    process.send?.(percentiles(delays));
    delays = [];
  });
  listen(server);
}

/** One socket piped into another: no key, no bill, no checks. */
function runYardstick(upstreamPort: number): void {
  const server = createServer();
  const sockets = new WebSocketServer({ server, perMessageDeflate: false });
  sockets.on('connection', (socket) => {
    const upstream = new WebSocket(`ws://127.0.0.1:${upstreamPort}/v1/listen`, { perMessageDeflate: false });
    const early: Buffer[] = [];
    upstream.on('open', () => early.splice(0).forEach((bytes) => upstream.send(bytes)));
    socket.on('message', (data, isBinary) => {
      if (!isBinary) return void socket.send('{"type":"session_started"}');
      // Safe: as above.
      if (upstream.readyState === WebSocket.OPEN) upstream.send(data as Buffer);
      else early.push(data as Buffer); // Safe: as above.
    });
    socket.on('close', () => upstream.close());
  });
  answerUsage();
  listen(server);
}

async function orchestrate(): Promise<void> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'patchbay-bench-'));
  const upstream = start(['tests/bench/audio.ts', 'upstream']);
  const upstreamPort = await portOf(upstream);
  const yardstick = start(['tests/bench/audio.ts', 'yardstick', String(upstreamPort)]);
  const gateway = start(['tests/bench/audio-gateway.ts'], {
    DATA_DIR: dataDir, LOG_LEVEL: 'warn', CONFIRMED_PRICES: 'nova-3', DEEPGRAM_API_KEY: 'bench', DEEPGRAM_BASE_URL: `http://127.0.0.1:${upstreamPort}`,
  });
  const targets = { yardstick: { child: yardstick, port: await portOf(yardstick) }, gateway: { child: gateway, port: await portOf(gateway) } };
  const { keys } = JSON.parse(await readFile(path.join(dataDir, 'first-run.json'), 'utf8')) as { keys: { live: string } };

  console.log(`Node ${process.version}; frames of ${FRAME_BYTES} bytes every ${FRAME_MS} ms; ${ROUNDS} rounds of ${MEASURE_MS / 1000} s in turns after ${WARM_UP_MS / 1000} s\n`);
  console.log('sessions | who       | CPU µs/frame          | added p50 ms | p99 ms | KB/session idle | active');
  for (const count of SESSIONS) {
    const results: Record<string, { cpu: number[]; p50: number[]; p99: number[]; idle: number; active: number }> = {};
    for (const [name, { child, port }] of Object.entries(targets)) {
      const before = await usageOf(child);
      const sessions = await Promise.all(Array.from({ length: count }, () => openSession(`ws://127.0.0.1:${port}/v1/audio/transcriptions/ws`, keys.live)));
      await pause(1_000);
      const opened = await usageOf(child);
      const result = { cpu: [] as number[], p50: [] as number[], p99: [] as number[], idle: (opened.rssBytes - before.rssBytes) / count / 1024, active: 0 };
      results[name] = result;
      await send(sessions, WARM_UP_MS);
      for (let round = 0; round < ROUNDS; round++) {
        await ask(upstream);
        const from = await usageOf(child);
        const frames = await send(sessions, MEASURE_MS);
        const to = await usageOf(child);
        // Safe: the upstream answers with these two.
        const { p50, p99 } = (await ask(upstream)) as { p50: number; p99: number };
        result.cpu.push((to.cpuMicros - from.cpuMicros) / frames);
        result.p50.push(p50);
        result.p99.push(p99);
        result.active = (to.rssBytes - before.rssBytes) / count / 1024;
      }
      for (const socket of sessions) socket.terminate();
      await pause(2_000);
    }
    for (const [name, { cpu, p50, p99, idle, active }] of Object.entries(results)) {
      console.log(`${String(count).padStart(8)} | ${name.padEnd(9)} | ${median(cpu).toFixed(1).padStart(6)} (${Math.min(...cpu).toFixed(1)}..${Math.max(...cpu).toFixed(1)})`.padEnd(45), `| ${median(p50).toFixed(2).padStart(12)} | ${median(p99).toFixed(2).padStart(6)} | ${idle.toFixed(0).padStart(15)} | ${active.toFixed(0).padStart(6)}`);
    }
  }
  for (const child of [gateway, yardstick, upstream]) child.kill('SIGTERM');
  for (const child of [gateway, yardstick, upstream]) if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  await rm(dataDir, { recursive: true, force: true });
}

async function openSession(url: string, key: string): Promise<WebSocket> {
  const socket = new WebSocket(url, { headers: { authorization: `Bearer ${key}` }, perMessageDeflate: false });
  await once(socket, 'open');
  socket.send('{"type":"configure","model":"nova-3","language":"en"}');
  const [data] = await once(socket, 'message');
  if (!String(data).includes('session_started')) throw new Error(`A session did not start: ${String(data)}`);
  socket.on('message', () => {});
  return socket;
}

/** Every session in its own phase, so that they do not all send at once. */
async function send(sessions: readonly WebSocket[], ms: number): Promise<number> {
  const until = performance.now() + ms;
  let frames = 0;
  let slot = 0;
  let due = performance.now();
  const perTick = sessions.length / FRAME_MS;
  let owed = 0;
  while (performance.now() < until) {
    while (due <= performance.now()) {
      owed += perTick;
      due += 1;
      for (; owed >= 1; owed -= 1) {
        const frame = Buffer.alloc(FRAME_BYTES);
        frame.writeDoubleLE(wallMillis(), 0);
        sessions[slot++ % sessions.length]?.send(frame);
        frames += 1;
      }
    }
    await pause(1);
  }
  await pause(200);
  return frames;
}

function start(args: readonly string[], env: Record<string, string> = {}): ChildProcess {
  const options: SpawnOptions = { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], env: { PATH: process.env.PATH, NODE_ENV: 'production', ...env } };
  return spawn(process.execPath, ['--require', 'tsx/cjs', ...args], options);
}

async function portOf(child: ChildProcess): Promise<number> {
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return port;
}

async function ask(child: ChildProcess): Promise<unknown> {
  const answer = once(child, 'message');
  child.send('measure');
  return (await answer)[0];
}

const usageOf = async (child: ChildProcess) => (await ask(child)) as Usage;

function answerUsage(): void {
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send?.({ cpuMicros: user + system, rssBytes: process.memoryUsage().rss });
  });
}

function listen(server: ReturnType<typeof createServer>): void {
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    process.send?.({ port: typeof address === 'object' && address ? address.port : 0 });
  });
  process.on('SIGTERM', () => process.exit(0));
}

/** Comparable between processes of one machine, finer than a millisecond. */
const wallMillis = () => performance.timeOrigin + performance.now();
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const median = (values: readonly number[]) => values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;

function percentiles(values: readonly number[]) {
  const sorted = values.toSorted((one, other) => one - other);
  return { p50: sorted[Math.floor(sorted.length * 0.5)] ?? 0, p99: sorted[Math.floor(sorted.length * 0.99)] ?? 0 };
}
