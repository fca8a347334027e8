import type { ContentBlock, MessagesBinding, MessagesBody, MessagesRequest, Turn } from '../../../domain/messages';
import { spliceJson } from '../../kit/messages/splice-json';
import { isOurSignature } from '../../kit/messages/thinking-signature';
import type { DialectRequest } from './dialect-request';

// The caller's own bytes, with another name of the model. The vendor verifies signatures over the history and looks for it
// in its prompt cache, so nothing is written anew that need not be.

/** Fields of a message that the vendor's counter refuses. */
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

/** Asks for a stream, whatever the caller asked for. */
export function nativeRequest(
  request: MessagesRequest,
  binding: MessagesBinding,
  withoutThinking: boolean,
): DialectRequest {
  const changes = splicesOf(request, binding, withoutThinking);
  changes.stream = 'true';
  return { headers: versionHeaders(request), body: spliceJson(request.source, changes) };
}

/** Asks for what the caller asked for: an answer in one piece. */
export function nativeWholeRequest(
  request: MessagesRequest,
  binding: MessagesBinding,
  withoutThinking: boolean,
): DialectRequest {
  return {
    headers: versionHeaders(request),
    body: spliceJson(request.source, splicesOf(request, binding, withoutThinking)),
  };
}

export function nativeCount(request: MessagesRequest, binding: MessagesBinding): DialectRequest {
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
  // Without its thinking a turn that calls tools is refused while thinking is on.
  if (withoutThinking && body.thinking?.type === 'enabled') changes.thinking = '{"type":"disabled"}';
  return changes;
}

/** The history without thinking of other providers and without empty texts, which are refused; the same array when it has none. */
export function ownHistory(turns: MessagesBody['messages'], withoutThinking: boolean): readonly Turn[] {
  const isKept = (block: ContentBlock) => {
    if (block.type === 'thinking')
      return (
        !withoutThinking && block.signature !== '' && block.signature !== undefined && !isOurSignature(block.signature)
      );
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
