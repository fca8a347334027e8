import { GatewayError, upstreamFailed, upstreamRefused } from '../../domain/errors';
import type { Message, MessageEvent, MessagesProvider, MessagesRequest, ThinkingSigner } from '../../domain/messages';
import type { ProviderDeps } from '../../domain/provider';
import type { Call } from '../../domain/call';
import { leftOutTools } from '../kit/messages/client-tools';
import { createDice, digestOf, writeScript, type Script } from './script';

// The scripted model as a provider. It sends the events of a real model, in uneven pieces and at a realistic pace if
// streamed, and simulates failures on request.

type Batch = readonly [MessageEvent, ...MessageEvent[]];

/** Pause between two pieces of a stream. */
const PACE_MS = 12;
const MAX_PIECE_CHARS = 24;
const MAX_SLOW_SECONDS = 3_600;
/** A hanging answer ends after this time even if the client never disconnects. */
const HANG_MS = 3_600_000;

export function createSandboxMessages({
  clock,
  thinkingSigner,
}: Pick<ProviderDeps, 'clock' | 'thinkingSigner'>): MessagesProvider {
  const limited = new Map<string, number>();

  return {
    // The scripted model does not search and runs no code.
    ignoredParams: ({ tools }) => leftOutTools(tools),
    async *stream(request, binding, call) {
      const { scenario = '', body } = request;
      const script = writeScript(body);
      const batches = batchesOf(script, request, binding.modelName, thinkingSigner);
      const [, word, digits] = /^([a-z0-9-]+?)(?::(\d+))?$/.exec(scenario) ?? [];
      beforeFirst(word, Number(digits ?? 1), request, limited);
      if (word === 'error-first') throw overloaded();
      if (word === 'hang') await rest(HANG_MS, call);

      const slowMs = word === 'slow' ? (Math.min(Number(digits ?? 10), MAX_SLOW_SECONDS) * 1_000) / batches.length : 0;
      const pauseMs = slowMs > 0 ? slowMs : body.stream === true ? PACE_MS : 0;
      const half = Math.max(2, Math.ceil(batches.length / 2));
      for (const [index, batch] of batches.entries()) {
        if (index > 0 && pauseMs > 0) await rest(pauseMs, call);
        call.signal.throwIfAborted();
        if (index === half && word === 'error-mid') throw overloaded();
        if (index === half && (word === 'cut' || word === 'drop'))
          throw upstreamFailed(
            { retry: 'elsewhere', started: 'maybe' },
            'The sandbox cut the stream, as its scenario says.',
          );
        yield { events: batch };
      }
    },
  };

  async function rest(ms: number, { signal }: Call): Promise<void> {
    await clock.sleep(ms, signal);
    signal.throwIfAborted();
  }
}

/** Throws failures that occur instead of an answer. Unknown scenario words have no effect. */
function beforeFirst(
  word: string | undefined,
  times: number,
  { body }: MessagesRequest,
  limited: Map<string, number>,
): void {
  if (word === 'fail')
    throw upstreamFailed({ retry: 'elsewhere', started: 'no' }, 'The sandbox failed, as its scenario says.');
  if (word === 'moderated-input')
    throw upstreamRefused('The sandbox refused this content, as its scenario says. Change the request.');
  if (word !== 'ratelimit') return;
  const key = digestOf(body.messages).toString('base64');
  const refused = limited.get(key) ?? 0;
  if (refused >= times) {
    limited.delete(key);
    return;
  }
  // Only tests use this; the newest hundred conversations are enough.
  if (limited.size >= 100) limited.clear();
  limited.set(key, refused + 1);
  throw new GatewayError(
    'rate_limit_exceeded',
    'The sandbox is limiting requests, as its scenario says. Try again in 1 second.',
    {
      upstream: { retry: 'elsewhere', started: 'no', retryAfterMs: 1_000 },
      retryAfterSeconds: 1,
    },
  );
}

function overloaded(): GatewayError {
  return new GatewayError(
    'upstream_overloaded',
    'The sandbox is overloaded, as its scenario says. Try again in a few seconds.',
    { upstream: { retry: 'elsewhere', started: 'no' } },
  );
}

function batchesOf(
  script: Script,
  request: MessagesRequest,
  modelName: string,
  thinkingSigner: ThinkingSigner,
): readonly Batch[] {
  const dice = createDice(digestOf(request.body.messages));
  const isModerated = request.scenario === 'moderated-output';
  const message: Message = {
    id: request.messageId,
    type: 'message',
    role: 'assistant',
    model: modelName,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    // The gateway's own estimate: the scripted model has no tokenizer.
    usage: {
      input_tokens: request.estimatedInputTokens,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: 1,
    },
  };
  const batches: Batch[] = [[{ type: 'message_start', message }]];
  let index = 0;

  const addBlock = (
    start: Extract<MessageEvent, { type: 'content_block_start' }>['content_block'],
    deltas: readonly Extract<MessageEvent, { type: 'content_block_delta' }>['delta'][],
  ) => {
    const at = index;
    index += 1;
    const [first, ...others] = deltas;
    const begin: MessageEvent = { type: 'content_block_start', index: at, content_block: start };
    batches.push(first ? [begin, { type: 'content_block_delta', index: at, delta: first }] : [begin]);
    for (const delta of others) batches.push([{ type: 'content_block_delta', index: at, delta }]);
    batches.push([{ type: 'content_block_stop', index: at }]);
  };

  if (script.thinking !== '') {
    addBlock({ type: 'thinking', thinking: '', signature: '' }, [
      ...pieces(script.thinking, dice).map((thinking) => ({ type: 'thinking_delta', thinking }) as const),
      { type: 'signature_delta', signature: thinkingSigner.sign('sandbox', script.thinking, 'scripted') },
    ]);
  }
  const text = isModerated ? script.text.slice(0, Math.ceil(script.text.length / 2)) : script.text;
  if (text !== '')
    addBlock(
      { type: 'text', text: '' },
      pieces(text, dice).map((piece) => ({ type: 'text_delta', text: piece }) as const),
    );
  for (const tool of isModerated ? [] : script.tools) {
    const { input, ...named } = tool;
    addBlock(
      { ...named, input: {} },
      ['', ...pieces(JSON.stringify(input), dice)].map(
        (piece) => ({ type: 'input_json_delta', partial_json: piece }) as const,
      ),
    );
  }
  const { stopReason, stopSequence, outputTokens } = script;
  batches.push([
    {
      type: 'message_delta',
      delta: isModerated
        ? {
            stop_reason: 'refusal',
            stop_sequence: null,
            stop_details: {
              type: 'refusal',
              category: null,
              explanation: 'Refused by the sandbox, as its scenario says.',
            },
          }
        : { stop_reason: stopReason, stop_sequence: stopSequence },
      usage: {
        input_tokens: request.estimatedInputTokens,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
        output_tokens: outputTokens,
      },
    },
    { type: 'message_stop' },
  ]);
  return batches;
}

/** Splits the text into pieces of uneven length; none is empty, and no surrogate pair is split. */
function pieces(text: string, dice: (below: number) => number): string[] {
  const letters = [...text];
  const cut: string[] = [];
  for (let at = 0; at < letters.length;) {
    const length = 1 + dice(MAX_PIECE_CHARS);
    cut.push(letters.slice(at, at + length).join(''));
    at += length;
  }
  return cut;
}
