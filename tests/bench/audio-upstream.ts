import { createServer } from 'node:http';
import { WebSocketServer, type WebSocket } from 'ws';
import { answerMeasureRequests, wallClockMs } from './audio-child';
import { listen } from './listen';

// The providers of the audio benchmark. The stt provider receives audio and records the latency of each frame. The tts
// provider answers each text with chunks of audio, one every ten milliseconds.

/** 4,800 bytes: 100 ms of audio. */
const AUDIO_CHUNK = Buffer.alloc(4_800, 0x55).toString('base64');
const CHUNKS = 100;
const CHUNK_INTERVAL_MS = 10;

/** Of the frames since the last request for usage. */
let latenciesMs: number[] = [];
const server = createServer();
const sockets = new WebSocketServer({ server, perMessageDeflate: false });
sockets.on('connection', (socket, request) => (request.url?.startsWith('/tts') ? serveTts(socket) : serveStt(socket)));
answerMeasureRequests(() => {
  const extraUsage = { latenciesMs };
  latenciesMs = [];
  return extraUsage;
});
listen(server);

function serveStt(socket: WebSocket): void {
  socket.on('message', (data, isBinary) => {
    // Safe: with the default options every message is one Buffer.
    const bytes = data as Buffer;
    // A frame begins with the time at which it was sent.
    if (isBinary) latenciesMs.push(wallClockMs() - bytes.readDoubleLE(0));
    else if (bytes.includes('CloseStream')) {
      socket.send('{"type":"Metadata","duration":1}');
      socket.close();
    }
  });
}

function serveTts(socket: WebSocket): void {
  socket.on('message', (data) => {
    // Safe: as above; both the gateway and the relay send a context.
    const { context_id, cancel } = JSON.parse(String(data as Buffer)) as { context_id: string; cancel?: boolean };
    if (cancel) return;
    let remaining = CHUNKS;
    const sendChunk = () => {
      if (socket.readyState !== socket.OPEN) return clearInterval(timer);
      socket.send(
        `{"type":"chunk","context_id":"${context_id}","status_code":206,"done":false,"step_time":1,"data":"${AUDIO_CHUNK}"}`,
      );
      remaining -= 1;
      if (remaining > 0) return;
      clearInterval(timer);
      socket.send(`{"type":"done","context_id":"${context_id}","status_code":200,"done":true}`);
    };
    const timer = setInterval(sendChunk, CHUNK_INTERVAL_MS);
    sendChunk();
  });
}
