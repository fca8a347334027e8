import type { MessagesBody } from '../../../domain/messages';
import { leftOutTools } from './client-tools';

/** Fields of a body that the gateway reads itself. */
const readHere = new Set(['model', 'messages', 'stream', 'max_tokens', 'system', 'tools']);

/** What of a body goes nowhere when only these fields beside the conversation are sent on, and tools that a client runs. */
export function ignoredFields(body: MessagesBody, sent: ReadonlySet<string>): string[] {
  const fields = Object.keys(body).filter(
    (name) => body[name] !== undefined && body[name] !== null && !readHere.has(name) && !sent.has(name),
  );
  return [...fields, ...leftOutTools(body.tools)];
}
