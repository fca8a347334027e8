import type { ContentBlock, MessagesBinding, MessagesBody, MessagesRequest, Turn } from '../../../domain/messages';
import { spliceJson } from '../../kit/messages/splice-json';
import { isOurSignature } from '../../kit/messages/thinking-signature';
import type { WrittenRequest } from '../../kit/messages/upstream-request';

// Sends the client's own bytes with another model name. The vendor verifies signatures over the history and compares it
// with its prompt cache, so nothing is serialized again unless necessary.

/** Fields of a message that the vendor's token counter rejects. */
const notCounted = [
  'max_tokens',
  'stream',
  'stop_sequences',
  'metadata',
  'service_tier',
  'temperature',
  'top_p',
  'top_k',
  'container',
  'inference_geo',
  'diagnostics',
];

/** Requests a stream, whatever the client requested. */
export function nativeRequest(
  request: MessagesRequest,
  binding: MessagesBinding,
  withoutThinking: boolean,
): WrittenRequest {
  const changes = splicesOf(request, binding, withoutThinking);
  changes.stream = 'true';
  return { headers: versionHeaders(request), body: spliceJson(request.source, changes) };
}

/** Requests a non-streaming answer, as the client did. */
export function nativeBufferedRequest(
  request: MessagesRequest,
  binding: MessagesBinding,
  withoutThinking: boolean,
): WrittenRequest {
  return {
    headers: versionHeaders(request),
    body: spliceJson(request.source, splicesOf(request, binding, withoutThinking)),
  };
}

/** Writes the request that counts the input tokens of a message. */
export function nativeCount(request: MessagesRequest, binding: MessagesBinding): WrittenRequest {
  const changes = splicesOf(request, binding, false);
  const removed = Object.fromEntries(notCounted.map((name) => [name, undefined]));
  return { headers: versionHeaders(request), body: spliceJson(request.source, { ...changes, ...removed }) };
}

function versionHeaders({ version, betas }: MessagesRequest): Record<string, string> {
  const headers: Record<string, string> = { 'anthropic-version': version };
  if (betas.length > 0) headers['anthropic-beta'] = betas.join(',');
  return headers;
}

function splicesOf(
  { body, changed }: MessagesRequest,
  binding: MessagesBinding,
  withoutThinking: boolean,
): Record<string, string | undefined> {
  const changes: Record<string, string | undefined> = { model: JSON.stringify(binding.modelName) };
  const messages = ownHistory(body.messages, withoutThinking);
  if (messages !== body.messages) changes.messages = JSON.stringify(messages);
  for (const name of changed) changes[name] = body[name] === undefined ? undefined : JSON.stringify(body[name]);
  // With thinking enabled the vendor rejects a tool-calling turn without its thinking.
  if (withoutThinking && body.thinking?.type === 'enabled') changes.thinking = '{"type":"disabled"}';
  return changes;
}

/**
 * Returns the history without the thinking of other providers and without empty texts, which the vendor rejects; the
 * same array if it has neither.
 */
export function ownHistory(turns: MessagesBody['messages'], withoutThinking: boolean): readonly Turn[] {
  const isKept = (block: ContentBlock) => {
    if (block.type === 'thinking')
      return !withoutThinking && Boolean(block.signature) && !isOurSignature(block.signature ?? '');
    if (block.type === 'redacted_thinking') return !withoutThinking;
    return block.type !== 'text' || block.text !== '';
  };
  if (turns.every(({ content }) => typeof content === 'string' || content.every(isKept))) return turns;
  return turns.flatMap((turn): Turn[] => {
    if (typeof turn.content === 'string') return [turn];
    const content = turn.content.filter(isKept);
    if (content.length === turn.content.length) return [turn];
    return content.length === 0 ? [] : [{ ...turn, content }];
  });
}
