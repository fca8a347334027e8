import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../lib/domain/clock';
import type { MessageEvent, MessagesProvider } from '../../../lib/domain/messages';
import { createChatProvider } from '../../../lib/providers/dialects/chat-completions/provider';
import type { ChatFacts } from '../../../lib/providers/dialects/chat-completions/request';
import { createMessagesProvider } from '../../../lib/providers/dialects/messages/provider';
import type { Upstream } from '../../../lib/providers/kit/http/http';
import { recordLog } from '../../support/log';
import { proofStep } from '../../support/proof-runs';
import { chatScripts } from '../../support/upstreams/fake-chat-upstream';
import { defects, framesOfDefect } from '../../support/upstreams/fake-compatible-vendor';
import { scripts } from '../../support/upstreams/fake-messages-vendor';
import { frame, messageStart } from '../../support/upstreams/message-frames';
import { makeMessagesBinding, makeMessagesRequest, readOutcome, thinkingSigner } from '../support/messages';

// The network may split a stream at any byte. Every stream of every fake is split in two at each of its bytes here, and
// the result must not change. All hundred thousand splits are tested when `PROOF_RUNS` is 1, every seventh otherwise.

const STEP = proofStep(7);
const long = /^(long|json-body)$/;
const messageId = 'msg_ours';

function upstreamOf(pieces: () => readonly Buffer[]): Upstream {
  return {
    async send() {
      const unread = [...pieces()];
      return {
        status: 200,
        headers: { 'content-type': 'text/event-stream' },
        body: { read: async () => unread.shift(), stop() {}, drain() {} },
      };
    },
    pathOf: (url) => url,
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
  maxStops: 4,
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

const stream = (provider: MessagesProvider, body: { readonly stream?: boolean } = {}) =>
  provider.stream(makeMessagesRequest({ messageId, body }), makeMessagesBinding({ providerId: 'acme' }), {
    signal: new AbortController().signal,
    log: recordLog(),
  });
const read = (provider: MessagesProvider) => readOutcome(stream(provider));

describe('a stream cut in two', () => {
  it.each(streams.filter(([, name]) => !long.test(name)))(
    'is the same stream: %s, %s',
    async (_dialect, _name, make, frames) => {
      const bytes = Buffer.from(frames.join(''));
      let cut = 0;
      const provider = make(upstreamOf(() => (cut === 0 ? [bytes] : [bytes.subarray(0, cut), bytes.subarray(cut)])));
      const comparable = ({ events, error }: Awaited<ReturnType<typeof read>>) =>
        JSON.stringify([events, error instanceof Error ? error.message : error]);
      const whole = comparable(await read(provider));
      for (cut = 1; cut < bytes.length; cut += STEP)
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
      for (cut = 1; cut < bytes.length; cut += STEP) {
        const other = await relayed(provider);
        if (other !== whole) throw new Error(`Another answer when cut at ${cut}.`);
      }
      expect(whole.length).toBeGreaterThan(50);
    },
  );
});

/** The bytes that are passed on, the facts that the gateway learns from them, and how the stream ended. */
async function relayed(provider: MessagesProvider): Promise<string> {
  const passed: Buffer[] = [];
  const facts: MessageEvent[] = [];
  let counted = 0;
  let end = 'ended';
  try {
    for await (const { bytes, events, letters = 0 } of stream(provider, { stream: true })) {
      if (!bytes) throw new Error('This provider passes no bytes on.');
      passed.push(bytes);
      facts.push(...events);
      counted += letters;
    }
  } catch (error) {
    end = String(error);
  }
  return JSON.stringify([
    Buffer.concat(passed).toString('utf8'),
    facts.filter(({ type }) => type !== 'content_block_delta'),
    lettersOf(facts) + counted,
    end,
  ]);
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
