import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { WebSocket } from 'ws';
import { bundleServer } from '../support/bundle-server';
import { startPostgres } from '../support/postgres';
import { wallClockMs, type MeasureRequest, type Memory, type Usage } from './audio-child';
import {
  formatRange,
  isSmoke,
  judge,
  maxTargetFactor,
  median,
  orderInRound,
  percentile,
  print,
  sleep,
} from './measure';
import { PRODUCT_ARGS } from '../support/project';
import { pinToCore, stopProcess, type StartedProcess } from './processes';

// Measures the cost of relayed audio. There are four processes: the gateway, a minimal relay as the baseline, their
// upstream, and this one, which runs all clients. The gateway and the baseline share one core; the others share the
// second core. The servers are bundled as the product is: a compiler at run time attaches a name to each function,
// which costs one third of the memory of a session. Rounds alternate between baseline and gateway.
//
// Run: `npm run bench:audio`; with `-- 400` only for this number of sessions, with `-- --smoke` for half a minute, with
// `-- --report` without failing. The full run judges by the targets themselves and needs a quiet machine. The smoke run
// must pass on a busy machine: it judges CPU time as a multiple of the baseline's and latency by the best round,
// because latency that the code adds appears in every round. All its limits are twice the targets.

const FRAME_BYTES = 640;
const FRAME_INTERVAL_MS = 20;
const sessionCountArguments = process.argv
  .slice(2)
  .filter((word) => /^\d+$/.test(word))
  .map(Number);
const SESSION_COUNTS = sessionCountArguments.length > 0 ? sessionCountArguments : isSmoke ? [100] : [100, 200, 400];
const WARM_UP_MS = isSmoke ? 2_000 : 10_000;
/** Each takes one second. */
const WARM_UP_SPEECHES = WARM_UP_MS / 1_000;
const ROUND_MS = isSmoke ? 1_000 : 4_000;
const ROUNDS = isSmoke ? 4 : 5;
const SPEECH_SESSIONS = 20;
const FIRST_MESSAGES_PER_ROUND = isSmoke ? 8 : 20;

/** `ratio` is the CPU time as a multiple of the baseline's. */
const targets = {
  frame: { cpuMicros: 40, ratio: 1.5 },
  addedP99Ms: 5,
  idleKb: 60,
  activeKb: 150,
  chunk: { cpuMicros: 100, ratio: 2 },
  addedFirstMessageMs: 2,
};

interface Relay {
  readonly name: 'baseline' | 'gateway';
  readonly child: ChildProcess;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

type RelayPair = readonly [baseline: Relay, gateway: Relay];

const cpuMicrosBetween = (from: Usage, to: Usage) => to.cpuMicros - from.cpuMicros;

/** Memory per session: the growth of the process's resident memory and of its live objects. */
interface SessionMemory {
  readonly residentKb: number;
  readonly liveKb: number;
}

const sessionMemory = (from: Memory, to: Memory, count: number): SessionMemory => ({
  residentKb: (to.residentBytes - from.residentBytes) / 1024 / count,
  liveKb: (to.liveBytes - from.liveBytes) / 1024 / count,
});
/** The larger figure: a process with free memory does not grow for new sessions, so live objects count too. */
const largerKb = ({ residentKb, liveKb }: SessionMemory) => Math.max(residentKb, liveKb);
const formatMemory = (memory: SessionMemory) =>
  `${largerKb(memory).toFixed(0)} KB (resident ${memory.residentKb.toFixed(0)}, live ${memory.liveKb.toFixed(0)})`;

const passes: boolean[] = [];

/** Prints and records the verdict on a figure. There is none if `baseline`, one figure per round, varied too much. */
function checkTarget(label: string, figure: number, max: number, unit: string, baseline: readonly number[] = []): void {
  const verdict = judge(figure <= max, 'too much', baseline);
  passes.push(verdict.passed);
  print(`  ${label}: ${figure.toFixed(2)} ${unit}; target at most ${max}: ${verdict.label}`);
}

/** `baseline` and `gateway` are microseconds of CPU time, one figure per round. */
function checkCpuTime(
  label: string,
  baseline: readonly number[],
  gateway: readonly number[],
  target: { readonly cpuMicros: number; readonly ratio: number },
): void {
  const ratio = median(gateway) / median(baseline);
  if (isSmoke) return checkTarget(label, ratio, target.ratio * maxTargetFactor, 'times the baseline', baseline);
  print(`  ${ratio.toFixed(2)} times the baseline`);
  checkTarget(label, median(gateway), target.cpuMicros, 'µs', baseline);
}

/** `baseline` and `gateway` are milliseconds, one figure per round. */
function checkAddedLatency(
  label: string,
  baseline: readonly number[],
  gateway: readonly number[],
  maxMs: number,
): void {
  const addedMs = gateway.map((figure, round) => figure - (baseline[round] ?? Number.NaN));
  checkTarget(label, isSmoke ? Math.min(...addedMs) : median(addedMs), maxMs * maxTargetFactor, 'ms', baseline);
}

async function startBundled(
  name: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<StartedProcess> {
  const child = fork(bundleServer(`tests/bench/${name}.ts`), args, {
    execArgv: ['--expose-gc', ...PRODUCT_ARGS],
    env: { PATH: process.env.PATH, NODE_ENV: 'production', ...env },
  });
  const [message] = (await once(child, 'message')) as [{ port: number; key?: string }]; // Safe: the report of a server.
  return { child, ...message };
}

async function measureChild<Result>(child: ChildProcess, request: MeasureRequest): Promise<Result> {
  const reply = once(child, 'message');
  child.send(request);
  // Safe: each child replies with the type that `answerMeasureRequests` and its own file define.
  return (await reply)[0] as Result;
}

const measureUsage = (child: ChildProcess) => measureChild<Usage>(child, 'usage');
const measureMemory = (child: ChildProcess) => measureChild<Memory>(child, 'memory');

async function openTranscription({ url, headers }: Relay): Promise<WebSocket> {
  const socket = new WebSocket(`${url}/v1/audio/transcriptions/ws`, { headers, perMessageDeflate: false });
  await once(socket, 'open');
  socket.send('{"type":"configure","model":"nova-3","language":"en"}');
  const [data] = await once(socket, 'message');
  if (!String(data).includes('session_started')) throw new Error(`A session did not start: ${String(data)}`);
  socket.on('message', () => {});
  return socket;
}

async function openTranscriptions(relay: Relay, count: number): Promise<WebSocket[]> {
  const sockets: WebSocket[] = [];
  // 50 at a time, as many as a server gets on a busy day. More would only wait in its listen queue.
  while (sockets.length < count)
    sockets.push(
      ...(await Promise.all(
        Array.from({ length: Math.min(50, count - sockets.length) }, () => openTranscription(relay)),
      )),
    );
  return sockets;
}

async function closeTranscriptions(sockets: readonly WebSocket[]): Promise<void> {
  for (const socket of sockets) socket.terminate();
  await sleep(1_500);
}

/**
 * Sends frames on all sockets for `ms`. The sockets take turns within each frame interval, so that they do not all send at
 * once. Resolves to the number of frames.
 */
async function sendFrames(sockets: readonly WebSocket[], ms: number): Promise<number> {
  const until = performance.now() + ms;
  const framesPerMs = sockets.length / FRAME_INTERVAL_MS;
  let frames = 0;
  let nextSocket = 0;
  let dueFrames = 0;
  for (let dueAt = performance.now(); dueAt < until; await sleep(1)) {
    for (; dueAt <= performance.now(); dueAt += 1) {
      dueFrames += framesPerMs;
      for (; dueFrames >= 1; dueFrames -= 1) {
        const frame = Buffer.alloc(FRAME_BYTES);
        frame.writeDoubleLE(wallClockMs(), 0);
        sockets[nextSocket++ % sockets.length]?.send(frame);
        frames += 1;
      }
    }
  }
  await sleep(100);
  return frames;
}

interface TranscriptionRun {
  readonly sockets: readonly WebSocket[];
  readonly memoryBefore: Memory;
  readonly idle: SessionMemory;
  active: SessionMemory;
  /** CPU time per frame, one figure per round. */
  readonly cpuMicros: number[];
  /** Latency of the frames, one figure per round. */
  readonly p50Ms: number[];
  readonly p99Ms: number[];
}

async function openRun(relay: Relay, count: number): Promise<TranscriptionRun> {
  // The first sessions make a process allocate memory that it keeps. Sessions that are closed before the first
  // measurement keep this memory out of the figures per session.
  const warmUpSockets = await openTranscriptions(relay, 20);
  await sendFrames(warmUpSockets, WARM_UP_MS / 2);
  await closeTranscriptions(warmUpSockets);
  const memoryBefore = await measureMemory(relay.child);
  const sockets = await openTranscriptions(relay, count);
  await sleep(500);
  const idle = sessionMemory(memoryBefore, await measureMemory(relay.child), count);
  return { sockets, memoryBefore, idle, active: idle, cpuMicros: [], p50Ms: [], p99Ms: [] };
}

async function compareTranscription(pair: RelayPair, upstream: ChildProcess, count: number): Promise<void> {
  const runs: readonly [TranscriptionRun, TranscriptionRun] = [
    await openRun(pair[0], count),
    await openRun(pair[1], count),
  ];
  for (const { sockets } of runs) await sendFrames(sockets, WARM_UP_MS / 2);
  for (let round = 0; round < ROUNDS; round++) {
    for (const index of orderInRound(round)) {
      const [relay, run] = [pair[index], runs[index]];
      // Discards the latencies of earlier frames.
      await measureUsage(upstream);
      const from = await measureUsage(relay.child);
      const frames = await sendFrames(run.sockets, ROUND_MS);
      const to = await measureUsage(relay.child);
      const { latenciesMs } = await measureChild<{ latenciesMs: number[] }>(upstream, 'usage');
      if (latenciesMs.length < frames * 0.99) {
        print(`  ${relay.name} forwarded ${latenciesMs.length} of ${frames} frames in time; the round does not count`);
        passes.push(false);
        continue;
      }
      run.cpuMicros.push(cpuMicrosBetween(from, to) / frames);
      run.p50Ms.push(percentile(latenciesMs, 0.5));
      run.p99Ms.push(percentile(latenciesMs, 0.99));
      if (round === ROUNDS - 1) run.active = sessionMemory(run.memoryBefore, await measureMemory(relay.child), count);
    }
  }
  if (runs.some(({ cpuMicros }) => cpuMicros.length === 0)) {
    print(`Transcription, ${count} sessions: no figures, because the machine was too busy`);
    for (const { sockets } of runs) await closeTranscriptions(sockets);
    return;
  }
  print(`Transcription, ${count} sessions, ${1_000 / FRAME_INTERVAL_MS} frames per second each`);
  for (const index of [0, 1] as const) {
    const { cpuMicros, p50Ms, p99Ms, idle, active } = runs[index];
    print(
      `  ${pair[index].name.padEnd(9)} ${median(cpuMicros).toFixed(1)} µs of CPU time per frame (${formatRange(cpuMicros, 1)}), latency ${median(p50Ms).toFixed(2)} ms (p50) and ${median(p99Ms).toFixed(2)} ms (p99: ${formatRange(p99Ms, 1)})`,
    );
    print(`            memory per session: ${formatMemory(idle)} idle, ${formatMemory(active)} active`);
  }
  const [baseline, gateway] = runs;
  checkCpuTime('CPU time per frame', baseline.cpuMicros, gateway.cpuMicros, targets.frame);
  checkAddedLatency('added p99', baseline.p99Ms, gateway.p99Ms, targets.addedP99Ms);
  if (count === SESSION_COUNTS.at(-1)) {
    checkTarget('memory idle', largerKb(gateway.idle), targets.idleKb * maxTargetFactor, 'KB');
    checkTarget('memory active', largerKb(gateway.active), targets.activeKb * maxTargetFactor, 'KB');
  }
  for (const { sockets } of runs) await closeTranscriptions(sockets);
}

async function openSpeech({ url, headers }: Relay): Promise<WebSocket> {
  const socket = new WebSocket(`${url}/v1/audio/speech/ws`, { headers, perMessageDeflate: false });
  await once(socket, 'open');
  return socket;
}

/** Only the baseline needs the context: it forwards the message unchanged. */
const ttsMessage = (input: string, context: string) =>
  JSON.stringify({ type: 'tts', model: 'sonic-3.5', voice: 'Katie', input, context_id: context });

let contexts = 0;

/** Sends one text and waits for the last message. Resolves to the number of audio chunks. */
function receiveSpeech(socket: WebSocket): Promise<number> {
  return new Promise((resolve, reject) => {
    let chunks = 0;
    const receive = (data: unknown) => {
      // Only short messages are parsed: the last message and errors are short, audio chunks are long.
      // Safe: with the default options every message is one Buffer.
      const text = (data as Buffer).byteLength < 1_000 ? String(data as Buffer) : '';
      if (text === '') chunks += 1;
      else {
        socket.off('message', receive);
        if (text.includes('"done"')) resolve(chunks);
        else reject(new Error(`A speech request failed: ${text}`));
      }
    };
    socket.on('message', receive);
    contexts += 1;
    socket.send(ttsMessage('A sentence to be spoken.', `ctx-${contexts}`));
  });
}

/** Milliseconds from a text to its first message, on a new socket. */
async function measureFirstMessage(relay: Relay): Promise<number> {
  const socket = await openSpeech(relay);
  // The gateway connects to the provider when the session opens. A real client needs longer than 20 ms to send a text,
  // so the time to connect is not part of the figure.
  await sleep(20);
  const first = once(socket, 'message');
  const startedAt = performance.now();
  socket.send(ttsMessage('Hello.', 'ctx-first'));
  await first;
  const ms = performance.now() - startedAt;
  socket.terminate();
  return ms;
}

interface SpeechRun {
  readonly sockets: readonly WebSocket[];
  /** CPU time per chunk, one figure per round. */
  readonly cpuMicros: number[];
  /** Median time to the first message, one figure per round. */
  readonly firstMessageMs: number[];
}

async function compareSpeech(pair: RelayPair): Promise<void> {
  const openSpeechRun = async (relay: Relay): Promise<SpeechRun> => ({
    sockets: await Promise.all(Array.from({ length: SPEECH_SESSIONS }, () => openSpeech(relay))),
    cpuMicros: [],
    firstMessageMs: [],
  });
  const runs = [await openSpeechRun(pair[0]), await openSpeechRun(pair[1])] as const;
  // The rounds below 0 are the warm-up.
  for (let round = -WARM_UP_SPEECHES; round < ROUNDS; round++) {
    for (const index of orderInRound(round)) {
      const { child } = pair[index];
      const from = await measureUsage(child);
      const chunkCounts = await Promise.all(runs[index].sockets.map(receiveSpeech));
      const to = await measureUsage(child);
      const chunks = chunkCounts.reduce((sum, count) => sum + count, 0);
      if (round >= 0) runs[index].cpuMicros.push(cpuMicrosBetween(from, to) / chunks);
    }
  }
  for (let round = -1; round < ROUNDS; round++) {
    const firstMessageMs: readonly [number[], number[]] = [[], []];
    for (let count = 0; count < FIRST_MESSAGES_PER_ROUND; count++)
      for (const index of [0, 1] as const) firstMessageMs[index].push(await measureFirstMessage(pair[index]));
    if (round < 0) continue;
    for (const index of [0, 1] as const) runs[index].firstMessageMs.push(median(firstMessageMs[index]));
  }
  print(`Speech, ${SPEECH_SESSIONS} sessions, one chunk of 4,800 bytes every 10 ms each`);
  for (const index of [0, 1] as const) {
    const { cpuMicros, firstMessageMs } = runs[index];
    print(
      `  ${pair[index].name.padEnd(9)} ${median(cpuMicros).toFixed(1)} µs of CPU time per chunk (${formatRange(cpuMicros, 1)}); first message after ${median(firstMessageMs).toFixed(2)} ms (p50: ${formatRange(firstMessageMs, 2)})`,
    );
  }
  const [baseline, gateway] = runs;
  checkCpuTime('CPU time per chunk', baseline.cpuMicros, gateway.cpuMicros, targets.chunk);
  checkAddedLatency(
    'added time to the first message',
    baseline.firstMessageMs,
    gateway.firstMessageMs,
    targets.addedFirstMessageMs,
  );
  for (const { sockets } of runs) for (const socket of sockets) socket.terminate();
}

async function main(): Promise<void> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'patchbay-bench-'));
  // Before the database and the upstream start, because they inherit the core.
  pinToCore(process.pid, 1);
  const postgres = await startPostgres();
  const database = postgres
    ? {
        DATABASE_URL: await postgres.createDatabase(),
        AUTH_SECRET: 'b'.repeat(64),
        MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
      }
    : {};
  const upstream = await startBundled('audio-upstream');
  const upstreamUrl = `http://127.0.0.1:${upstream.port}`;
  const relay = await startBundled('audio-relay', [String(upstream.port)]);
  const gateway = await startBundled('audio-gateway', [], {
    ...database,
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
    CONFIRMED_PRICES: 'nova-3,sonic-3.5',
    DEEPGRAM_API_KEY: 'bench',
    DEEPGRAM_BASE_URL: upstreamUrl,
    CARTESIA_API_KEY: 'bench',
    CARTESIA_BASE_URL: upstreamUrl,
  });
  for (const { child } of [relay, gateway]) pinToCore(child.pid, 0);
  const pair: RelayPair = [
    { name: 'baseline', child: relay.child, url: `ws://127.0.0.1:${relay.port}`, headers: {} },
    {
      name: 'gateway',
      child: gateway.child,
      url: `ws://127.0.0.1:${gateway.port}`,
      headers: { authorization: `Bearer ${gateway.key}` },
    },
  ];
  print(
    `Node ${process.version}, ${postgres ? 'Postgres' : 'the embedded database'}, ${isSmoke ? 'smoke' : 'full'} run; frames of ${FRAME_BYTES} bytes, ${ROUNDS} alternating rounds`,
  );
  try {
    for (const count of SESSION_COUNTS) await compareTranscription(pair, upstream.child, count);
    await compareSpeech(pair);
  } finally {
    for (const { child } of [gateway, relay, upstream]) await stopProcess(child);
    await postgres?.close();
    await rm(dataDir, { recursive: true, force: true });
  }
  if (passes.includes(false) && !process.argv.includes('--report')) process.exitCode = 1;
}

void main();
