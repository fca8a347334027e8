import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { buffer, json } from 'node:stream/consumers';
import type { ReadableStream } from 'node:stream/web';
import { ApiError, Patchbay, unwrapWebhook, WebhookSignatureError, type VideoJson } from '@patchbay/client';

const {
  PATCHBAY = 'http://127.0.0.1:3000',
  PATCHBAY_API_KEY = '',
  WEBHOOK_SECRET = '',
  PORT = '4200',
  MODEL = 'sandbox-t2v',
} = process.env;

const patchbay = new Patchbay({ baseUrl: PATCHBAY, apiKey: PATCHBAY_API_KEY });
/** The pages that wait for a video, by its id. */
const waiting = new Map<string, Set<ServerResponse>>();
/** Deliveries may come twice. An app keeps these in its database. */
const ended = new Map<string, VideoJson>();

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, part = '', id = '', what] = (request.url ?? '').split('/');
  if (request.method === 'POST' && part === 'webhook') return receive(request, response);
  if (request.method === 'POST' && part === 'videos') return submit(request, response);
  if (request.method !== 'GET') return void response.writeHead(405).end();
  if (part === 'videos' && what === 'events') return follow(id, response);
  if (part === 'videos' && what === 'file') return sendFile(id, request, response);
  if (part === '') return sendPage('page.html', 'text/html; charset=utf-8', response);
  if (part === 'page.js') return sendPage('page.js', 'text/javascript; charset=utf-8', response);
  response.writeHead(404).end();
}

async function submit(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { prompt } = (await json(request)) as { prompt?: unknown };
  const { id } = await patchbay.videos.create({
    model: MODEL,
    prompt: String(prompt ?? ''),
    webhook: `http://127.0.0.1:${PORT}/webhook`,
  });
  response.writeHead(202, { 'content-type': 'application/json' }).end(JSON.stringify({ id }));
}

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { video } = await unwrapWebhook(await buffer(request), request.headers, WEBHOOK_SECRET);
  response.writeHead(204).end();
  ended.set(video.id, video);
  for (const page of waiting.get(video.id) ?? []) tell(page, video);
}

/** Keeps the response open until the video has ended. */
function follow(id: string, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' }).flushHeaders();
  const pages = waiting.get(id) ?? new Set();
  waiting.set(id, pages.add(response));
  response.on('close', () => {
    pages.delete(response);
    if (pages.size === 0) waiting.delete(id);
  });
  const video = ended.get(id);
  if (video) tell(response, video);
}

function tell(page: ServerResponse, { status, error }: VideoJson): void {
  page.end(`data: ${JSON.stringify({ status, message: error?.message })}\n\n`);
}

/** Passes on ranges too, so that the player can seek. */
async function sendFile(id: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { range } = request.headers;
  const file = await patchbay.videos.content(id, range === undefined ? {} : { range });
  const names = ['content-type', 'content-length', 'content-range', 'accept-ranges', 'etag'];
  response.writeHead(file.status, Object.fromEntries([...file.headers].filter(([name]) => names.includes(name))));
  if (file.body)
    Readable.fromWeb(file.body as ReadableStream)
      .on('error', () => response.destroy())
      .pipe(response);
  else response.end();
}

async function sendPage(name: string, type: string, response: ServerResponse): Promise<void> {
  const text = await readFile(new URL(name, import.meta.url));
  response.writeHead(200, { 'content-type': type }).end(text);
}

createServer((request, response) => {
  answer(request, response).catch((error: unknown) => {
    if (response.headersSent) return void response.destroy();
    const status = error instanceof ApiError ? error.status : error instanceof WebhookSignatureError ? 400 : 500;
    if (status === 500) console.error(error);
    const message = status === 500 ? 'Something went wrong. The log of the server says what.' : String(error);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ message }));
  });
}).listen(Number(PORT), '127.0.0.1', () => console.log(`Open http://127.0.0.1:${PORT}`));
