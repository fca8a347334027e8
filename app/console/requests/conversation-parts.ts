import { fieldsOf, isObject } from '../../../lib/domain/json';

// The turns of a stored request of the messages API, as a page shows them. Requests are stored as they were sent, so
// their fields may have any type.

export type ShownPart =
  | { readonly kind: 'text'; readonly text: string }
  /** Collapsed until the user opens it, such as an image or a tool call. */
  | { readonly kind: 'other'; readonly name: string; readonly text: string };

export interface ShownTurn {
  readonly role: string;
  readonly parts: readonly ShownPart[];
}

const MAX_CHARS = 20_000;

/** Returns the system prompt, the tools and the messages of a request as turns. */
export function readTurns({ system, tools, messages }: Readonly<Record<string, unknown>>): ShownTurn[] {
  const turns: ShownTurn[] = [];
  if (system !== undefined) turns.push({ role: 'System', parts: readParts(system) });
  if (Array.isArray(tools) && tools.length > 0)
    turns.push({
      role: 'Tools',
      parts: tools.map((tool: unknown) => other(String(fieldsOf(tool)['name'] ?? 'Tool'), tool)),
    });
  for (const message of Array.isArray(messages) ? messages : []) {
    const { role, content } = fieldsOf(message);
    turns.push({ role: role === 'assistant' ? 'Assistant' : 'User', parts: readParts(content) });
  }
  return turns;
}

function readParts(content: unknown): ShownPart[] {
  if (typeof content === 'string') return [{ kind: 'text', text: content }];
  return (Array.isArray(content) ? content : []).map((block: unknown): ShownPart => {
    const { type, text, name } = fieldsOf(block);
    if (type === 'text' && typeof text === 'string') return { kind: 'text', text };
    const title = String(type ?? 'Block').replaceAll('_', ' ');
    return other(typeof name === 'string' ? `${title}: ${name}` : title, block);
  });
}

function other(name: string, value: unknown): ShownPart {
  const text = isObject(value) ? JSON.stringify(value, null, 2) : String(value);
  return { kind: 'other', name, text: text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)} …` : text };
}
