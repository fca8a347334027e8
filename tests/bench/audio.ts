import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { WebSocket } from 'ws';
import { startPostgres } from '../support/postgres';
import { wallMillis, type Usage } from './audio-child';

// What does relayed sound cost? Four processes: the gateway, the least that a relay can be as a yardstick, their upstream, and
// this one, which is every caller. All are bundled as the product is: compiled on the fly, each function would carry its name
// about, which costs a third of a session's memory. Rounds alternate between yardstick and gateway.
//
// Run: `npm run bench:audio`; with `-- --smoke` for half a minute and targets twice as wide, with `-- --report` without a verdict.

const smoke = process.argv.includes('--smoke');
const FRAME_BYTES = 640;
const FRAME_MS = 20;
const SESSIONS = smoke ? [100] : [100, 200, 400];
const WARM_UP_MS = smoke ? 2_000 : 10_000;
const ROUND_MS = smoke ? 1_000 : 4_000;
const ROUNDS = smoke ? 3 : 5;
const SPEAKERS = 20;
const FIRST_MESSAGES = smoke ? 20 : 100;
const slack = smoke ? 2 : 1;
/** By how much the yardstick may differ between rounds before nothing is judged. */
const STEADY = 1.5;

const targets = {
  frameMicros: 40 * slack,
  addedP99Ms: 5 * slack,
  idleKb: 60 * slack,
  activeKb: 150 * slack,
  chunkMicros: 100 * slack,
  firstMs: 2 * slack,
};

interface Target {
  readonly name: 'yardstick' | 'gateway';
  readonly child: ChildProcess;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface Rounds {
  readonly cpu: number[];
  readonly p50: number[];
  readonly p99: number[];
}

const say = (text: string) => void process.stdout.write(`${text}\n`);
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const percentile = (values: readonly number[], share: number) => values.toSorted((one, other) => one - other)[Math.floor(values.length * share)] ?? Number.NaN;
const median = (values: readonly number[]) => percentile(values, 0.5);

const usedBetween = (from: Usage, to: Usage) => to.cpuMicros - from.cpuMicros - from.ownMicros;
/** A process that has room left takes none for new sessions, so what lives in it counts too. */
const kilobytesBetween = (from: Usage, to: Usage) => Math.max(to.rssBytes - from.rssBytes, to.heapBytes - from.heapBytes) / 1024;

const verdicts: boolean[] = [];

/** Says whether the figure is good enough, where the yardstick held still. */
function judge(what: string, figure: number, most: number, unit: string, yardstick: readonly number[] = []): void {
  const isSteady = yardstick.length === 0 || Math.max(...yardstick) / Math.min(...yardstick) <= STEADY;
  verdicts.push(!isSteady || figure <= most);
  say(`  ${what}: ${figure.toFixed(1)} ${unit}; at most ${most} wanted: ${!isSteady ? 'no verdict, the yardstick moved' : figure <= most ? 'good' : 'too much'}`);
}

async function start(name: string, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Promise<{ child: ChildProcess; port: number; key?: string }> {
  const child = fork(path.join('dist/bench', `${name}.js`), args, { execArgv: ['--expose-gc'], env: { PATH: process.env.PATH, NODE_ENV: 'production', ...env } });
  const [message] = (await once(child, 'message')) as [{ port: number; key?: string }];
  return { child, ...message };
}

async function ask<Answer = Usage>(child: ChildProcess): Promise<Answer> {
  const answer = once(child, 'message');
  child.send('measure');
  // Safe: each child answers with what `answerMeasures` in its file says.
  return (await answer)[0] as Answer;
}

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
  while (sessions.length < count) sessions.push(...(await Promise.all(Array.from({ length: Math.min(50, count - sessions.length) }, () => openSession(target)))));
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

async function compareTranscription(pair: readonly [Target, Target], upstream: ChildProcess, count: number): Promise<void> {
  const opened = new Map<Target, { sessions: WebSocket[]; before: Usage; idleKb: number; rounds: Rounds; activeKb: number }>();
  for (const target of pair) {
    // Memory that the first sessions of a process make it take, for itself and for good, is not theirs.
    await closeSessions(await openSessions(target, 20));
    const before = await ask(target.child);
    const sessions = await openSessions(target, count);
    await pause(500);
    const idleKb = kilobytesBetween(before, await ask(target.child)) / count;
    opened.set(target, { sessions, before, idleKb, rounds: { cpu: [], p50: [], p99: [] }, activeKb: 0 });
  }
  for (const { sessions } of opened.values()) await sendFrames(sessions, WARM_UP_MS / 2);
  for (let round = 0; round < ROUNDS; round++) {
    for (const target of round % 2 === 0 ? pair : pair.toReversed()) {
      // Safe: set above for both.
      const state = opened.get(target)!;
      await ask(upstream);
      const from = await ask(target.child);
      const frames = await sendFrames(state.sessions, ROUND_MS);
      const to = await ask(target.child);
      const { delays } = await ask<{ delays: number[] }>(upstream);
      if (delays.length < frames * 0.99) throw new Error(`${target.name} passed ${delays.length} of ${frames} frames on.`);
      state.rounds.cpu.push(usedBetween(from, to) / frames);
      state.rounds.p50.push(percentile(delays, 0.5));
      state.rounds.p99.push(percentile(delays, 0.99));
      state.activeKb = kilobytesBetween(state.before, to) / count;
    }
  }
  say(`Transcription, ${count} sessions of ${1_000 / FRAME_MS} frames a second`);
  for (const [{ name }, { rounds, idleKb, activeKb }] of opened) {
    say(`  ${name.padEnd(9)} ${median(rounds.cpu).toFixed(1)} µs of processor a frame (${Math.min(...rounds.cpu).toFixed(1)}..${Math.max(...rounds.cpu).toFixed(1)}), ${median(rounds.p50).toFixed(2)} ms (p50) and ${median(rounds.p99).toFixed(2)} ms (p99: ${Math.min(...rounds.p99).toFixed(1)}..${Math.max(...rounds.p99).toFixed(1)}) under way, ${idleKb.toFixed(0)} KB a session idle, ${activeKb.toFixed(0)} KB active`);
  }
  // Safe: set above for both.
  const [raw, own] = pair.map((target) => opened.get(target)!) as [NonNullable<ReturnType<typeof opened.get>>, NonNullable<ReturnType<typeof opened.get>>];
  say(`  ${(median(own.rounds.cpu) / median(raw.rounds.cpu)).toFixed(2)} times the yardstick`);
  judge('processor a frame', median(own.rounds.cpu), targets.frameMicros, 'µs', raw.rounds.cpu);
  judge('added p99', median(own.rounds.p99) - median(raw.rounds.p99), targets.addedP99Ms, 'ms', raw.rounds.cpu);
  if (count === SESSIONS.at(-1)) {
    judge('memory idle', own.idleKb, targets.idleKb, 'KB');
    judge('memory active', own.activeKb, targets.activeKb, 'KB');
  }
  for (const { sessions } of opened.values()) await closeSessions(sessions);
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
    socket.send(JSON.stringify({ type: 'tts', model: 'sonic-3.5', voice: 'Katie', input: 'A sentence to be spoken.', context_id: `ctx-${contexts}` }));
  });
}

async function compareSpeech(pair: readonly [Target, Target]): Promise<void> {
  const speakers = new Map<Target, WebSocket[]>();
  const figures = new Map(pair.map((target) => [target, { cpu: [] as number[], first: [] as number[] }]));
  for (const target of pair) speakers.set(target, await Promise.all(Array.from({ length: SPEAKERS }, () => openSpeaker(target))));
  for (let round = -1; round < ROUNDS; round++) {
    for (const target of round % 2 === 0 ? pair : pair.toReversed()) {
      const from = await ask(target.child);
      // Safe: set above for both.
      const spoken = await Promise.all(speakers.get(target)!.map(speakOnce));
      const to = await ask(target.child);
      const chunks = spoken.reduce((sum, each) => sum + each.chunks, 0);
      // The first one warms up.
      if (round >= 0) figures.get(target)?.cpu.push(usedBetween(from, to) / chunks);
    }
  }
  for (let count = 0; count < FIRST_MESSAGES; count++) {
    for (const target of pair) {
      const socket = await openSpeaker(target);
      // The way to the speaker opens with the session; a caller needs longer than this to say something.
      await pause(20);
      const first = once(socket, 'message');
      const startedAt = performance.now();
      socket.send(JSON.stringify({ type: 'tts', model: 'sonic-3.5', voice: 'Katie', input: 'Hello.', context_id: 'ctx-first' }));
      await first;
      figures.get(target)?.first.push(performance.now() - startedAt);
      socket.terminate();
    }
  }
  say(`Speech, ${SPEAKERS} sessions, a chunk of 4,800 bytes every 10 ms each`);
  for (const [{ name }, { cpu, first }] of figures) say(`  ${name.padEnd(9)} ${median(cpu).toFixed(1)} µs of processor a chunk (${Math.min(...cpu).toFixed(1)}..${Math.max(...cpu).toFixed(1)}); first message after ${median(first).toFixed(2)} ms (p50)`);
  // Safe: made for both.
  const [raw, own] = pair.map((target) => figures.get(target)!) as [{ cpu: number[]; first: number[] }, { cpu: number[]; first: number[] }];
  say(`  ${(median(own.cpu) / median(raw.cpu)).toFixed(2)} times the yardstick`);
  judge('processor a chunk', median(own.cpu), targets.chunkMicros, 'µs', raw.cpu);
  judge('first message later by', median(own.first) - median(raw.first), targets.firstMs, 'ms');
  for (const sockets of speakers.values()) for (const socket of sockets) socket.terminate();
}

async function main(): Promise<void> {
  await build({
    entryPoints: ['audio-gateway', 'audio-relay', 'audio-upstream'].map((name) => path.join('tests/bench', `${name}.ts`)),
    bundle: true, platform: 'node', format: 'cjs', target: 'node20', packages: 'external', outdir: 'dist/bench', logLevel: 'warning',
  });
  const dataDir = await mkdtemp(path.join(tmpdir(), 'patchbay-bench-'));
  const postgres = await startPostgres();
  const database = postgres ? { DATABASE_URL: await postgres.createDatabase(), AUTH_SECRET: 'b'.repeat(64), MASTER_KEY: Buffer.alloc(32, 7).toString('base64') } : {};
  const upstream = await start('audio-upstream');
  const upstreamUrl = `http://127.0.0.1:${upstream.port}`;
  const relay = await start('audio-relay', [String(upstream.port)]);
  const served = await start('audio-gateway', [], {
    ...database, DATA_DIR: dataDir, LOG_LEVEL: 'warn', CONFIRMED_PRICES: 'nova-3,sonic-3.5',
    DEEPGRAM_API_KEY: 'bench', DEEPGRAM_BASE_URL: upstreamUrl, CARTESIA_API_KEY: 'bench', CARTESIA_BASE_URL: upstreamUrl,
  });
  const pair: readonly [Target, Target] = [
    { name: 'yardstick', child: relay.child, url: `ws://127.0.0.1:${relay.port}`, headers: {} },
    { name: 'gateway', child: served.child, url: `ws://127.0.0.1:${served.port}`, headers: { authorization: `Bearer ${served.key}` } },
  ];
  say(`Node ${process.version}, ${postgres ? 'Postgres' : 'the embedded database'}, ${smoke ? 'smoke' : 'full'} run; frames of ${FRAME_BYTES} bytes, ${ROUNDS} rounds in turns`);
  try {
    for (const count of SESSIONS) await compareTranscription(pair, upstream.child, count);
    await compareSpeech(pair);
  } finally {
    for (const { child } of [served, relay, upstream]) {
      child.kill('SIGTERM');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    }
    await postgres?.close();
    await rm(dataDir, { recursive: true, force: true });
    await rm('dist/bench', { recursive: true, force: true });
  }
  if (verdicts.includes(false) && !process.argv.includes('--report')) process.exitCode = 1;
}

void main();
