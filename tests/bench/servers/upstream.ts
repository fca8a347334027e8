import { createServer } from 'node:http';
import { listen } from '../listen';

// The upstream of the benchmark. It answers as fast as it can, so that the benchmark measures the server in front of
// it. The request decides the response: JSON, or a stream if the body has `"stream":true`. A stream is sent at once, or
// one event every N milliseconds if the body contains `[[paced:N]]`.

const sseFrame = (event: { readonly type: string }) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
const usage = { input_tokens: 12, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 1 };
const text = 'The quick brown fox jumps over the lazy dog. '.repeat(4);
const message = {
  id: 'msg_bench',
  type: 'message',
  role: 'assistant',
  model: 'bench',
  content: [],
  stop_reason: null,
  stop_sequence: null,
  usage,
};
const streamStart =
  sseFrame({ type: 'message_start', message } as never) +
  sseFrame({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } } as never);
const textDelta = (piece: string) =>
  sseFrame({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: piece } } as never);
const streamEnd =
  sseFrame({ type: 'content_block_stop', index: 0 } as never) +
  sseFrame({
    type: 'message_delta',
    delta: { stop_reason: 'end_turn', stop_sequence: null },
    usage: { ...usage, output_tokens: 40 },
  } as never) +
  sseFrame({ type: 'message_stop' });
const completeStream = streamStart + textDelta(text) + streamEnd;
const json = JSON.stringify({
  ...message,
  content: [{ type: 'text', text }],
  stop_reason: 'end_turn',
  usage: { ...usage, output_tokens: 40 },
});

/** Events of a paced stream. Enough of them that the start of the stream is a small part of its time. */
const PACED_EVENTS = 400;

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks);
    const intervalMs = /\[\[paced:(\d+)\]\]/.exec(body.toString('latin1'))?.[1];
    if (!body.includes('"stream":true'))
      return void response
        .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(json) })
        .end(json);
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    if (intervalMs === undefined) return void response.end(completeStream);
    response.write(streamStart);
    let sent = 0;
    const timer = setInterval(() => {
      sent += 1;
      // Each event contains the time at which it is sent, so that the client can compute its latency.
      if (sent <= PACED_EVENTS)
        return void response.write(textDelta(`@${performance.timeOrigin + performance.now()} ${text.slice(0, 40)}`));
      clearInterval(timer);
      response.end(streamEnd);
    }, Number(intervalMs));
    response.once('close', () => clearInterval(timer));
  });
});
server.keepAliveTimeout = 60_000;
listen(server);
