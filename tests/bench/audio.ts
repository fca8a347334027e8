import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { WebSocket } from 'ws';
import { startPostgres } from '../support/postgres';
import { wallMillis, type Memory, type Question, type Usage } from './audio-child';
import { judge, median, pause, percentile, say, slack, smoke } from './measure';
import { end, pin, productArgs } from './processes';

// What does relayed sound cost? Four processes: the gateway, the least that a relay can be as a yardstick, their upstream, and
// this one, which is every caller. The first two share one core, the others the other one. All are bundled as the product is:
// compiled on the fly, each function would carry its name about, which costs a third of a session's memory. Rounds alternate
// between yardstick and gateway.
//
// Run: `npm run bench:audio`; with `-- 400` for so many sessions only, with `-- --smoke` for half a minute, with `-- --report`
// without a verdict. The full run judges by the targets themselves and wants a quiet machine. The short one must hold on a
// busy one: processor time is judged as a multiple of the yardstick's, delays by their best round (what the code adds, every
// round has), all with twice the room.

const FRAME_BYTES = 640;
const FRAME_MS = 20;
const asked = process.argv
  .slice(2)
  .filter((word) => /^\d+$/.test(word))
  .map(Number);
const SESSIONS = asked.length > 0 ? asked : smoke ? [100] : [100, 200, 400];
const WARM_UP_MS = smoke ? 2_000 : 10_000;
/** Of a second each. */
const WARM_UP_SPEECHES = WARM_UP_MS / 1_000;
const ROUND_MS = smoke ? 1_000 : 4_000;
const ROUNDS = smoke ? 4 : 5;
const SPEAKERS = 20;
/** In each round. */
const FIRST_MESSAGES = smoke ? 8 : 20;

const targets = {
  frame: { micros: 40, ofYardstick: 1.5 },
  addedP99Ms: 5,
  idleKb: 60,
  activeKb: 150,
  chunk: { micros: 100, ofYardstick: 2 },
  firstMs: 2,
};

interface Target {
  readonly name: 'yardstick' | 'gateway';
  readonly child: ChildProcess;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** One figure a round. */
interface Rounds {
  readonly cpu: number[];
  readonly p50: number[];
  readonly p99: number[];
}

const usedBetween = (from: Usage, to: Usage) => to.cpuMicros - from.cpuMicros;

/** What sessions made the process take, and what of theirs lives. */
interface MemoryOfEach {
  readonly residentKb: number;
  readonly liveKb: number;
}

const memoryOfEach = (from: Memory, to: Memory, count: number): MemoryOfEach => ({
  residentKb: (to.residentBytes - from.residentBytes) / 1024 / count,
  liveKb: (to.liveBytes - from.liveBytes) / 1024 / count,
});
/** A process that has room left takes none for new sessions, so what lives in it counts too. */
const memoryOf = ({ residentKb, liveKb }: MemoryOfEach) => Math.max(residentKb, liveKb);
const memoryWords = (memory: MemoryOfEach) =>
  `${memoryOf(memory).toFixed(0)} KB (resident ${memory.residentKb.toFixed(0)}, live ${memory.liveKb.toFixed(0)})`;

const verdicts: boolean[] = [];

/** Says whether the figure is good enough, where the yardstick (its figure of each round) held still. */
function settle(what: string, figure: number, most: number, unit: string, yardstick: readonly number[] = []): void {
  const { passed, word } = judge(figure <= most, 'too much', yardstick);
  verdicts.push(passed);
  say(`  ${what}: ${figure.toFixed(2)} ${unit}; at most ${most} wanted: ${word}`);
}

function settleProcessor(
  what: string,
  own: readonly number[],
  raw: readonly number[],
  target: { readonly micros: number; readonly ofYardstick: number },
): void {
  const ratio = median(own) / median(raw);
  if (smoke) return settle(`processor of ${what}`, ratio, target.ofYardstick * slack, 'times the yardstick', raw);
  say(`  ${ratio.toFixed(2)} times the yardstick`);
  settle(`processor of ${what}`, median(own), target.micros, 'µs', raw);
}

function settleDelay(what: string, own: readonly number[], raw: readonly number[], most: number): void {
  const added = own.map((figure, round) => figure - (raw[round] ?? Number.NaN));
  settle(what, smoke ? Math.min(...added) : median(added), most * slack, 'ms', raw);
}

const span = (figures: readonly number[], digits = 1) =>
  `${Math.min(...figures).toFixed(digits)}..${Math.max(...figures).toFixed(digits)}`;

async function start(
  name: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<{ child: ChildProcess; port: number; key?: string }> {
  const child = fork(path.join('dist/bench', `${name}.js`), args, {
    execArgv: ['--expose-gc', ...productArgs],
    env: { PATH: process.env.PATH, NODE_ENV: 'production', ...env },
  });
  const [message] = (await once(child, 'message')) as [{ port: number; key?: string }];
  return { child, ...message };
}

async function ask<Answer>(child: ChildProcess, question: Question): Promise<Answer> {
  const answer = once(child, 'message');
  child.send(question);
  // Safe: each child answers with what `answerMeasures` in its file says.
  return (await answer)[0] as Answer;
}

const usageOf = (child: ChildProcess) => ask<Usage>(child, 'usage');
const memoryIn = (child: ChildProcess) => ask<Memory>(child, 'memory');

async function openSession({ url, headers }: Target): Promise<WebSocket> {
  const socket = new WebSocket(`${url}/v1/audio/transcriptions/ws`, { headers, perMessageDeflate: false });
  await once(socket, 'open');
  socket.send('{"type":"configure","model":"nova-3","language":"en"}');
  const [data] = await once(socket, 'message');
  if (!String(data).includes('session_started')) throw new Error(`A session did not start: ${String(data)}`);
  socket.on('message', () => {});
  return socket;
}

async function openSessions(target: Target, count: number): Promise<WebSocket[]> {
  const sessions: WebSocket[] = [];
  // As many at once as a server is asked for on a busy day; more would only wait in its listening queue.
  while (sessions.length < count)
    sessions.push(
      ...(await Promise.all(Array.from({ length: Math.min(50, count - sessions.length) }, () => openSession(target)))),
    );
  return sessions;
}

async function closeSessions(sessions: readonly WebSocket[]): Promise<void> {
  for (const socket of sessions) socket.terminate();
  await pause(1_500);
}

/** Every session in its own phase, so that they do not all send at once. Resolves to the number of frames. */
async function sendFrames(sessions: readonly WebSocket[], ms: number): Promise<number> {
  const until = performance.now() + ms;
  const perTick = sessions.length / FRAME_MS;
  let frames = 0;
  let slot = 0;
  let owed = 0;
  for (let due = performance.now(); due < until; await pause(1)) {
    for (; due <= performance.now(); due += 1) {
      owed += perTick;
      for (; owed >= 1; owed -= 1) {
        const frame = Buffer.alloc(FRAME_BYTES);
        frame.writeDoubleLE(wallMillis(), 0);
        sessions[slot++ % sessions.length]?.send(frame);
        frames += 1;
      }
    }
  }
  await pause(100);
  return frames;
}

interface Opened {
  readonly sessions: readonly WebSocket[];
  readonly before: Memory;
  readonly idle: MemoryOfEach;
  readonly rounds: Rounds;
  active: MemoryOfEach;
}

async function open(target: Target, count: number): Promise<Opened> {
  // What the first sessions and their first seconds make a process take, for itself and for good, is not theirs.
  const first = await openSessions(target, 20);
  await sendFrames(first, WARM_UP_MS / 2);
  await closeSessions(first);
  const before = await memoryIn(target.child);
  const sessions = await openSessions(target, count);
  await pause(500);
  const idle = memoryOfEach(before, await memoryIn(target.child), count);
  return { sessions, before, idle, rounds: { cpu: [], p50: [], p99: [] }, active: idle };
}

async function compareTranscription(
  pair: readonly [Target, Target],
  upstream: ChildProcess,
  count: number,
): Promise<void> {
  const opened: readonly [Opened, Opened] = [await open(pair[0], count), await open(pair[1], count)];
  for (const { sessions } of opened) await sendFrames(sessions, WARM_UP_MS / 2);
  for (let round = 0; round < ROUNDS; round++) {
    for (const which of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const [target, state] = [pair[which], opened[which]];
      await usageOf(upstream);
      const from = await usageOf(target.child);
      const frames = await sendFrames(state.sessions, ROUND_MS);
      const to = await usageOf(target.child);
      const { delays } = await ask<{ delays: number[] }>(upstream, 'usage');
      if (delays.length < frames * 0.99)
        throw new Error(`${target.name} passed ${delays.length} of ${frames} frames on.`);
      state.rounds.cpu.push(usedBetween(from, to) / frames);
      state.rounds.p50.push(percentile(delays, 0.5));
      state.rounds.p99.push(percentile(delays, 0.99));
      if (round === ROUNDS - 1) state.active = memoryOfEach(state.before, await memoryIn(target.child), count);
    }
  }
  say(`Transcription, ${count} sessions of ${1_000 / FRAME_MS} frames a second`);
  for (const which of [0, 1] as const) {
    const { rounds, idle, active } = opened[which];
    say(
      `  ${pair[which].name.padEnd(9)} ${median(rounds.cpu).toFixed(1)} µs of processor a frame (${span(rounds.cpu)}), ${median(rounds.p50).toFixed(2)} ms (p50) and ${median(rounds.p99).toFixed(2)} ms (p99: ${span(rounds.p99)}) under way`,
    );
    say(`            a session has ${memoryWords(idle)} idle, ${memoryWords(active)} active`);
  }
  const [raw, own] = opened;
  settleProcessor('a frame', own.rounds.cpu, raw.rounds.cpu, targets.frame);
  settleDelay('added p99', own.rounds.p99, raw.rounds.p99, targets.addedP99Ms);
  if (count === SESSIONS.at(-1)) {
    settle('memory idle', memoryOf(own.idle), targets.idleKb * slack, 'KB');
    settle('memory active', memoryOf(own.active), targets.activeKb * slack, 'KB');
  }
  for (const { sessions } of opened) await closeSessions(sessions);
}

async function openSpeaker({ url, headers }: Target): Promise<WebSocket> {
  const socket = new WebSocket(`${url}/v1/audio/speech/ws`, { headers, perMessageDeflate: false });
  await once(socket, 'open');
  return socket;
}

let contexts = 0;

/** Milliseconds to the first message; resolves with their number when it is the last. */
function speakOnce(socket: WebSocket): Promise<{ readonly firstMs: number; readonly chunks: number }> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    let firstMs = 0;
    let chunks = 0;
    const receive = (data: unknown) => {
      firstMs ||= performance.now() - startedAt;
      // The end is short, and so is an error: only these are looked into.
      const text = (data as Buffer).byteLength < 1_000 ? String(data as Buffer) : ''; // Safe: with the default options every message is one Buffer.
      if (text === '') chunks += 1;
      else {
        socket.off('message', receive);
        if (text.includes('"done"')) resolve({ firstMs, chunks });
        else reject(new Error(`A text was not spoken: ${text}`));
      }
    };
    socket.on('message', receive);
    contexts += 1;
    // The context is for the yardstick, which passes the message on as it is.
    socket.send(
      JSON.stringify({
        type: 'tts',
        model: 'sonic-3.5',
        voice: 'Katie',
        input: 'A sentence to be spoken.',
        context_id: `ctx-${contexts}`,
      }),
    );
  });
}

/** Milliseconds from a text to its first message, on a new socket. */
async function firstMessage(target: Target): Promise<number> {
  const socket = await openSpeaker(target);
  // The way to the speaker opens with the session; a caller needs longer than this to say something.
  await pause(20);
  const first = once(socket, 'message');
  const startedAt = performance.now();
  socket.send(
    JSON.stringify({ type: 'tts', model: 'sonic-3.5', voice: 'Katie', input: 'Hello.', context_id: 'ctx-first' }),
  );
  await first;
  const ms = performance.now() - startedAt;
  socket.terminate();
  return ms;
}

async function compareSpeech(pair: readonly [Target, Target]): Promise<void> {
  const open = (target: Target) => Promise.all(Array.from({ length: SPEAKERS }, () => openSpeaker(target)));
  const speakers = [await open(pair[0]), await open(pair[1])] as const;
  const figures = pair.map(() => ({ cpu: [] as number[], first: [] as number[] }));
  // Safe: one for each of the pair.
  const [raw, own] = figures as [{ cpu: number[]; first: number[] }, { cpu: number[]; first: number[] }];
  for (let round = -WARM_UP_SPEECHES; round < ROUNDS; round++) {
    for (const which of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const { child } = pair[which];
      const from = await usageOf(child);
      const spoken = await Promise.all(speakers[which].map(speakOnce));
      const to = await usageOf(child);
      const chunks = spoken.reduce((sum, each) => sum + each.chunks, 0);
      if (round >= 0) [raw, own][which]?.cpu.push(usedBetween(from, to) / chunks);
    }
  }
  for (let round = -1; round < ROUNDS; round++) {
    const waits: readonly [number[], number[]] = [[], []];
    for (let count = 0; count < FIRST_MESSAGES; count++)
      for (const which of [0, 1] as const) waits[which].push(await firstMessage(pair[which]));
    if (round < 0) continue;
    raw.first.push(median(waits[0]));
    own.first.push(median(waits[1]));
  }
  say(`Speech, ${SPEAKERS} sessions, a chunk of 4,800 bytes every 10 ms each`);
  for (const which of [0, 1] as const) {
    const { cpu, first } = which === 0 ? raw : own;
    say(
      `  ${pair[which].name.padEnd(9)} ${median(cpu).toFixed(1)} µs of processor a chunk (${span(cpu)}); first message after ${median(first).toFixed(2)} ms (p50: ${span(first, 2)})`,
    );
  }
  settleProcessor('a chunk', own.cpu, raw.cpu, targets.chunk);
  settleDelay('first message later by', own.first, raw.first, targets.firstMs);
  for (const sockets of speakers) for (const socket of sockets) socket.terminate();
}

async function main(): Promise<void> {
  await build({
    entryPoints: ['audio-gateway', 'audio-relay', 'audio-upstream'].map((name) =>
      path.join('tests/bench', `${name}.ts`),
    ),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    packages: 'external',
    outdir: 'dist/bench',
    logLevel: 'warning',
  });
  const dataDir = await mkdtemp(path.join(tmpdir(), 'patchbay-bench-'));
  // Before the database and the upstream are started, which inherit it.
  pin(process.pid, 1);
  const postgres = await startPostgres();
  const database = postgres
    ? {
        DATABASE_URL: await postgres.createDatabase(),
        AUTH_SECRET: 'b'.repeat(64),
        MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
      }
    : {};
  const upstream = await start('audio-upstream');
  const upstreamUrl = `http://127.0.0.1:${upstream.port}`;
  const relay = await start('audio-relay', [String(upstream.port)]);
  const served = await start('audio-gateway', [], {
    ...database,
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
    CONFIRMED_PRICES: 'nova-3,sonic-3.5',
    DEEPGRAM_API_KEY: 'bench',
    DEEPGRAM_BASE_URL: upstreamUrl,
    CARTESIA_API_KEY: 'bench',
    CARTESIA_BASE_URL: upstreamUrl,
  });
  for (const { child } of [relay, served]) pin(child.pid, 0);
  const pair: readonly [Target, Target] = [
    { name: 'yardstick', child: relay.child, url: `ws://127.0.0.1:${relay.port}`, headers: {} },
    {
      name: 'gateway',
      child: served.child,
      url: `ws://127.0.0.1:${served.port}`,
      headers: { authorization: `Bearer ${served.key}` },
    },
  ];
  say(
    `Node ${process.version}, ${postgres ? 'Postgres' : 'the embedded database'}, ${smoke ? 'smoke' : 'full'} run; frames of ${FRAME_BYTES} bytes, ${ROUNDS} rounds in turns`,
  );
  try {
    for (const count of SESSIONS) await compareTranscription(pair, upstream.child, count);
    await compareSpeech(pair);
  } finally {
    for (const { child } of [served, relay, upstream]) await end(child);
    await postgres?.close();
    await rm(dataDir, { recursive: true, force: true });
    await rm('dist/bench', { recursive: true, force: true });
  }
  if (verdicts.includes(false) && !process.argv.includes('--report')) process.exitCode = 1;
}

void main();
