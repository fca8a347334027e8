import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import Anthropic from '@anthropic-ai/sdk';

const {
  PATCHBAY = 'http://127.0.0.1:3000',
  PATCHBAY_API_KEY = '',
  PATCHBAY_LIVE_KEY = '',
  PORT = '4100',
  MODE = 'test',
  STT_MODEL = 'sandbox-stt',
  TEXT_MODEL = 'sandbox-text',
  TTS_MODEL = 'sandbox-tts',
  VOICE = 'rms',
} = process.env;
const SYSTEM = 'You are a voice assistant. Answer in one to three short sentences, without formatting.';
const SOCKETS = ['/v1/audio/transcriptions/ws', '/v1/audio/speech/ws'];

const texts = new Anthropic({ baseURL: PATCHBAY, authToken: PATCHBAY_API_KEY, apiKey: null });

const routes: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => Promise<void>>> = {
  'GET /': (_request, response) => sendFile(response, 'page.html', 'text/html; charset=utf-8'),
  'GET /page.js': (_request, response) => sendFile(response, 'page.js', 'text/javascript; charset=utf-8'),
  'GET /settings': async (_request, response) =>
    void sendJson(response, { gateway: PATCHBAY, sttModel: STT_MODEL, ttsModel: TTS_MODEL, voice: VOICE }),
  // The browser library of the installation, from this origin.
  'GET /audio/patchbay-audio.js': passLibrary,
  'GET /audio/microphone-worklet.js': passLibrary,
  'POST /ticket': sendTicket,
  'POST /answer': answer,
};

createServer((request, response) => {
  const route = routes[`${request.method} ${request.url}`];
  if (!route) return void response.writeHead(404).end();
  route(request, response).catch((error: unknown) => {
    console.error(error);
    if (response.headersSent) response.destroy();
    else response.writeHead(502).end();
  });
}).listen(Number(PORT), '127.0.0.1', () => console.log(`Open http://127.0.0.1:${PORT}`));

/** A ticket opens one socket, once, within a minute; the key never reaches the page. */
async function sendTicket(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { path } = JSON.parse(await readBody(request)) as { path: string };
  if (!SOCKETS.includes(path)) return void response.writeHead(400).end();
  const created = await fetch(`${PATCHBAY}/console/api/socket-tickets`, {
    method: 'POST',
    headers: { authorization: `Bearer ${PATCHBAY_LIVE_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ path, mode: MODE }),
  });
  if (!created.ok) throw new Error(await created.text());
  sendJson(response, await created.json());
}

/** Sends the text of an answer as it is written. When the page goes away or is interrupted, the provider stops too. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const messages = JSON.parse(await readBody(request)) as Anthropic.MessageParam[];
  const stream = texts.messages.stream({ model: TEXT_MODEL, max_tokens: 300, system: SYSTEM, messages });
  response.on('close', () => stream.abort());
  response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' });
  stream.on('text', (text) => response.write(text));
  await stream.done().catch((error: unknown) => {
    if (!stream.aborted) throw error;
  });
  response.end();
}

async function passLibrary(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const file = await fetch(PATCHBAY + request.url);
  response.writeHead(file.status, { 'content-type': file.headers.get('content-type') ?? 'text/javascript' });
  response.end(Buffer.from(await file.arrayBuffer()));
}

async function sendFile(response: ServerResponse, name: string, type: string): Promise<void> {
  const text = await readFile(new URL(name, import.meta.url));
  response.writeHead(200, { 'content-type': type }).end(text);
}

function sendJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}
