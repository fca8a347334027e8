import type { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Connection, KeyRevocationWatch } from '../../../../lib/accounts/key-revocation-watch';
import { GatewayError } from '../../../../lib/domain/errors';
import type { AnswerChunk, Message, MessageEvent } from '../../../../lib/domain/messages';
import type { MessageRun } from '../../../../lib/messages/answer/message-run';
import { beginStreamedAnswer, type StreamedAnswer } from '../../../../lib/messages/answer/streamed-answer';
import type { Answering } from '../../../../lib/messages/credit/rolling-hold';
import { createTokenUsage } from '../../../../lib/messages/credit/token-usage';
import { createEventQueue } from '../../../../lib/providers/kit/messages/event-queue';
import { createTestClock, type TestClock } from '../../../support/clock';
import { recordLog } from '../../../support/log';

// The states of a streamed answer, each with the events that may end it. The test controls the provider, the credit and
// the client.

const COMMIT_MS = 12_000;
const message: Message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content: [],
  stop_reason: null,
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 1 },
};
const startEvent: MessageEvent = { type: 'message_start', message };
const text = (piece: string): MessageEvent => ({
  type: 'content_block_delta',
  index: 0,
  delta: { type: 'text_delta', text: piece },
});
const stopEvents: readonly MessageEvent[] = [
  { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 5 } },
  { type: 'message_stop' },
];
const brokenOff = () => new GatewayError('upstream_invalid_response', 'The provider broke off.');
const soon = () => new Promise((resolve) => setImmediate(resolve));

/** One answer and its outcome, with every part that controls it. */
function makeAnswer(clock: TestClock) {
  const provider = createEventQueue<AnswerChunk>();
  const client = new AbortController();
  const settled: (string | undefined)[] = [];
  const credit = { covered: true, covering: Promise.resolve() };
  const seen = { covers: 0, signal: undefined as AbortSignal | undefined };
  let connection: Connection | undefined;
  const keyRevocations: KeyRevocationWatch = {
    watch(_caller, watched) {
      connection = watched;
      return () => (connection = undefined);
    },
  };
  const by = {
    route: {
      providerId: 'acme',
      binding: {},
      provider: {
        async *stream(_request: unknown, _binding: unknown, { signal }: { readonly signal: AbortSignal }) {
          seen.signal = signal;
          signal.addEventListener('abort', () => provider.fail(signal.reason));
          yield* provider;
        },
      },
    },
    meter: createTokenUsage(1),
  };
  const run = {
    input: { signal: client.signal, abort: (reason: unknown) => client.abort(reason) },
    caller: {},
    model: { id: 'm' },
    hold: {
      covers: () => credit.covered,
      cover() {
        seen.covers += 1;
        return credit.covering;
      },
    },
    requestFor: () => ({}),
    limitDuration: () => () => {},
    recordFirstToken() {},
    settle: (_by: unknown, code: string | undefined) => void settled.push(code),
    lastEvent: (error: Error) => `event: error\ndata: ${error.message}\n\n`,
  };
  // Safe: the stream uses no other part of a run, a route or a caller.
  const begin = () =>
    beginStreamedAnswer(
      { clock, log: recordLog(), keyRevocations },
      run as unknown as MessageRun,
      by as unknown as Answering,
      COMMIT_MS,
    );
  return {
    provider,
    client,
    settled,
    credit,
    seen,
    begin,
    revokeKey: (error: GatewayError) => connection?.onEnd(error),
    isWatched: () => connection !== undefined,
  };
}

let clock: TestClock;
let test: ReturnType<typeof makeAnswer>;
const opened: Readable[] = [];
beforeEach(() => {
  clock = createTestClock();
  test = makeAnswer(clock);
});
afterEach(() => {
  for (const stream of opened.splice(0)) stream.destroy();
});

function openStream(answer: StreamedAnswer): Readable {
  const stream = answer.open();
  if (Buffer.isBuffer(stream)) throw new Error('The answer is whole.');
  opened.push(stream);
  return stream;
}

/** Opens the stream and collects its text. */
function open(answer: StreamedAnswer) {
  const stream = openStream(answer).setEncoding('utf8');
  const read = { text: '', isEnded: false, stream };
  stream.on('data', (piece: string) => (read.text += piece));
  stream.on('end', () => (read.isEnded = true));
  return read;
}

const words = (wire: string) => [...wire.matchAll(/"text":"([^"]*)"/g)].map(([, word]) => word).join(' ');

describe('waiting', () => {
  it('ends with the provider’s error, and nothing is settled: another provider may answer', async () => {
    const answer = test.begin();
    test.provider.fail(brokenOff());
    await expect(answer).rejects.toMatchObject({ code: 'upstream_invalid_response' });
    expect(test.settled).toEqual([]);
    expect(clock.pending()).toBe(0);
  });

  it('a start without content does not commit', async () => {
    const answer = test.begin();
    test.provider.push({ events: [startEvent] });
    await soon();
    test.provider.fail(brokenOff());
    await expect(answer).rejects.toMatchObject({ code: 'upstream_invalid_response' });
  });

  it('ends with a disconnect, which stops the provider', async () => {
    const answer = test.begin();
    await soon();
    test.client.abort(new Error('The client is gone.'));
    await expect(answer).rejects.toThrow('The client is gone.');
    expect(test.seen.signal?.aborted).toBe(true);
  });

  it('a client that has already disconnected causes no request', async () => {
    test.client.abort(new Error('The client is gone.'));
    await expect(test.begin()).rejects.toThrow('The client is gone.');
    expect(test.seen.signal).toBeUndefined();
  });
});

describe('committed', () => {
  it('by the first content: everything until then is sent at once', async () => {
    const answer = test.begin();
    test.provider.push({ events: [startEvent] });
    test.provider.push({ events: [text('one')] });
    const read = open(await answer);
    await soon();
    expect(read.text.startsWith('event: message_start')).toBe(true);
    expect(words(read.text)).toBe('one');
  });

  it('an answer that is whole needs no stream, and is settled when it is opened', async () => {
    const answer = test.begin();
    test.provider.push({ events: [startEvent] });
    test.provider.push({ events: [text('one'), ...stopEvents] });
    const whole = (await answer).open();
    expect(Buffer.isBuffer(whole)).toBe(true);
    expect(String(whole)).toMatch(/^event: message_start.*"text":"one".*event: message_stop\n[^\n]*\n\n$/s);
    expect([test.settled, test.isWatched(), clock.pending()]).toEqual([[undefined], false, 0]);
  });

  it('by the commit timeout: the first byte is a comment, and a later error is an event', async () => {
    const answer = test.begin();
    await clock.advance(COMMIT_MS);
    const read = open(await answer);
    await soon();
    expect(read.text).toBe(': keepalive\n\n');
    test.provider.fail(brokenOff());
    await soon();
    expect(read.text).toBe(': keepalive\n\nevent: error\ndata: The provider broke off.\n\n');
    expect(test.settled).toEqual(['upstream_invalid_response']);
  });
});

describe('streaming', () => {
  async function streaming() {
    const answer = test.begin();
    test.provider.push({ events: [startEvent, text('one')] });
    const read = open(await answer);
    await soon();
    return read;
  }

  it('ends with the last event, and is settled without a code', async () => {
    const read = await streaming();
    test.provider.push({ events: stopEvents });
    await soon();
    expect([read.isEnded, test.settled, test.isWatched(), clock.pending()]).toEqual([true, [undefined], false, 0]);
  });

  it('forwards the provider’s bytes unchanged', async () => {
    const read = await streaming();
    test.provider.push({ bytes: Buffer.from('any bytes\n\n'), events: [], letters: 3 });
    await soon();
    expect(read.text.endsWith('\n\nany bytes\n\n')).toBe(true);
  });

  it('an error after content is the last event', async () => {
    const read = await streaming();
    test.provider.fail(brokenOff());
    await soon();
    expect(read.text.endsWith('event: error\ndata: The provider broke off.\n\n')).toBe(true);
    expect([read.isEnded, test.settled]).toEqual([true, ['upstream_invalid_response']]);
  });

  it('a disconnect stops the provider, and no last event is sent', async () => {
    const read = await streaming();
    read.stream.destroy();
    await soon();
    expect([test.settled, test.seen.signal?.aborted]).toEqual([['caller_left'], true]);
    expect(read.text).not.toContain('event: error');
  });

  it('a disconnect that only the signal reports is not an error of the answer', async () => {
    const read = await streaming();
    test.client.abort(new Error('The client is gone.'));
    await soon();
    expect(test.settled).toEqual(['caller_left']);
    expect(read.text).not.toContain('event: error');
  });

  it('a revoked key ends it at once', async () => {
    const read = await streaming();
    test.revokeKey(new GatewayError('revoked_api_key', 'The key was revoked.'));
    await soon();
    expect(read.text.endsWith('event: error\ndata: The key was revoked.\n\n')).toBe(true);
    expect([read.isEnded, test.settled, test.seen.signal?.aborted]).toEqual([true, ['revoked_api_key'], true]);
  });

  it('silence is bridged by pings', async () => {
    const read = await streaming();
    await clock.advance(10_000);
    await soon();
    expect(read.text.endsWith('event: ping\ndata: {"type": "ping"}\n\n')).toBe(true);
  });

  it('while the client does not read, the provider is not read', async () => {
    const answer = test.begin();
    test.provider.push({ events: [startEvent, text('one')] });
    openStream(await answer);
    for (let count = 0; count < 100; count += 1)
      test.provider.push({ bytes: Buffer.alloc(10_000), events: [], letters: 1 });
    await soon();
    expect(test.provider.waiting()).toBeGreaterThan(90);
  });
});

describe('covering', () => {
  /** An answer whose next chunk needs more credit, and the functions that grant or refuse it. */
  async function covering() {
    const answer = test.begin();
    test.provider.push({ events: [startEvent, text('one')] });
    const read = open(await answer);
    await soon();
    let grant = () => {};
    let refuse = (_error: Error) => {};
    test.credit.covered = false;
    test.credit.covering = new Promise<void>((resolve, reject) => {
      grant = resolve;
      refuse = reject;
    });
    test.provider.push({ events: [text('two')] });
    test.provider.push({ events: [text('three')] });
    await soon();
    expect([words(read.text), test.seen.covers]).toEqual(['one', 1]);
    return { read, grant, refuse };
  }

  it('delivers nothing until more credit is reserved', async () => {
    const { read, grant } = await covering();
    test.credit.covered = true;
    grant();
    await soon();
    expect(words(read.text)).toBe('one two three');
  });

  it('a refused reservation ends the answer, without the uncovered part', async () => {
    const { read, refuse } = await covering();
    refuse(new GatewayError('insufficient_credits', 'The credits are used up.'));
    await soon();
    expect([words(read.text), read.isEnded, test.settled]).toEqual(['one', true, ['insufficient_credits']]);
    expect(test.seen.signal?.aborted).toBe(true);
  });

  it('an answer whose last events wait for credit at the commit timeout is not taken for whole', async () => {
    let grant = () => {};
    test.credit.covered = false;
    test.credit.covering = new Promise((resolve) => (grant = resolve));
    const answer = test.begin();
    test.provider.push({ events: [startEvent, text('one'), ...stopEvents] });
    await soon();
    await clock.advance(COMMIT_MS);
    const read = open(await answer);
    await soon();
    expect([read.text, test.settled]).toEqual([': keepalive\n\n', []]);
    grant();
    await soon();
    expect([words(read.text), read.isEnded, test.settled]).toEqual(['one', true, [undefined]]);
  });

  it('a refused reservation for the last events is the reason of the end', async () => {
    const answer = test.begin();
    test.provider.push({ events: [startEvent, text('one')] });
    const read = open(await answer);
    await soon();
    test.credit.covered = false;
    test.credit.covering = Promise.reject(new GatewayError('insufficient_credits', 'The credits are used up.'));
    test.provider.push({ events: [text('two'), ...stopEvents] });
    await soon();
    expect([words(read.text), test.settled]).toEqual(['one', ['insufficient_credits']]);
  });

  it('a key that is revoked meanwhile ends the answer once, and nothing follows', async () => {
    const { read, grant } = await covering();
    test.revokeKey(new GatewayError('revoked_api_key', 'The key was revoked.'));
    grant();
    await soon();
    expect([words(read.text), test.settled]).toEqual(['one', ['revoked_api_key']]);
    expect(read.text.endsWith('event: error\ndata: The key was revoked.\n\n')).toBe(true);
  });
});
