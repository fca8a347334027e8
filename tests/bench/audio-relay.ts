import { createServer } from 'node:http';
import { WebSocket, WebSocketServer } from 'ws';
import { answerMeasures } from './audio-child';
import { listen } from './listen';

// The least that a relay can be, as a yardstick: one socket tied to another. No key, no bill, no checks.

const upstreamPort = Number(process.argv[2]);
const server = createServer();
const sockets = new WebSocketServer({ server, perMessageDeflate: false });
sockets.on('connection', (socket, request) => {
  const speaks = request.url?.includes('speech') === true;
  const upstream = new WebSocket(`ws://127.0.0.1:${upstreamPort}${speaks ? '/tts/websocket' : '/v1/listen'}`, {
    perMessageDeflate: false,
  });
  upstream.on('error', () => {});
  const early: Buffer[] = [];
  upstream.on('open', () => early.splice(0).forEach((bytes) => upstream.send(bytes)));
  upstream.on('message', (data) => socket.send((data as Buffer).toString())); // Safe: with the default options every message is one Buffer.
  socket.on('message', (data, isBinary) => {
    if (!isBinary && !speaks) return void socket.send('{"type":"session_started"}');
    // Safe: as above.
    const bytes = data as Buffer;
    const message = isBinary ? bytes : bytes.toString();
    if (upstream.readyState === WebSocket.OPEN) upstream.send(message);
    else early.push(bytes);
  });
  socket.on('close', () => upstream.close());
});
answerMeasures();
listen(server);
