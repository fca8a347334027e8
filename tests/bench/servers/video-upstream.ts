import { createServer, type ServerResponse } from 'node:http';
import { nextCheckMs } from '../../../lib/videos/check-schedule';
import { FILE_BYTES, LARGE_FILE_BYTES, fileBytes } from '../video-file';
import { FINISHED_MARKER, LARGE_MARKER } from '../video-request';
import { listen } from '../listen';

// The upstream of the video scenarios. It completes a video at once or never, serves its file or a part of it, and knows
// when the next poll of each running video is due, provided that the gateway's schedule has no jitter (`random` always
// 0.5).

/** How long starts and polls take, in milliseconds; by default as those of most vendors do. */
const ANSWER_MS = Number(process.argv[2] ?? 300);

const LARGE_FILE = fileBytes(0, LARGE_FILE_BYTES);
const FILE = LARGE_FILE.subarray(0, FILE_BYTES);

/** In the id of a video with a large file. */
const LARGE = '-large';

interface RunningVideo {
  polls: number;
  /** When the next poll is due, in milliseconds of `performance.now()`. */
  dueAt: number;
}

const runningVideosById = new Map<string, RunningVideo>();
let count = 0;
/** Of the polls since the last request to `/lateness`. */
let latenessMs: number[] = [];

const nextPollAt = (polls: number) => performance.now() + nextCheckMs(polls, undefined, {}, () => 0.5);

const server = createServer((request, response) => {
  const path = request.url ?? '';
  if (request.method === 'POST') {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
    request.on('end', () => {
      count += 1;
      const isFinished = text.includes(FINISHED_MARKER);
      const id = `${isFinished ? 'finished' : 'running'}${text.includes(LARGE_MARKER) ? LARGE : ''}-${count}`;
      setTimeout(() => {
        if (!isFinished) runningVideosById.set(id, { polls: 0, dueAt: nextPollAt(0) });
        sendJson(response, { id, status: 'in_progress' });
      }, ANSWER_MS);
    });
    return;
  }
  if (path.endsWith('/file'))
    return sendFile(response, path.includes(LARGE) ? LARGE_FILE : FILE, request.headers.range);
  if (path === '/lateness') return sendJson(response, takeLateness());
  const id = path.slice('/videos/'.length);
  const video = runningVideosById.get(id);
  if (video) {
    latenessMs.push(performance.now() - video.dueAt);
    video.polls += 1;
    video.dueAt = Infinity;
  }
  setTimeout(() => {
    // The gateway counts the time to the next poll from the answer.
    if (video) video.dueAt = nextPollAt(video.polls);
    sendJson(response, { id, status: video ? 'in_progress' : 'completed' });
  }, ANSWER_MS);
});
server.keepAliveTimeout = 60_000;
listen(server);

/**
 * `latenessMs` has one figure for each poll since the last call and for each poll that is overdue now. The call resets
 * the figures.
 */
function takeLateness() {
  const now = performance.now();
  const overdueMs = [...runningVideosById.values()].map(({ dueAt }) => now - dueAt).filter((ms) => ms > 0);
  const lateness = {
    running: runningVideosById.size,
    polls: latenessMs.length,
    overdue: overdueMs.length,
    latenessMs: [...latenessMs, ...overdueMs].map(Math.round),
  };
  latenessMs = [];
  return lateness;
}

export type Lateness = ReturnType<typeof takeLateness>;

function sendFile(response: ServerResponse, file: Buffer, range: string | undefined): void {
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? [];
  const part = first === undefined ? file : file.subarray(Number(first), Number(last) + 1);
  const headers = { 'content-type': 'video/mp4', 'content-length': part.length };
  if (part === file) response.writeHead(200, headers);
  else response.writeHead(206, { ...headers, 'content-range': `bytes ${first}-${last}/${file.length}` });
  response.end(part);
}

function sendJson(response: ServerResponse, value: unknown): void {
  const text = JSON.stringify(value);
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }).end(text);
}
