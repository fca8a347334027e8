import { describe, expect, it } from 'vitest';
import type { AnswerChunk, MessageEvent } from '../../../../lib/domain/messages';
import type { Upstream, UpstreamBody } from '../../../../lib/providers/kit/http/http';
import { createMessageStream, type AnswerDecoder } from '../../../../lib/providers/kit/messages/message-stream';
import { createTestClock, type TestClock } from '../../../support/clock';
import { recordLog } from '../../../support/log';
import { makeMessagesBinding, makeMessagesRequest } from '../../support/messages';

// The loop that reads every streamed answer. Here one letter is one event: `.` a ping, `!` an error, `$` the stop reason, `#` the
// last event; every other letter is text.

function lettersDecoder(): AnswerDecoder {
  let isComplete = false;
  let isEnded = false;
  const event = (type: string) => ({ type }) as MessageEvent; // Safe: the loop does not look into events.
  return {
    push(bytes) {
      const text = bytes.toString();
      const failed = text.indexOf('!');
      const letters = [...(failed === -1 ? text : text.slice(0, failed))];
      if (letters.includes('$')) isComplete = true;
      if (letters.includes('#')) isEnded = true;
      return {
        events: letters.filter((letter) => letter !== '.').map(event),
        isProgress: letters.some((letter) => letter !== '.'),
        ...(failed !== -1 && { failure: new Error('the upstream failed') }),
      };
    },
    flush: () => undefined,
    finish() {
      if (!isComplete) throw new Error('no stop reason');
      return { events: [event('added')] };
    },
    get isComplete() {
      return isComplete;
    },
    get isEnded() {
      return isEnded;
    },
  };
}

/** An upstream whose answer the test writes. */
function writable() {
  const arrived: (string | Error | undefined)[] = [];
  const calls: string[] = [];
  let wake = () => {};
  const arrive = (part: string | Error | undefined) => {
    arrived.push(part);
    wake();
  };
  const body: UpstreamBody = {
    async read() {
      while (arrived.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      const part = arrived.shift();
      if (part instanceof Error) throw part;
      return part === undefined ? undefined : Buffer.from(part);
    },
    stop(reason) {
      calls.push('stop');
      if (reason) arrive(reason);
    },
    drain: () => void calls.push('drain'),
  };
  const upstream: Upstream = {
    send: async () => ({ status: 200, headers: {}, body }),
    pathOf: (url) => url,
    close: async () => {},
  };
  return { upstream, arrive, calls };
}

function open(clock: TestClock = createTestClock()) {
  const { upstream, arrive, calls } = writable();
  const stream = createMessageStream({
    upstream,
    clock,
    path: '/',
    credentials: {},
    write: () => ({ headers: {}, body: '', decode: lettersDecoder }),
  });
  const call = { signal: new AbortController().signal, log: recordLog() };
  const chunks = stream(makeMessagesRequest(), makeMessagesBinding({ providerId: 'acme' }), call)[
    Symbol.asyncIterator
  ]();
  const next = async () => {
    const { value, done } = (await chunks.next()) as IteratorResult<AnswerChunk, undefined>;
    return done ? 'end' : value.events.map(({ type }) => type).join('');
  };
  return { arrive, calls, next, leave: () => chunks.return?.(), clock };
}

const soon = () => new Promise((resolve) => setImmediate(resolve));

describe('a message stream', () => {
  it('returns one chunk for each read, ends with the last event and drains the rest', async () => {
    const { arrive, calls, next } = open();
    arrive('ab');
    expect(await next()).toBe('ab');
    arrive('c$#');
    expect(await next()).toBe('c$#');
    expect(await next()).toBe('end');
    expect(calls).toEqual(['drain']);
  });

  it('an error comes after the events before it', async () => {
    const { arrive, calls, next } = open();
    arrive('ab!');
    expect(await next()).toBe('ab');
    await expect(next()).rejects.toThrow('the upstream failed');
    expect(calls).toEqual(['stop']);
  });

  it.each([
    ['an error event', 'a$!'],
    ['a lost connection', new Error('reset')],
    ['the end of the upstream', undefined],
  ])('%s after the stop reason completes the answer', async (_what, last) => {
    const { arrive, next } = open();
    arrive('a$');
    expect(await next()).toBe('a$');
    arrive(last);
    if (typeof last === 'string') expect(await next()).toBe('a$');
    expect(await next()).toBe('added');
    expect(await next()).toBe('end');
  });

  it('an end before the stop reason rejects', async () => {
    const { arrive, next } = open();
    arrive('a');
    expect(await next()).toBe('a');
    arrive(undefined);
    await expect(next()).rejects.toThrow('no stop reason');
  });

  it('pings do not end a silence', async () => {
    const { arrive, next, clock } = open();
    arrive('a');
    expect(await next()).toBe('a');
    const last = next();
    last.catch(() => {});
    await soon();
    for (const ms of [200_000, 99_000]) {
      await clock.advance(ms);
      arrive('.');
      await soon();
    }
    await clock.advance(1_500);
    await expect(last).rejects.toMatchObject({ code: 'upstream_timeout' });
  });

  it('the time of a slow reader does not count as silence of the upstream', async () => {
    const { arrive, next, clock } = open();
    arrive('a');
    expect(await next()).toBe('a');
    await clock.advance(3_600_000);
    arrive('.');
    arrive('b$#');
    expect(await next()).toBe('b$#');
  });

  it('a reader that stops closes the connection', async () => {
    const { arrive, next, leave, calls } = open();
    arrive('a');
    await next();
    await leave();
    expect(calls).toEqual(['stop']);
  });
});
