import { createServer } from 'node:http';
import { listen } from '../listen';

// The upstream of the benchmark: answers as fast as it can, so that what is measured is what stands before it. Told how by
// the request's `x-bench` header or the model's name: `whole`, or `paced` with its pause between events in milliseconds.

const frame = (event: { readonly type: string }) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
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
const start =
  frame({ type: 'message_start', message } as never) +
  frame({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } } as never);
const delta = (piece: string) =>
  frame({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: piece } } as never);
const end =
  frame({ type: 'content_block_stop', index: 0 } as never) +
  frame({
    type: 'message_delta',
    delta: { stop_reason: 'end_turn', stop_sequence: null },
    usage: { ...usage, output_tokens: 40 },
  } as never) +
  frame({ type: 'message_stop' });
const whole = start + delta(text) + end;
const json = JSON.stringify({
  ...message,
  content: [{ type: 'text', text }],
  stop_reason: 'end_turn',
  usage: { ...usage, output_tokens: 40 },
});

/** Of a paced stream: an answer of some length, so that its beginning is not what most of its time goes to. */
const EVENTS = 400;

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks);
    const pacedMs = /\[\[paced:(\d+)\]\]/.exec(body.toString('latin1'))?.[1];
    if (!body.includes('"stream":true'))
      return void response
        .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(json) })
        .end(json);
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    if (pacedMs === undefined) return void response.end(whole);
    response.write(start);
    let sent = 0;
    const timer = setInterval(() => {
      sent += 1;
      // The instant of sending, so that whoever reads it knows how long it was on its way.
      if (sent <= EVENTS)
        return void response.write(delta(`@${performance.timeOrigin + performance.now()} ${text.slice(0, 40)}`));
      clearInterval(timer);
      response.end(end);
    }, Number(pacedMs));
    response.once('close', () => clearInterval(timer));
  });
});
server.keepAliveTimeout = 60_000;
listen(server);
