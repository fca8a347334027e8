import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Pool } from 'undici';
import { FINISHED_MARKER, videoRequest } from '../video-request';
import { measureLoad, runLoad, sendRequest, type LoadRequest } from '../load';
import { judge, maxTargetFactor, minTargetFactor, print, sleep, WARM_UP_MS } from '../measure';
import { residentMegabytes, type BenchServer } from '../processes';
import type { Scenario } from '../scenario';
import { startVideoGateway } from '../start-video-gateway';

const FILE_BYTES = 20_000_000;
const READY_TIMEOUT_MS = 30_000;
const SLOW_READERS = 100;
const SLOW_READ_DURATION_MS = 10_000;
const READ_INTERVAL_MS = 250;
/** More than the raw pipe. */
const MAX_ADDED_MEGABYTES = 40 * maxTargetFactor;

export const content: Scenario = {
  name: 'content',
  inSmokeRun: false,
  async run(harness) {
    const { gateway, upstream } = await startVideoGateway(harness);
    const pipe = await harness.startServer('raw pipe', 'raw-pipe.ts', { args: [upstream.baseUrl] });
    const request = downloadRequest(`/v1/videos/${await createFinishedVideo(gateway)}/content`);
    const pair = [pipe, gateway] as const;

    print(`Files of 20 MB, ${SLOW_READERS} slow readers, each reads once every ${READ_INTERVAL_MS} ms`);
    // Runs first: after other work the processes would have free memory that these readers could use without growth.
    const pipeMegabytes = await measureSlowReaders(pipe, request.path);
    const gatewayMegabytes = await measureSlowReaders(gateway, request.path);
    const addedMegabytes = gatewayMegabytes - pipeMegabytes;
    const memory = judge(addedMegabytes <= MAX_ADDED_MEGABYTES, 'too much');
    print(
      `  the raw pipe grows by ${pipeMegabytes.toFixed(0)} MB, the gateway by ${gatewayMegabytes.toFixed(0)} MB; target at most ${MAX_ADDED_MEGABYTES} more: ${memory.label}`,
    );

    print('Files of 20 MB');
    for (const server of pair) await runLoad(server, request, 16, WARM_UP_MS / 2);
    const { ratio, baseline } = await measureLoad(pair, request, 16);
    const speed = judge(ratio >= 0.8 * minTargetFactor, 'too slow', baseline);
    print(
      `  c = 16: ${(ratio * 100).toFixed(1)} % of the raw pipe; target at least ${80 * minTargetFactor} %: ${speed.label}`,
    );
    return memory.passed && speed.passed;
  },
};

/** Creates a video, waits until it is completed, and resolves to its id. */
async function createFinishedVideo(gateway: BenchServer): Promise<string> {
  let id = '';
  const pool = new Pool(gateway.baseUrl);
  await sendRequest(
    pool,
    gateway,
    videoRequest(FINISHED_MARKER, (accepted) => (id = accepted)),
  );
  const until = performance.now() + READY_TIMEOUT_MS;
  while (performance.now() < until) {
    const response = await pool.request({ method: 'GET', path: `/v1/videos/${id}`, headers: gateway.headers });
    const { status } = (await response.body.json()) as { status: string }; // Safe: every video has a status.
    if (status === 'completed') return pool.close().then(() => id);
    await sleep(250);
  }
  throw new Error(`The video was not ready within ${READY_TIMEOUT_MS / 1_000} s.`);
}

function downloadRequest(path: string): LoadRequest {
  return {
    method: 'GET',
    path,
    async findError({ statusCode, body }) {
      let receivedBytes = 0;
      // Safe: a response body yields Buffers.
      for await (const chunk of body) receivedBytes += (chunk as Buffer).length;
      return statusCode === 200 && receivedBytes === FILE_BYTES
        ? undefined
        : `${statusCode} with ${receivedBytes} bytes`;
    },
  };
}

/**
 * Resolves to the megabytes by which the process grows while clients read the file slowly, as over a bad connection.
 */
async function measureSlowReaders(server: BenchServer, path: string): Promise<number> {
  const megabytesBefore = residentMegabytes(server.child);
  const readers = await Promise.all(Array.from({ length: SLOW_READERS }, () => openReader(server, path)));
  let maxMegabytes = megabytesBefore;
  for (let ms = 0; ms < SLOW_READ_DURATION_MS; ms += READ_INTERVAL_MS) {
    for (const reader of readers) reader.read();
    maxMegabytes = Math.max(maxMegabytes, residentMegabytes(server.child));
    await sleep(READ_INTERVAL_MS);
  }
  if (readers.some(({ destroyed }) => destroyed)) throw new Error(`${server.name} disconnected a slow reader.`);
  for (const reader of readers) reader.destroy();
  await sleep(500);
  return maxMegabytes - megabytesBefore;
}

/** A connection that reads only when `read` is called. Data that it has not read stays with the sender. */
async function openReader({ baseUrl, headers }: BenchServer, path: string): Promise<Socket> {
  const { port } = new URL(baseUrl);
  const socket = connect({ port: Number(port), host: '127.0.0.1' });
  socket.on('error', () => {});
  await once(socket, 'connect');
  const lines = Object.entries({ host: '127.0.0.1', ...headers }).map(([name, value]) => `${name}: ${value}`);
  socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
  await once(socket, 'readable');
  return socket;
}
