import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkBooks } from '../../../../lib/db/check-books';
import { sendRaw, userTurn } from '../../../conformance/raw';
import { startServer, type TestServer } from '../../../support/server';
import { startFakeUpstream, type FakeReply, type FakeUpstream } from '../../../support/upstreams/fake-upstream';
import {
  blockDelta,
  blockStart,
  blockStop,
  frame,
  messageDelta,
  messageStart,
  messageStop,
} from '../../../support/upstreams/message-frames';

// Upstreams whose counts of tokens cannot be true: too large for any context, fractions, negative numbers. Each of their
// answers is complete, charged by an estimate and stored, and the next message of the key is not affected.

const NATIVE = 'claude-haiku-4-5';
const COMPATIBLE = 'minimax-m3';
const CHAT = 'local-text';
const TEXT = 'One two three four five six seven eight.';

let upstream: FakeUpstream;
let server: TestServer;
/** The count of the output in the next answers. */
let count: number;

const usage = () => ({ input_tokens: 12, output_tokens: count });

function answer(body: Record<string, unknown>, path: string): FakeReply {
  if (path.endsWith('/chat/completions')) {
    const chunks = [
      { choices: [{ delta: { content: TEXT } }] },
      { choices: [{ delta: {}, finish_reason: 'stop' }], usage: { prompt_tokens: 12, completion_tokens: count } },
    ];
    return {
      kind: 'frames',
      frames: [...chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`), 'data: [DONE]\n\n'],
    };
  }
  if (body.stream !== true)
    return {
      kind: 'body',
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'm',
        content: [{ type: 'text', text: TEXT }],
        stop_reason: 'end_turn',
        stop_sequence: null,
        usage: usage(),
      }),
    };
  return {
    kind: 'frames',
    frames: [
      messageStart(),
      blockStart(0, { type: 'text', text: '' }),
      blockDelta(0, { type: 'text_delta', text: TEXT }),
      blockStop(0),
      messageDelta('end_turn', { usage: usage() }),
      messageStop,
    ].map((event) => frame(event)),
  };
}

beforeAll(async () => {
  upstream = await startFakeUpstream(({ body = {}, path }) => answer(body, path));
  server = await startServer({
    env: {
      ANTHROPIC_API_KEY: 'key',
      ANTHROPIC_BASE_URL: upstream.baseUrl,
      MINIMAX_API_KEY: 'key',
      MINIMAX_BASE_URL: upstream.baseUrl,
      OPENAI_COMPATIBLE_BASE_URL: `${upstream.baseUrl}/v1`,
    },
  });
});
afterAll(async () => {
  await server.close();
  await upstream.close();
});

async function ask(model: string, stream: boolean) {
  // Not with `call`, which compares the answer with the contract: a native answer is passed on with its counts.
  const { status, text } = await sendRaw(
    server.baseUrl,
    server.firstRun.keys.live,
    userTurn(model, 'Hello', { stream }),
  );
  await server.gateway.messages.settled();
  const { rows } = await server.db.query(
    'select outcome, code, input_tokens as input, output_tokens as output, estimated from messages order by created_at desc limit 1',
  );
  return { status, text, row: rows[0] };
}

describe.each([
  [NATIVE, true],
  [NATIVE, false],
  [COMPATIBLE, true],
  [COMPATIBLE, false],
  [CHAT, true],
  [CHAT, false],
] as const)('an answer of %s, stream: %s', (model, stream) => {
  it.each([4_294_967_295, 100_000_001, 5.5, -1])(
    'that counts its output as %d is charged by an estimate',
    async (value) => {
      count = value;
      const answered = await ask(model, stream);
      expect(answered.status).toBe(200);
      expect(answered.text).toContain(TEXT);
      if (stream) expect(answered.text.endsWith('event: message_stop\ndata: {"type":"message_stop"}\n\n')).toBe(true);
      expect(answered.row).toEqual({
        outcome: 'completed',
        code: null,
        input: 12,
        output: TEXT.length / 4,
        estimated: true,
      });
    },
  );

  it('with a count that can be true is charged by it', async () => {
    count = 31;
    const answered = await ask(model, stream);
    expect(answered.row).toEqual({ outcome: 'completed', code: null, input: 12, output: 31, estimated: false });
  });
});

it('leaves no hold open and the books in order', async () => {
  expect(await checkBooks(server.db)).toEqual([]);
  expect(server.log.lines.filter(({ level }) => level === 'error')).toEqual([]);
});
