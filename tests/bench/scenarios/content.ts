import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Pool } from 'undici';
import { FILE_BYTES, LARGE_FILE_BYTES, fileBytes } from '../video-file';
import { FINISHED_MARKER, LARGE_MARKER, videoRequest } from '../video-request';
import { measureLoad, runLoad, sendRequest, type LoadRequest } from '../load';
import { judge, maxTargetFactor, minTargetFactor, print, sleep, WARM_UP_MS } from '../measure';
import { residentMegabytes, type BenchServer } from '../processes';
import type { Scenario } from '../scenario';
import { startVideoGateway } from '../start-video-gateway';

const READY_TIMEOUT_MS = 30_000;
const SLOW_READERS = 100;
const SLOW_READ_DURATION_MS = 10_000;
const READ_INTERVAL_MS = 250;
const LARGE_DOWNLOADS = 50;
const PART_BYTES = 1_000_000;
const MEMORY_INTERVAL_MS = 100;
/** More than the raw pipe. */
const MAX_ADDED_MEGABYTES = 40 * maxTargetFactor;

export const content: Scenario = {
  name: 'content',
  inSmokeRun: false,
  async run(harness) {
    const { gateway, upstream } = await startVideoGateway(harness);
    const pipe = await harness.startServer('raw pipe', 'raw-pipe.ts', { args: [upstream.baseUrl] });
    const request = downloadRequest(await createFinishedVideo(gateway, FINISHED_MARKER), FILE_BYTES);
    const large = await createFinishedVideo(gateway, `${FINISHED_MARKER} ${LARGE_MARKER}`);
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

    const downloads = await measureLargeDownloads(gateway, large);
    const flat = judge(downloads.megabytes <= MAX_ADDED_MEGABYTES + pipeMegabytes, 'too much');
    print(
      `${LARGE_DOWNLOADS} downloads of 100 MB at once, then ${LARGE_DOWNLOADS} parts\n  ${downloads.perSecond.toFixed(0)} MB/s; the gateway grows by ${downloads.megabytes.toFixed(0)} MB while they run; target at most ${MAX_ADDED_MEGABYTES} more than the pipe with slow readers: ${flat.label}`,
    );
    return memory.passed && speed.passed && flat.passed;
  },
};

/**
 * Downloads the whole file many times at once, then many parts at once. Rejects if a byte of a part or a length is
 * wrong. Resolves to the megabytes per second of the whole files and those by which the process grew.
 */
async function measureLargeDownloads(
  gateway: BenchServer,
  path: string,
): Promise<{ readonly perSecond: number; readonly megabytes: number }> {
  const pool = new Pool(gateway.baseUrl, { connections: LARGE_DOWNLOADS, pipelining: 1 });
  const all = (request: (index: number) => LoadRequest) =>
    Promise.all(Array.from({ length: LARGE_DOWNLOADS }, (_, index) => sendRequest(pool, gateway, request(index))));
  const before = residentMegabytes(gateway.child);
  let most = before;
  const timer = setInterval(() => (most = Math.max(most, residentMegabytes(gateway.child))), MEMORY_INTERVAL_MS);
  try {
    const startedAt = performance.now();
    await all(() => downloadRequest(path, LARGE_FILE_BYTES));
    const seconds = (performance.now() - startedAt) / 1_000;
    await all((index) => partRequest(path, (index * LARGE_FILE_BYTES) / LARGE_DOWNLOADS));
    return { perSecond: (LARGE_DOWNLOADS * LARGE_FILE_BYTES) / 1e6 / seconds, megabytes: most - before };
  } finally {
    clearInterval(timer);
    await pool.close();
  }
}

function partRequest(path: string, start: number): LoadRequest {
  const end = start + PART_BYTES;
  return {
    method: 'GET',
    path,
    headers: { range: `bytes=${start}-${end - 1}` },
    async findError({ statusCode, headers, body }) {
      const received = Buffer.from(await body.arrayBuffer());
      const range = `bytes ${start}-${end - 1}/${LARGE_FILE_BYTES}`;
      return statusCode === 206 && headers['content-range'] === range && received.equals(fileBytes(start, end))
        ? undefined
        : `${statusCode} with ${received.length} bytes of ${String(headers['content-range'])} instead of ${range}`;
    },
  };
}

/** Creates a video, waits until it is completed, and resolves to the path of its file. */
async function createFinishedVideo(gateway: BenchServer, prompt: string): Promise<string> {
  let id = '';
  const pool = new Pool(gateway.baseUrl);
  await sendRequest(
    pool,
    gateway,
    videoRequest(prompt, (accepted) => (id = accepted)),
  );
  const until = performance.now() + READY_TIMEOUT_MS;
  while (performance.now() < until) {
    const response = await pool.request({ method: 'GET', path: `/v1/videos/${id}`, headers: gateway.headers });
    const { status } = (await response.body.json()) as { status: string }; // Safe: every video has a status.
    if (status === 'completed') return pool.close().then(() => `/v1/videos/${id}/content`);
    await sleep(250);
  }
  throw new Error(`The video was not ready within ${READY_TIMEOUT_MS / 1_000} s.`);
}

function downloadRequest(path: string, bytes: number): LoadRequest {
  return {
    method: 'GET',
    path,
    async findError({ statusCode, body }) {
      let receivedBytes = 0;
      // Safe: a response body yields Buffers.
      for await (const chunk of body) receivedBytes += (chunk as Buffer).length;
      return statusCode === 200 && receivedBytes === bytes ? undefined : `${statusCode} with ${receivedBytes} bytes`;
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
