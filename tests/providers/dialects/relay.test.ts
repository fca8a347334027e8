import { describe, expect, it } from 'vitest';
import type { AnswerChunk, MessageEvent } from '../../../lib/domain/messages';
import { createStreamInspector } from '../../../lib/providers/dialects/messages/stream-inspector';
import { recordLog } from '../../support/log';
import { scripts } from '../../support/upstreams/fake-messages-vendor';
import {
  blockDelta,
  blockStart,
  frame,
  messageDelta,
  messageStart,
  messageStop,
} from '../../support/upstreams/message-frames';
import { askFor, makeMessagesBinding, type RequestChange } from '../support/messages';
import { nativeVendor } from '../support/native-vendor';

const native = nativeVendor();
const binding = makeMessagesBinding({ providerId: 'anthropic', modelName: 'claude-upstream' });

interface Relayed {
  readonly text: string;
  readonly events: readonly MessageEvent[];
  readonly letters: number;
  readonly error: unknown;
}

async function relay(scenario: string, change: RequestChange = {}, isEnough = () => false): Promise<Relayed> {
  const chunks: AnswerChunk[] = [];
  let error: unknown;
  try {
    const request = askFor(scenario, { ...change, body: { stream: true, ...change.body } });
    const call = { signal: new AbortController().signal, log: recordLog() };
    for await (const chunk of native.provider.messages!.stream(request, binding, call)) {
      chunks.push(chunk);
      if (isEnough()) break;
    }
  } catch (thrown) {
    error = thrown;
  }
  return {
    text: Buffer.concat(chunks.map(({ bytes = Buffer.alloc(0) }) => bytes)).toString(),
    events: chunks.flatMap(({ events }) => events),
    letters: chunks.reduce((sum, { letters = 0 }) => sum + letters, 0),
    error,
  };
}

const wire = (name: string) =>
  scripts[name]!(messageStart({ model: 'claude-upstream' }))
    .map((event) => frame(event))
    .join('');

describe('a relayed stream', () => {
  for (const name of Object.keys(scripts)) {
    if (['json-body', 'without-stop-event', 'long'].includes(name)) continue;
    it(`is the vendor's own bytes: ${name}`, async () => {
      const { text, error } = await relay(name);
      expect(error).toBeUndefined();
      expect(text).toBe(wire(name));
    });
  }

  it('is the same wherever it is cut', async () => {
    const whole = wire('tool');
    for (let cut = 1; cut < Buffer.byteLength(whole); cut += 61)
      expect((await relay(`tool cut=${cut}`)).text, `cut at ${cut}`).toBe(whole);
    for (const chunking of ['byte', 'seven', 'whole'])
      expect((await relay(`web-search chunking=${chunking}`)).text).toBe(wire('web-search'));
  });

  it('ends its lines with line feeds, for any line ends of the vendor', async () => {
    for (const chunking of ['byte', 'seven', 'whole'])
      expect((await relay(`thinking crlf chunking=${chunking}`)).text).toBe(wire('thinking'));
  });

  it('counts the letters of its texts, or reports the events with other letters', async () => {
    const { letters, events } = await relay('long count=40');
    expect(letters).toBeGreaterThan(0);
    expect(events.filter(({ type }) => type === 'content_block_delta')).toEqual([]);
    expect(events.map(({ type }) => type)).toEqual([
      'message_start',
      'content_block_start',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ]);
  });

  it('that breaks off before its stop reason is a failure, after complete events only', async () => {
    const frames = scripts['tool']!(messageStart({ model: 'claude-upstream' })).map((event) => frame(event));
    for (const clean of ['', ' clean']) {
      for (let drop = 1; drop < frames.length - 1; drop += 1) {
        const { text, error } = await relay(`tool drop=${drop}${clean}`);
        expect(error, `after ${drop}`).toMatchObject({ code: 'upstream_invalid_response' });
        expect(frames.slice(0, drop).join('').startsWith(text)).toBe(true);
        expect(text === '' || text.endsWith('\n\n')).toBe(true);
      }
    }
  });

  it('that lacks only its last event gets it', async () => {
    const { text, error } = await relay('without-stop-event');
    expect(error).toBeUndefined();
    expect(text).toBe(wire('without-stop-event') + frame(messageStop));
  });

  it.each([
    ['text errorAt=0', 'upstream_overloaded'],
    ['text errorAt=4', 'upstream_overloaded'],
    ['overloaded', 'upstream_overloaded'],
    ['server-error', 'upstream_invalid_response'],
    ['html-ok', 'upstream_invalid_response'],
    ['json-body', 'upstream_invalid_response'],
    ['reset', 'upstream_invalid_response'],
    ['too-long', 'upstream_rejected'],
  ])('answers %s with %s, and no error of the vendor is among its bytes', async (scenario, code) => {
    const { text, error } = await relay(scenario);
    expect(error).toMatchObject({ code });
    expect(text).not.toContain('error');
  });

  it('omits a signature that the vendor refuses, once', async () => {
    const messages = [
      { role: 'user', content: 'Hi' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm', signature: 'foreign' },
          { type: 'text', text: 'Hello' },
        ],
      },
      { role: 'user', content: '[[fake:text]]' },
    ];
    const before = native.vendor.requests.length;
    expect((await relay('text', { body: { messages } })).error).toBeUndefined();
    expect(native.vendor.requests.length - before).toBe(2);
  });

  it('that is stopped closes the connection to the vendor', async () => {
    await relay('long count=500 delay=5', {}, () => true);
    expect((await native.vendor.last('long').closed).early).toBe(true);
  });
});

describe('the inspector', () => {
  const start = frame(messageStart());
  const text = (piece: string) => frame(blockDelta(0, { type: 'text_delta', text: piece }));
  const scan = (...frames: string[]) => createStreamInspector().push(Buffer.from(frames.join('')));

  it('measures plain text without parsing it, and parses text with escapes or other letters', () => {
    const opened = [start, frame(blockStart(0, { type: 'text', text: '' }))];
    expect(scan(...opened, text('plain'), text('more'))).toMatchObject({ letters: 9 });
    for (const odd of ['a "quoted" word', 'wörld', '日本']) {
      const scanned = scan(...opened, text(odd));
      expect(scanned?.letters).toBe(0);
      expect(scanned?.events.at(-1)).toMatchObject({ delta: { text: odd } });
    }
  });

  it('does not take letters in a text for the end of it', () => {
    const opened = [start, frame(blockStart(0, { type: 'text', text: '' }))];
    expect(scan(...opened, text('"}}\n\nevent: error\ndata: {}\n\n'))?.failure).toBeUndefined();
  });

  it('holds back an event until it is complete', () => {
    const inspector = createStreamInspector();
    const bytes = Buffer.from(start + text('word'));
    expect(inspector.push(bytes.subarray(0, 20))).toBeUndefined();
    expect(inspector.push(bytes.subarray(20, start.length + 5))?.bytes?.toString()).toBe(start);
    expect(inspector.push(bytes.subarray(start.length + 5))?.bytes?.toString()).toBe(text('word'));
  });

  it('skips blank lines that end no event', () => {
    const inspector = createStreamInspector();
    expect(inspector.push(Buffer.from(`${start}\n`))?.bytes?.toString()).toBe(start);
    for (const ends of ['\n\n\n', '\r\n\r\n\r\n', '\n\n\n\n\n'])
      expect(inspector.push(Buffer.from(text('word').trimEnd() + ends)), JSON.stringify(ends)).toMatchObject({
        letters: 4,
        events: [],
      });
    expect(inspector.push(Buffer.from(`${text('word')}\n${text('more')}`))).toMatchObject({
      letters: 4,
      events: [{ delta: { text: 'more' } }],
    });
  });

  it('ends with a stream that breaks off at the end of a line', () => {
    for (const line of ['event: content_block_delta\n', text('word').slice(0, -1)]) {
      const inspector = createStreamInspector();
      inspector.push(Buffer.from(start));
      expect(inspector.push(Buffer.from(line))).toBeUndefined();
      expect(inspector.flush()?.failure).toBeUndefined();
      expect(() => inspector.finish()).toThrow();
    }
  });

  it.each([
    ['one line', 'x'.repeat(1024 * 1024)],
    ['many lines', `data: ${'x'.repeat(1024 * 1024)}\n`],
  ])('breaks off an event of %s that is longer than 16 MiB', (_, piece) => {
    const inspector = createStreamInspector();
    inspector.push(Buffer.from(start));
    const pushed = Array.from({ length: 18 }, () => inspector.push(Buffer.from(piece)));
    expect(pushed.find((each) => each !== undefined)?.failure).toMatchObject({
      extra: { detail: 'An event is longer than 16777216 bytes.' },
    });
  });

  it('does not count a ping as progress, and passes it on', () => {
    const inspector = createStreamInspector();
    inspector.push(Buffer.from(start));
    const ping = 'event: ping\ndata: {"type": "ping"}\n\n';
    expect(inspector.push(Buffer.from(ping))).toMatchObject({ isProgress: false, events: [], letters: 0 });
  });

  it.each([
    ['an event before message_start', [text('early')]],
    ['a second message_start', [start, start]],
    ['an end without a stop reason', [start, frame(messageStop)]],
    ['invalid JSON', [start, 'event: message_delta\ndata: {"type":\n\n']],
    [
      'an end without usage',
      [start, 'event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn"}}\n\n'],
    ],
  ])('refuses %s', (_what, frames) => {
    expect(scan(...frames)?.failure).toMatchObject({ code: 'upstream_invalid_response' });
  });

  it('passes nothing after the last event', () => {
    const end = frame(messageDelta('end_turn')) + frame(messageStop);
    expect(scan(start, end, 'event: done\ndata: [DONE]\n\n')?.bytes?.toString()).toBe(start + end);
  });
});
