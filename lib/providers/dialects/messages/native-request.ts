import type { ContentBlock, MessagesBinding, MessagesBody, MessagesRequest, Turn } from '../../../domain/messages';
import { spliceJson } from '../../kit/splice-json';
import { isOurSignature } from '../../kit/thought-signature';
import type { DialectRequest } from './provider';

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
  withoutThoughts: boolean,
): DialectRequest {
  const changes = splicesOf(request, binding, withoutThoughts);
  changes.stream = 'true';
  return { headers: versionHeaders(request), body: spliceJson(request.source, changes) };
}

/** Asks for what the caller asked for: an answer in one piece. */
export function nativeWholeRequest(
  request: MessagesRequest,
  binding: MessagesBinding,
  withoutThoughts: boolean,
): DialectRequest {
  return {
    headers: versionHeaders(request),
    body: spliceJson(request.source, splicesOf(request, binding, withoutThoughts)),
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
  withoutThoughts: boolean,
): Record<string, string | undefined> {
  const changes: Record<string, string | undefined> = { model: JSON.stringify(binding.modelName) };
  const messages = ownHistory(body.messages, withoutThoughts);
  if (messages !== body.messages) changes.messages = JSON.stringify(messages);
  for (const name of changed) changes[name] = body[name] === undefined ? undefined : JSON.stringify(body[name]);
  // Without its thoughts a turn that calls tools is refused while thinking is on.
  if (withoutThoughts && body.thinking?.type === 'enabled') changes.thinking = '{"type":"disabled"}';
  return changes;
}

/** The history without thoughts of other providers and without empty texts, which are refused; the same array when it has none. */
export function ownHistory(turns: MessagesBody['messages'], withoutThoughts: boolean): readonly Turn[] {
  const isKept = (block: ContentBlock) => {
    if (block.type === 'thinking')
      return (
        !withoutThoughts && block.signature !== '' && block.signature !== undefined && !isOurSignature(block.signature)
      );
    if (block.type === 'redacted_thinking') return !withoutThoughts;
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
