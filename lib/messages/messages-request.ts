import { GatewayError } from '../domain/errors';
import type { MessagesBody } from '../domain/messages';

// What the gateway itself relies on is checked by hand, once, and nothing else: client tools send new fields every week, and
// only the vendor knows which of them are wrong. The sentences are in the vendor's form, `path: reason`, because tools and
// people know it.

const ROLES = ['user', 'assistant', 'system'];
const MOST_MESSAGES = 100_000;
const MOST_CACHE_MARKS = 4;
/** Pictures and documents by address: whoever reads them should not be flooded through us. */
const MOST_ADDRESSES = 100;
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,128}$/;
const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];

type Fields = Readonly<Record<string, unknown>>;

/** The name of the model, without the suffix by which one client tool marks a long context; 400 when there is none. */
export function parseModelName(values: Fields): string {
  const { model } = values;
  if (model === undefined) throw missing('model');
  if (typeof model !== 'string' || model === '') throw invalidType('model', 'a non-empty string');
  return model.endsWith('[1m]') ? model.slice(0, -4) : model;
}

/**
 * Checks a body. `for` says whether an answer or only a count is wanted; a count needs no `max_tokens`. Rejects with a
 * GatewayError of status 400 that names the field.
 */
export function parseMessagesBody(values: Fields, wanted: { readonly for: 'answer' | 'count' }): MessagesBody {
  parseModelName(values);
  checkMaxTokens(values, wanted.for);
  const { messages, system, tools, stream, stop_sequences: stops } = values;
  if (messages === undefined) throw missing('messages');
  if (!Array.isArray(messages)) throw invalidType('messages', 'an array');
  if (messages.length === 0) throw invalid('messages', 'at least one message is required');
  if (messages.length > MOST_MESSAGES) throw invalid('messages', `at most ${MOST_MESSAGES} messages are allowed`);
  if (stream !== undefined && typeof stream !== 'boolean') throw invalidType('stream', 'true or false');
  if (stops !== undefined && stops !== null && !isTexts(stops)) throw invalidType('stop_sequences', 'an array of strings');
  if (system !== undefined && typeof system !== 'string' && !Array.isArray(system)) throw invalidType('system', 'a string or an array of text blocks');
  const marks = { count: 0 };
  checkTools(tools, marks);
  if (Array.isArray(system)) for (const [index, block] of system.entries()) checkBlock(block, `system.${index}`, marks);
  for (const [index, message] of messages.entries()) checkMessage(message, `messages.${index}`, marks);
  if (marks.count > MOST_CACHE_MARKS) throw new GatewayError('unsupported_value', `A maximum of ${MOST_CACHE_MARKS} blocks with cache_control may be provided. Found ${marks.count}.`, { param: 'cache_control' });
  checkThinking(values);
  // Safe: every field that the type lists has been checked, or is passed to whoever knows it.
  return values as unknown as MessagesBody;
}

function checkMaxTokens(values: Fields, wanted: 'answer' | 'count'): void {
  const { max_tokens: maxTokens, stream } = values;
  if (maxTokens === undefined && wanted === 'count') return;
  if (maxTokens === undefined) throw missing('max_tokens');
  if (typeof maxTokens !== 'number' || !Number.isInteger(maxTokens)) throw invalidType('max_tokens', 'a whole number');
  if (maxTokens < 0) throw invalid('max_tokens', 'must be 0 or more');
  // No output: the request only writes the prompt cache, and nothing could be streamed.
  if (maxTokens === 0 && stream === true) throw invalid('max_tokens', '0 cannot be streamed');
}

function checkTools(tools: unknown, marks: { count: number }): void {
  if (tools === undefined || tools === null) return;
  if (!Array.isArray(tools)) throw invalidType('tools', 'an array');
  const names = new Set<string>();
  for (const [index, value] of tools.entries()) {
    const path = `tools.${index}`;
    const tool = fieldsOf(value, path);
    const isOwn = tool.type === undefined || tool.type === 'custom';
    countMark(tool, marks);
    // Tools that the vendor defines come in forms that only it knows.
    if (!isOwn && tool.name === undefined) continue;
    if (typeof tool.name !== 'string' || !TOOL_NAME.test(tool.name)) throw invalid(`${path}.name`, 'must match ^[a-zA-Z0-9_-]{1,128}$');
    if (names.has(tool.name)) throw invalid('tools', 'Tool names must be unique.');
    names.add(tool.name);
    if (!isOwn) continue;
    if (tool.input_schema === undefined) throw missing(`${path}.custom.input_schema`);
    const schema = fieldsOf(tool.input_schema, `${path}.custom.input_schema`);
    if (schema.type === undefined) throw missing(`${path}.custom.input_schema.type`);
    if (schema.type !== 'object') throw invalid(`${path}.custom.input_schema.type`, "Input should be 'object'");
  }
}

function checkMessage(value: unknown, path: string, marks: { count: number }): void {
  const { role, content } = fieldsOf(value, path);
  if (typeof role !== 'string' || !ROLES.includes(role)) throw invalid(`${path}.role`, "Input should be 'user', 'assistant' or 'system'");
  if (content === undefined) throw missing(`${path}.content`);
  if (typeof content === 'string') return;
  if (!Array.isArray(content)) throw invalidType(`${path}.content`, 'a string or an array of blocks');
  for (const [index, block] of content.entries()) checkBlock(block, `${path}.content.${index}`, marks);
}

function checkBlock(value: unknown, path: string, marks: { count: number }): void {
  const block = fieldsOf(value, path);
  if (typeof block.type !== 'string') throw missing(`${path}.type`);
  countMark(block, marks);
  switch (block.type) {
    case 'text':
      if (typeof block.text !== 'string') throw invalidType(`${path}.text.text`, 'a string');
      return;
    case 'image':
      return checkImage(fieldsOf(block.source, `${path}.image.source`), `${path}.image.source`);
    case 'tool_use':
      if (typeof block.id !== 'string') throw missing(`${path}.tool_use.id`);
      if (typeof block.name !== 'string') throw missing(`${path}.tool_use.name`);
      return;
    case 'tool_result':
      if (typeof block.tool_use_id !== 'string') throw missing(`${path}.tool_result.tool_use_id`);
      if (Array.isArray(block.content)) for (const [index, inner] of block.content.entries()) checkBlock(inner, `${path}.tool_result.content.${index}`, marks);
      return;
    case 'thinking':
      if (typeof block.thinking !== 'string') throw invalidType(`${path}.thinking.thinking`, 'a string');
  }
}

function checkImage(source: Fields, path: string): void {
  if (source.type !== 'base64') return;
  if (typeof source.data !== 'string') throw invalidType(`${path}.data`, 'a string in base64');
  if (typeof source.media_type !== 'string' || !IMAGE_TYPES.includes(source.media_type)) {
    throw invalid(`${path}.base64.media_type`, `Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'`);
  }
}

function checkThinking({ thinking, max_tokens: maxTokens }: Fields): void {
  if (thinking === undefined || thinking === null) return;
  const { type, budget_tokens: budget } = fieldsOf(thinking, 'thinking');
  if (typeof type !== 'string') throw missing('thinking.type');
  if (budget === undefined || type !== 'enabled') return;
  if (typeof budget !== 'number' || !Number.isInteger(budget)) throw invalidType('thinking.enabled.budget_tokens', 'a whole number');
  if (budget < 1024) throw invalid('thinking.enabled.budget_tokens', 'Input should be greater than or equal to 1024');
  if (typeof maxTokens === 'number' && budget >= maxTokens) throw new GatewayError('unsupported_value', '`max_tokens` must be greater than `thinking.budget_tokens`.', { param: 'thinking.budget_tokens' });
}

function countMark(fields: Fields, marks: { count: number }): void {
  if (typeof fields.cache_control === 'object' && fields.cache_control !== null) marks.count += 1;
}

function fieldsOf(value: unknown, path: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalidType(path, 'an object');
  // Safe: an object that is neither null nor an array can be asked for any field.
  return value as Fields;
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function missing(path: string): GatewayError {
  return new GatewayError('missing_required_parameter', `${path}: Field required`, { param: path });
}

function invalidType(path: string, wanted: string): GatewayError {
  return new GatewayError('invalid_type', `${path}: Input should be ${wanted}`, { param: path });
}

function invalid(path: string, reason: string): GatewayError {
  return new GatewayError('unsupported_value', `${path}: ${reason}`, { param: path });
}
