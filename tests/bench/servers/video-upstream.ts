import { createServer, type ServerResponse } from 'node:http';
import { checkDelayMs } from '../../../lib/videos/check-schedule';
import { FINISHED } from '../video-request';
import { listen } from '../listen';

// The upstream of the video scenarios. It completes a video at once or never, serves a file of 20 MB, and knows when the
// next check of each running video is due, if the gateway's schedule has no jitter (`random` always 0.5).

const FILE = Buffer.alloc(20_000_000, 0x42);

interface RenderedVideo {
  checks: number;
  /** Milliseconds of `performance.now()`. */
  dueAt: number;
}

/** The running ones. */
const videosById = new Map<string, RenderedVideo>();
let count = 0;
let latesMs: number[] = [];

const nextAt = (checks: number) => performance.now() + checkDelayMs(checks, {}, () => 0.5);

const server = createServer((request, response) => {
  const path = request.url ?? '';
  if (request.method === 'POST') {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
    request.on('end', () => {
      count += 1;
      const id = `${text.includes(FINISHED) ? 'finished' : 'running'}-${count}`;
      if (!text.includes(FINISHED)) videosById.set(id, { checks: 0, dueAt: nextAt(0) });
      sendJson(response, { id, status: 'in_progress' });
    });
    return;
  }
  if (path.endsWith('/file'))
    return void response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': FILE.length }).end(FILE);
  if (path === '/lateness') return sendJson(response, takeLateness());
  const id = path.slice('/videos/'.length);
  const video = videosById.get(id);
  if (video) {
    latesMs.push(performance.now() - video.dueAt);
    video.checks += 1;
    video.dueAt = nextAt(video.checks);
  }
  sendJson(response, { id, status: video ? 'in_progress' : 'completed' });
});
server.keepAliveTimeout = 60_000;
listen(server);

/** Of every question since the last call how late it was, and of those that are overdue how late they are by now. */
function takeLateness() {
  const now = performance.now();
  const overdueMs = [...videosById.values()].map(({ dueAt }) => now - dueAt).filter((ms) => ms > 0);
  const told = {
    running: videosById.size,
    asked: latesMs.length,
    overdue: overdueMs.length,
    latesMs: [...latesMs, ...overdueMs].map(Math.round),
  };
  latesMs = [];
  return told;
}

export type Lateness = ReturnType<typeof takeLateness>;

function sendJson(response: ServerResponse, value: unknown): void {
  const text = JSON.stringify(value);
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }).end(text);
}
