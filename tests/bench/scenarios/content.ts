import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Pool } from 'undici';
import { FINISHED, submission } from '../video-request';
import { load, measureLoad, send, type LoadRequest } from '../load';
import { gateShare, judge, pause, say, slack, WARM_UP_MS } from '../measure';
import { residentMegabytes, type Target } from '../processes';
import type { Scenario } from '../scenario';
import { startVideoGateway } from '../start-video-gateway';

const FILE_BYTES = 20_000_000;
const READY_LIMIT_MS = 30_000;
const SLOW_READERS = 100;
const SLOW_MS = 10_000;
const SIP_EVERY_MS = 250;
const MAX_MEGABYTES = 40 * slack;

export const content: Scenario = {
  name: 'content',
  isShort: false,
  async run(stage) {
    const { gateway, upstream } = await startVideoGateway(stage);
    const pipe = await stage.start('raw pipe', 'raw-pipe.ts', { args: [upstream.baseUrl] });
    const file = download(`/v1/videos/${await finishedVideo(gateway)}/content`);
    const pair = [pipe, gateway] as const;

    say(`Files, ${SLOW_READERS} readers of 20 MB that take a little every ${SIP_EVERY_MS} ms`);
    // Before anything else has made the processes take memory that these could then use.
    const [ofPipe, ofGateway] = [await slowReaders(pipe, file.path), await slowReaders(gateway, file.path)];
    const memory = judge(ofGateway <= MAX_MEGABYTES, 'too much');
    say(
      `  the raw pipe takes ${ofPipe.toFixed(0)} MB, the gateway ${ofGateway.toFixed(0)} MB; at most ${MAX_MEGABYTES} wanted: ${memory.word}`,
    );

    say('Files of 20 MB');
    for (const target of pair) await load(target, file, 16, WARM_UP_MS / 2);
    const { ratio, yardstick } = await measureLoad(pair, file, 16);
    const speed = judge(ratio >= 0.8 * gateShare, 'too slow', yardstick);
    say(`  c = 16: ${(ratio * 100).toFixed(1)} % of the raw pipe; at least ${80 * gateShare} % wanted: ${speed.word}`);
    return memory.passed && speed.passed;
  },
};

async function finishedVideo(gateway: Target): Promise<string> {
  let id = '';
  const pool = new Pool(gateway.baseUrl);
  await send(
    pool,
    gateway,
    submission(FINISHED, (accepted) => (id = accepted)),
  );
  const until = performance.now() + READY_LIMIT_MS;
  while (performance.now() < until) {
    const answer = await pool.request({ method: 'GET', path: `/v1/videos/${id}`, headers: gateway.headers });
    const { status } = (await answer.body.json()) as { status: string }; // Safe: a video has one.
    if (status === 'completed') return pool.close().then(() => id);
    await pause(250);
  }
  throw new Error(`The video was not ready within ${READY_LIMIT_MS / 1_000} s.`);
}

function download(path: string): LoadRequest & { readonly path: string } {
  return {
    method: 'GET',
    path,
    async error({ statusCode, body }) {
      let received = 0;
      for await (const chunk of body) received += (chunk as Buffer).length; // Safe: an answer's body gives Buffers.
      return statusCode === 200 && received === FILE_BYTES ? undefined : `${statusCode} with ${received} bytes`;
    },
  };
}

/** By how many megabytes the process grows while so many take the file as slowly as a bad line does. */
async function slowReaders(target: Target, path: string): Promise<number> {
  const before = residentMegabytes(target.child);
  const readers = await Promise.all(Array.from({ length: SLOW_READERS }, () => openReader(target, path)));
  let most = before;
  for (let ms = 0; ms < SLOW_MS; ms += SIP_EVERY_MS) {
    for (const reader of readers) reader.read();
    most = Math.max(most, residentMegabytes(target.child));
    await pause(SIP_EVERY_MS);
  }
  if (readers.some(({ destroyed }) => destroyed)) throw new Error(`${target.name} cut a slow reader off.`);
  for (const reader of readers) reader.destroy();
  await pause(500);
  return most - before;
}

/** A connection that is read only by hand: what is not taken stays with the sender. */
async function openReader({ baseUrl, headers }: Target, path: string): Promise<Socket> {
  const { port } = new URL(baseUrl);
  const socket = connect({ port: Number(port), host: '127.0.0.1' });
  socket.on('error', () => {});
  await once(socket, 'connect');
  const lines = Object.entries({ host: '127.0.0.1', ...headers }).map(([name, value]) => `${name}: ${value}`);
  socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
  await once(socket, 'readable');
  return socket;
}
