import type { MessagesBody } from '../../../domain/messages';
import { leftOutTools } from './client-tools';

/** Body fields that the gateway itself reads. */
const readHere = new Set(['model', 'messages', 'stream', 'max_tokens', 'system', 'tools']);

/** Returns the body fields that are dropped if only `sent` (plus the conversation and client-run tools) is sent. */
export function ignoredFields(body: MessagesBody, sent: ReadonlySet<string>): string[] {
  const fields = Object.keys(body).filter(
    (name) => body[name] !== undefined && body[name] !== null && !readHere.has(name) && !sent.has(name),
  );
  return [...fields, ...leftOutTools(body.tools)];
}
