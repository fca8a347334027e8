import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../lib/domain/clock';
import type { MessageEvent, MessagesProvider } from '../../../lib/domain/messages';
import { createChatProvider } from '../../../lib/providers/dialects/chat-completions/provider';
import type { ChatFacts } from '../../../lib/providers/dialects/chat-completions/request';
import { createMessagesProvider } from '../../../lib/providers/dialects/messages/provider';
import type { Upstream } from '../../../lib/providers/kit/http/http';
import { recordLog } from '../../support/log';
import { chatScripts } from '../../support/upstreams/fake-chat-upstream';
import { defects, framesOfDefect } from '../../support/upstreams/fake-compatible-vendor';
import { scripts } from '../../support/upstreams/fake-messages-vendor';
import { frame, messageStart } from '../../support/upstreams/message-frames';
import { makeMessagesBinding, makeMessagesRequest, readOutcome, thinkingSigner } from '../support/messages';

// The network may split a stream at any byte. Every stream of every fake is split in two at each of its bytes here, and
// the result must not change. This needs no socket, so all hundred thousand splits are tested.

const long = /^(long|json-body)$/;
const messageId = 'msg_ours';

function upstreamOf(pieces: () => readonly Buffer[]): Upstream {
  return {
    open(_request, reader) {
      // Asynchronous, as from a network: the caller must have the returned object before the first callback.
      queueMicrotask(() => {
        reader.onHeaders(200, { 'content-type': 'text/event-stream' });
        for (const piece of pieces()) reader.onChunk(piece);
        reader.onEnd();
      });
      return { pause() {}, resume() {}, stop() {} };
    },
    send: async () => ({
      status: 200,
      headers: { 'content-type': 'text/event-stream' },
      body: Readable.from(pieces()),
    }),
    close: async () => {},
  };
}

type Make = (upstream: Upstream) => MessagesProvider;

const base = { clock: systemClock, path: '/', credentials: {} };
const write = () => ({ headers: {}, body: '{}' });
const facts: ChatFacts = {
  providerId: 'acme',
  outputLimit: 'max_tokens',
  thinking: 'none',
  efforts: [],
  mostStops: 4,
  systemTurns: false,
  structured: 'none',
};
const native: Make = (upstream) =>
  createMessagesProvider({ ...base, upstream, write, writeBuffered: write, answer: { native: true } });
const compatible: Make = (upstream) =>
  createMessagesProvider({
    ...base,
    upstream,
    write,
    answer: { native: false, sign: (thinking, original) => `s:${thinking}:${original}`, packToolId: (id) => `p_${id}` },
  });
const chat: Make = (upstream) => createChatProvider({ ...base, upstream, thinkingSigner, facts: () => facts });

const streams: readonly (readonly [string, string, Make, readonly string[]])[] = [
  ...Object.keys(scripts).map(
    (name) =>
      ['native', name, native, scripts[name]!(messageStart({ model: 'm' })).map((event) => frame(event))] as const,
  ),
  ...Object.keys(defects).map((name) => ['compatible', name, compatible, framesOfDefect(name, 'm')] as const),
  ...Object.keys(chatScripts).map((name) => ['chat', name, chat, chatScripts[name]!()] as const),
];

const read = (provider: MessagesProvider) =>
  readOutcome(
    provider.stream(makeMessagesRequest({ messageId }), makeMessagesBinding({ providerId: 'acme' }), {
      signal: new AbortController().signal,
      log: recordLog(),
    }),
  );

describe('a stream cut in two at every byte', () => {
  it.each(streams.filter(([, name]) => !long.test(name)))(
    'is the same stream: %s, %s',
    async (_dialect, _name, make, frames) => {
      const bytes = Buffer.from(frames.join(''));
      let cut = 0;
      const provider = make(upstreamOf(() => (cut === 0 ? [bytes] : [bytes.subarray(0, cut), bytes.subarray(cut)])));
      const comparable = ({ events, error }: Awaited<ReturnType<typeof read>>) =>
        JSON.stringify([events, error instanceof Error ? error.message : error]);
      const whole = comparable(await read(provider));
      for (cut = 1; cut < bytes.length; cut += 1)
        if (comparable(await read(provider)) !== whole) throw new Error(`Another answer when cut at ${cut}.`);
      expect(whole.length).toBeGreaterThan(50);
    },
  );

  it.each(streams.filter(([dialect, name]) => dialect === 'native' && !long.test(name)))(
    'passes on in the same bytes: %s, %s',
    async (_dialect, _name, make, frames) => {
      const bytes = Buffer.from(frames.join(''));
      let cut = 0;
      const provider = make(upstreamOf(() => (cut === 0 ? [bytes] : [bytes.subarray(0, cut), bytes.subarray(cut)])));
      const whole = await relayed(provider);
      for (cut = 1; cut < bytes.length; cut += 1) {
        const other = await relayed(provider);
        if (other !== whole) throw new Error(`Another answer when cut at ${cut}.`);
      }
      expect(whole.length).toBeGreaterThan(50);
    },
  );
});

/** The bytes that a relay passes on, the facts that the gateway learns from them, and how it ended. */
function relayed(provider: MessagesProvider): Promise<string> {
  const { relay } = provider;
  if (!relay) throw new Error('This provider does not relay.');
  return new Promise((resolve) => {
    const bytes: Buffer[] = [];
    const events: MessageEvent[] = [];
    let letters = 0;
    const tell = (end: string) =>
      resolve(
        JSON.stringify([
          Buffer.concat(bytes).toString('utf8'),
          events.filter(({ type }) => type !== 'content_block_delta'),
          lettersOf(events) + letters,
          end,
        ]),
      );
    relay(
      makeMessagesRequest({ messageId }),
      makeMessagesBinding({ providerId: 'acme' }),
      { log: recordLog() },
      {
        take(part) {
          bytes.push(part.bytes);
          events.push(...part.events);
          letters += part.letters;
        },
        end: () => tell('ended'),
        fail: (error) => tell(String(error)),
      },
    );
  });
}

/** A delta is either counted or reported as an event, depending on the split; the sum is the same. */
function lettersOf(events: readonly MessageEvent[]): number {
  let letters = 0;
  for (const event of events) {
    if (event.type !== 'content_block_delta') continue;
    const { delta } = event;
    if (delta.type === 'text_delta') letters += delta.text.length;
    if (delta.type === 'thinking_delta') letters += delta.thinking.length;
    if (delta.type === 'input_json_delta') letters += delta.partial_json.length;
  }
  return letters;
}
