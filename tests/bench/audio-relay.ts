import { createServer } from 'node:http';
import { WebSocket, WebSocketServer } from 'ws';
import { answerMeasureRequests } from './audio-child';
import { listen } from './listen';

// The baseline of the audio benchmark: a minimal relay that connects one socket to another, without keys, billing or
// checks.

const upstreamPort = Number(process.argv[2]);
const server = createServer();
const sockets = new WebSocketServer({ server, perMessageDeflate: false });
sockets.on('connection', (socket, request) => {
  const isSpeech = request.url?.includes('speech') === true;
  const upstream = new WebSocket(`ws://127.0.0.1:${upstreamPort}${isSpeech ? '/tts/websocket' : '/v1/listen'}`, {
    perMessageDeflate: false,
  });
  upstream.on('error', () => {});
  const pending: Buffer[] = [];
  upstream.on('open', () => pending.splice(0).forEach((bytes) => upstream.send(bytes)));
  // Safe: with the default options every message is one Buffer.
  upstream.on('message', (data) => socket.send((data as Buffer).toString()));
  socket.on('message', (data, isBinary) => {
    if (!isBinary && !isSpeech) return void socket.send('{"type":"session_started"}');
    // Safe: as above.
    const bytes = data as Buffer;
    const message = isBinary ? bytes : bytes.toString();
    if (upstream.readyState === WebSocket.OPEN) upstream.send(message);
    else pending.push(bytes);
  });
  socket.on('close', () => upstream.close());
});
answerMeasureRequests();
listen(server);
