import { createServer } from 'node:http';
import { WebSocketServer, type WebSocket } from 'ws';
import { answerMeasures, wallMillis } from './audio-child';
import { listen } from './listen';

// The upstreams of the audio benchmark. One takes sound and notes how long each frame was under way; the other one answers a
// text with chunks of sound, one every ten milliseconds.

/** 4,800 bytes: a tenth of a second. */
const SOUND = Buffer.alloc(4_800, 0x55).toString('base64');
const CHUNKS = 100;
const CHUNK_EVERY_MS = 10;

let delays: number[] = [];
const server = createServer();
const sockets = new WebSocketServer({ server, perMessageDeflate: false });
sockets.on('connection', (socket, request) => (request.url?.startsWith('/tts') ? speak(socket) : hear(socket)));
answerMeasures(() => {
  const told = { delays };
  delays = [];
  return told;
});
listen(server);

function hear(socket: WebSocket): void {
  socket.on('message', (data, isBinary) => {
    // Safe: with the default options every message is one Buffer.
    const bytes = data as Buffer;
    if (isBinary) delays.push(wallMillis() - bytes.readDoubleLE(0));
    else if (bytes.includes('CloseStream')) {
      socket.send('{"type":"Metadata","duration":1}');
      socket.close();
    }
  });
}

function speak(socket: WebSocket): void {
  socket.on('message', (data) => {
    // Safe: as above; both the gateway and the relay send a context.
    const { context_id, cancel } = JSON.parse(String(data as Buffer)) as { context_id: string; cancel?: boolean };
    if (cancel) return;
    let left = CHUNKS;
    const next = () => {
      if (socket.readyState !== socket.OPEN) return clearInterval(timer);
      socket.send(
        `{"type":"chunk","context_id":"${context_id}","status_code":206,"done":false,"step_time":1,"data":"${SOUND}"}`,
      );
      left -= 1;
      if (left > 0) return;
      clearInterval(timer);
      socket.send(`{"type":"done","context_id":"${context_id}","status_code":200,"done":true}`);
    };
    const timer = setInterval(next, CHUNK_EVERY_MS);
    next();
  });
}
