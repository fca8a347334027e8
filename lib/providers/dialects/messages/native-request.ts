import type { ContentBlock, MessagesBinding, MessagesBody, MessagesRequest, Turn } from '../../../domain/messages';
import { spliceJson, type Splices } from '../../kit/splice-json';
import { isOurSignature } from '../../kit/thought-signature';
import type { DialectRequest } from './provider';

// The caller's own bytes, with another name of the model. The vendor verifies signatures over the history and looks for it
// in its prompt cache, so nothing is written anew that need not be.

/** Fields of a message that the vendor's counter refuses. */
const notCounted = ['max_tokens', 'stream', 'stop_sequences', 'metadata', 'service_tier', 'temperature', 'top_p', 'top_k', 'container', 'inference_geo', 'diagnostics'];

export function nativeRequest(request: MessagesRequest, binding: MessagesBinding, withoutThoughts: boolean): DialectRequest {
  const changes = splicesOf(request, binding, withoutThoughts);
  return { headers: versionHeaders(request), body: spliceJson(request.source, { ...changes, stream: 'true' }) };
}

export function nativeCount(request: MessagesRequest, binding: MessagesBinding): DialectRequest {
  const changes = splicesOf(request, binding, false);
  const removed = Object.fromEntries(notCounted.map((name) => [name, undefined]));
  return { headers: versionHeaders(request), body: spliceJson(request.source, { ...changes, ...removed }) };
}

function versionHeaders({ version, betas }: MessagesRequest): Record<string, string> {
  return { 'anthropic-version': version, ...(betas.length > 0 && { 'anthropic-beta': betas.join(',') }) };
}

function splicesOf({ body }: MessagesRequest, binding: MessagesBinding, withoutThoughts: boolean): Splices {
  const messages = ownHistory(body.messages, withoutThoughts);
  return {
    model: JSON.stringify(binding.modelName),
    ...(messages !== body.messages && { messages: JSON.stringify(messages) }),
    ...Object.fromEntries(adjustable.map((name) => [name, body[name] === undefined ? undefined : JSON.stringify(body[name])])),
    // Without its thoughts a turn that calls tools is refused while thinking is on.
    ...(withoutThoughts && body.thinking?.type === 'enabled' && { thinking: '{"type":"disabled"}' }),
  };
}

// Small fields that may have been taken out, or limited, since the bytes came in.
const adjustable = ['temperature', 'top_p', 'top_k', 'max_tokens', 'tool_choice', 'thinking', 'output_config'] as const;

/** The history without thoughts of other providers and without empty texts, which are refused; the same array when it has none. */
export function ownHistory(turns: MessagesBody['messages'], withoutThoughts: boolean): readonly Turn[] {
  const isKept = (block: ContentBlock) => {
    if (block.type === 'thinking') return !withoutThoughts && block.signature !== '' && block.signature !== undefined && !isOurSignature(block.signature);
    if (block.type === 'redacted_thinking') return !withoutThoughts;
    return block.type !== 'text' || block.text !== '';
  };
  let hasChanged = false;
  const kept = turns.flatMap((turn): Turn[] => {
    if (typeof turn.content === 'string') return [turn];
    const content = turn.content.filter(isKept);
    if (content.length === turn.content.length) return [turn];
    hasChanged = true;
    return content.length === 0 ? [] : [{ ...turn, content }];
  });
  return hasChanged ? kept : turns;
}
