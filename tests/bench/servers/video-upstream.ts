import { createServer, type ServerResponse } from 'node:http';
import { nextCheckMs } from '../../../lib/videos/check-schedule';
import { FINISHED_MARKER } from '../video-request';
import { listen } from '../listen';

// The upstream of the video scenarios. It completes a video at once or never, serves a file of 20 MB, and knows when
// the next poll of each running video is due, provided that the gateway's schedule has no jitter (`random` always 0.5).

const FILE = Buffer.alloc(20_000_000, 0x42);
// The gateway looks at the type of a file.
FILE.write('ftyp', 4, 'latin1');

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
      const id = `${text.includes(FINISHED_MARKER) ? 'finished' : 'running'}-${count}`;
      if (!text.includes(FINISHED_MARKER)) runningVideosById.set(id, { polls: 0, dueAt: nextPollAt(0) });
      sendJson(response, { id, status: 'in_progress' });
    });
    return;
  }
  if (path.endsWith('/file'))
    return void response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': FILE.length }).end(FILE);
  if (path === '/lateness') return sendJson(response, takeLateness());
  const id = path.slice('/videos/'.length);
  const video = runningVideosById.get(id);
  if (video) {
    latenessMs.push(performance.now() - video.dueAt);
    video.polls += 1;
    video.dueAt = nextPollAt(video.polls);
  }
  sendJson(response, { id, status: video ? 'in_progress' : 'completed' });
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

function sendJson(response: ServerResponse, value: unknown): void {
  const text = JSON.stringify(value);
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }).end(text);
}
