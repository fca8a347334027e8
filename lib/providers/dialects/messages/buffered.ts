import { upstreamFailed } from '../../../domain/errors';
import type { Message, MessagesProvider } from '../../../domain/messages';
import { fetchBuffered } from '../../kit/http/fetch-buffered';
import {
  askWithThinking,
  refusalOf,
  upstreamRequest,
  type UpstreamDeps,
  type WriteRequest,
} from '../../kit/messages/upstream-request';
import { refusalOfEvent } from './event-normalizer';

// Reads a non-streaming answer: it is parsed for billing, and otherwise passed on exactly as the vendor wrote it.

/** The time limit for the response headers, which arrive when the answer is complete. */
const ANSWER_MS = 300_000;

export function createBufferedMessage(
  deps: UpstreamDeps & { readonly write: WriteRequest },
): NonNullable<MessagesProvider['complete']> {
  return (request, binding, call) =>
    askWithThinking(deps.write, request, binding, call, async (written) => {
      const answer = await fetchBuffered(deps.upstream, upstreamRequest(deps, written, ANSWER_MS, call), deps.clock);
      const text = answer.bytes.toString('utf8');
      if (answer.status !== 200) throw refusalOf(answer, text, deps);
      return { text, message: parseMessage(text) };
    });
}

function parseMessage(text: string): Message {
  const value = parse(text);
  if (typeof value !== 'object' || value === null) throw noMessage('The answer is not an object.');
  if ('type' in value && value.type === 'error') throw refusalOfEvent(value);
  const { type, id, content, stop_reason: reason, usage } = value as Partial<Message>; // Safe: every field is checked below.
  const isComplete =
    type === 'message' && typeof id === 'string' && Array.isArray(content) && typeof reason === 'string';
  if (!isComplete || typeof usage !== 'object' || usage === null || typeof usage.output_tokens !== 'number')
    throw noMessage('The answer is not a complete message.');
  return value as Message; // Safe: what the gateway relies on was checked above.
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw noMessage('The answer is not JSON.');
  }
}

function noMessage(detail: string): Error {
  return upstreamFailed({ retry: 'later', started: 'maybe' }, detail);
}
