import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isGatewayError } from '../../../lib/domain/errors';
import type { MessagesBinding, MessagesBody, MessagesProvider, MessagesRequest } from '../../../lib/domain/messages';
import type { ProviderDefinition } from '../../../lib/domain/provider';
import type { RecordedLog } from '../../support/log';
import { findOrderError } from '../../support/upstreams/stream-order';
import { readOutcome } from '../support/messages';

// The contract of every messages provider, whatever its upstream. A provider's own test calls `messagesContract` with a
// function that creates a subject: the provider in front of its fake upstream (or, locally, of the real one).

export interface MessagesSubject {
  readonly provider: MessagesProvider;
  readonly binding: MessagesBinding;
  /** Absent for the sandbox, which stands in for the others. */
  readonly definition?: ProviderDefinition;
  /** Every log that the provider can write to. */
  readonly log: RecordedLog;
  /** A request whose answer has a few words; `text` is part of the prompt. */
  makeRequest(change?: { readonly text?: string }): MessagesRequest;
  /** A request whose answer has more than a thousand events, slow enough to be stopped. */
  makeLongRequest(): MessagesRequest;
  /** A request whose answer calls a tool. */
  makeToolRequest(): MessagesRequest;
  /** A request that gets the error of that name; see `errors` of the contract. */
  makeFailingRequest?(error: string): MessagesRequest;
  /** A request that is never answered. */
  makeHangingRequest?(): MessagesRequest;
  /** Resolves when the upstream has seen the connection of the last request close. */
  upstreamClosed?(): Promise<unknown>;
  /** The requests as the upstream received them, including headers. */
  received?(): string;
  dispose(): Promise<void>;
}

export interface MessagesContractOptions {
  /** Error → the retry that may follow it: `never`, `later` or `elsewhere`. */
  readonly errors?: Readonly<Record<string, 'never' | 'later' | 'elsewhere'>>;
  readonly has: readonly ('hanging' | 'upstream')[];
}

/** What some providers refuse or ignore. */
const unusual: readonly Partial<MessagesBody>[] = [
  { top_k: 5, service_tier: 'auto' },
  {
    messages: [
      {
        role: 'user',
        content: [
          { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' } },
          { type: 'text', text: 'Hello [[fake:text]]' },
        ],
      },
    ],
  },
  {
    messages: [
      { role: 'user', content: 'Hello [[fake:text]]' },
      { role: 'assistant', content: 'Hello,' },
    ],
  },
  { tools: [{ type: 'web_search_20260209', name: 'web_search' }], tool_choice: { type: 'any' } },
];

function messageOf(act: () => void): string | undefined {
  try {
    act();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return undefined;
}

/** An abort ends a call this soon, even on a busy machine. The upstreams here run longer, or endlessly. */
const promptlyMs = 5_000;

export function messagesContract(
  name: string,
  makeSubject: () => Promise<MessagesSubject>,
  options: MessagesContractOptions,
): void {
  describe(`${name} meets the contract of messages providers`, () => {
    let subject: MessagesSubject;
    let declared = 0;
    const ran = new Set<string>();
    const fact = (title: string, test: () => Promise<void>) => {
      declared++;
      it(title, async () => {
        await test();
        ran.add(title);
      });
    };
    const has = (part: MessagesContractOptions['has'][number]) => options.has.includes(part);
    const stream = (request: MessagesRequest, signal: AbortSignal = new AbortController().signal) =>
      subject.provider.stream(request, subject.binding, { signal, log: subject.log });

    beforeAll(async () => {
      subject = await makeSubject();
    });
    afterAll(() => subject?.dispose());

    fact('an answer is in order, with text, usage and a stop reason', async () => {
      const { events, error } = await readOutcome(stream(subject.makeRequest()));
      expect(error).toBeUndefined();
      expect(findOrderError(events)).toBeUndefined();
      expect(events.some((event) => event.type === 'content_block_delta' && event.delta.type === 'text_delta')).toBe(
        true,
      );
      const end = events.find((event) => event.type === 'message_delta');
      expect(end).toMatchObject({ delta: { stop_reason: 'end_turn' }, usage: { output_tokens: expect.any(Number) } });
    });

    fact('what it refuses and ignores of a message is known without credentials', async () => {
      const { definition, binding, provider } = subject;
      if (!definition) return;
      const request = subject.makeRequest();
      for (const change of unusual) {
        const body = { ...request.body, ...change };
        const { error } = await readOutcome(stream({ ...request, body }));
        const refused = isGatewayError(error) && error.code === 'unsupported_value' ? error.message : undefined;
        expect(messageOf(() => definition.messageRules?.check(body, binding))).toBe(refused);
        const ignored = provider.ignoredParams?.(body, binding);
        expect(definition.messageRules?.ignoredParams(body, binding)).toEqual(ignored);
      }
    });

    fact('a tool call is in order and its arguments are an object', async () => {
      const { events, error } = await readOutcome(stream(subject.makeToolRequest()));
      expect(error).toBeUndefined();
      expect(findOrderError(events)).toBeUndefined();
      const start = events.find(
        (event) => event.type === 'content_block_start' && event.content_block.type === 'tool_use',
      );
      const index = start?.type === 'content_block_start' ? start.index : -1;
      const json = events.flatMap((event) =>
        event.type === 'content_block_delta' && event.index === index && event.delta.type === 'input_json_delta'
          ? [event.delta.partial_json]
          : [],
      );
      expect(json[0]).toBe('');
      expect(JSON.parse(json.join('') || '{}')).toEqual(expect.any(Object));
      expect(events.find((event) => event.type === 'message_delta')).toMatchObject({
        delta: { stop_reason: 'tool_use' },
      });
    });

    fact('no chunk is empty, and no chunk waits for the whole answer', async () => {
      const stop = new AbortController();
      let chunks = 0;
      for await (const { events } of stream(subject.makeLongRequest(), stop.signal)) {
        expect(events.length).toBeGreaterThan(0);
        if (++chunks === 3) break;
      }
      expect(chunks).toBe(3);
    });

    fact('an abort before the call ends it', async () => {
      expect((await readOutcome(stream(subject.makeRequest(), AbortSignal.abort()))).error).toBeDefined();
    });

    fact('an abort in the middle ends the answer with the reason of the signal', async () => {
      const stop = new AbortController();
      const reason = new Error('The caller is gone.');
      let abortedAt = 0;
      const outcome = await readOutcome(
        (async function* () {
          for await (const chunk of stream(subject.makeLongRequest(), stop.signal)) {
            yield chunk;
            if (abortedAt === 0) {
              abortedAt = performance.now();
              stop.abort(reason);
            }
          }
        })(),
      );
      expect(outcome.error).toBe(reason);
      expect(performance.now() - abortedAt).toBeLessThan(promptlyMs);
    });

    if (has('upstream')) {
      fact('an abort closes the connection to the upstream at once', async () => {
        const stop = new AbortController();
        const reading = readOutcome(stream(subject.makeLongRequest(), stop.signal));
        setTimeout(() => stop.abort(), 60);
        await reading;
        expect(await within(promptlyMs, subject.upstreamClosed!())).toBe('in time');
      });

      fact('a reader that stops closes the connection to the upstream at once', async () => {
        for await (const { events } of stream(subject.makeLongRequest())) if (events.length > 0) break;
        expect(await within(promptlyMs, subject.upstreamClosed!())).toBe('in time');
      });

      fact('what the upstream gets has no trace of the gateway’s caller', async () => {
        expect(subject.received!()).not.toMatch(/pb_(live|test)_|x-forwarded|cookie/i);
      });
    }

    if (has('hanging')) {
      fact('an abort ends a request that is never answered', async () => {
        const stop = new AbortController();
        const reading = readOutcome(stream(subject.makeHangingRequest!(), stop.signal));
        setTimeout(() => stop.abort(), 30);
        expect(await within(promptlyMs, reading)).toBe('in time');
        expect((await reading).events).toEqual([]);
      });
    }

    for (const [name, retry] of Object.entries(options.errors ?? {})) {
      fact(`${name} rejects with an outcome, after a valid sequence of events`, async () => {
        const { events, error } = await readOutcome(stream(subject.makeFailingRequest!(name)));
        expect(findOrderError(events, { mayBreakOff: true })).toBeUndefined();
        expect(isGatewayError(error) ? error.extra.upstream?.retry : error).toBe(retry);
      });
    }

    fact('no prompt reaches the log', async () => {
      const canary = `canary${randomBytes(8).toString('hex')}`;
      await readOutcome(stream(subject.makeRequest({ text: canary })));
      expect(JSON.stringify(subject.log.lines)).not.toContain(canary);
    });

    it('ran every case of this contract', () => {
      expect(declared).toBeGreaterThanOrEqual(6);
      expect(ran.size).toBe(declared);
    });
  });
}

async function within(ms: number, work: Promise<unknown>): Promise<'in time' | 'late'> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), ms);
  });
  return Promise.race([work.then(() => 'in time' as const), late]).finally(() => clearTimeout(timer));
}
