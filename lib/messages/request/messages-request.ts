import { GatewayError } from '../../domain/errors';
import { isObject, type Fields } from '../../domain/json';
import type { MessagesBody } from '../../domain/messages';

// Hand-written validation of exactly the fields that the gateway relies on. Client tools send new fields every week,
// and only the vendor knows which of them are wrong. Errors have the vendor's form, `path: reason`, which tools and
// people know.

const ROLES = ['user', 'assistant', 'system'];
const MAX_MESSAGES = 100_000;
const MAX_CACHE_MARKS = 4;
/** Limits images and documents by URL, so that we cannot be used to flood the servers that hold them. */
const MAX_URLS = 100;
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,128}$/;
/** Known block types. The vendor adds to them, so the vendor's own provider validates them itself. */
const BLOCK_TYPES: ReadonlySet<string> = new Set([
  'text',
  'image',
  'document',
  'search_result',
  'thinking',
  'redacted_thinking',
  'tool_use',
  'tool_result',
  'tool_reference',
  'browser_state',
  'container_upload',
  'connector_text',
  'server_tool_use',
  'web_search_tool_result',
  'web_fetch_tool_result',
  'code_execution_tool_result',
  'bash_code_execution_tool_result',
  'text_editor_code_execution_tool_result',
  'tool_search_tool_result',
  'advisor_tool_result',
  'mcp_tool_use',
  'mcp_tool_result',
  'compaction',
  'fallback',
  'mid_conv_system',
]);
const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];

/**
 * Returns the model name, without the suffix with which one client tool marks a long context. Rejects with 400 if it is
 * missing.
 */
export function parseModelName(values: Fields): string {
  const { model } = values;
  if (model === undefined) throw missing('model');
  if (typeof model !== 'string' || model === '') throw invalidType('model', 'a non-empty string');
  return model.endsWith('[1m]') ? model.slice(0, -4) : model;
}

/**
 * Validates a body. `for` says whether the request is for an answer or only a token count; a count needs no
 * `max_tokens`. Throws a GatewayError of status 400 that names the field.
 */
export function parseMessagesBody(values: Fields, wanted: { readonly for: 'answer' | 'count' }): MessagesBody {
  parseModelName(values);
  checkMaxTokens(values, wanted.for);
  const { messages, system, tools, stream, stop_sequences: stops } = values;
  if (messages === undefined) throw missing('messages');
  if (!Array.isArray(messages)) throw invalidType('messages', 'an array');
  if (messages.length === 0) throw invalid('messages', 'at least one message is required');
  if (messages.length > MAX_MESSAGES) throw invalid('messages', `at most ${MAX_MESSAGES} messages are allowed`);
  if (stream !== undefined && typeof stream !== 'boolean') throw invalidType('stream', 'true or false');
  if (stops !== undefined && stops !== null && !isTexts(stops))
    throw invalidType('stop_sequences', 'an array of strings');
  if (system !== undefined && typeof system !== 'string' && !Array.isArray(system))
    throw invalidType('system', 'a string or an array of text blocks');
  checkSampling(values);
  checkMetadata(values.metadata);
  const seen: Seen = { marks: 0, urls: 0 };
  checkTools(tools, seen);
  checkToolChoice(values);
  if (Array.isArray(system))
    for (const [index, block] of system.entries()) checkSystemBlock(block, `system.${index}`, seen);
  for (const [index, message] of messages.entries()) checkMessage(message, `messages.${index}`, seen);
  if (seen.marks > MAX_CACHE_MARKS)
    throw new GatewayError(
      'unsupported_value',
      `A maximum of ${MAX_CACHE_MARKS} blocks with cache_control may be provided. Found ${seen.marks}.`,
      { param: 'cache_control' },
    );
  if (seen.urls > MAX_URLS)
    throw invalid('messages', `at most ${MAX_URLS} images and documents may be given by URL, found ${seen.urls}`);
  checkThinking(values);
  // Safe: every field that the type lists has been checked, or is passed on to a provider that validates it.
  return values as unknown as MessagesBody;
}

function checkMaxTokens(values: Fields, wanted: 'answer' | 'count'): void {
  const { max_tokens: maxTokens, stream } = values;
  if (maxTokens === undefined && wanted === 'count') return;
  if (maxTokens === undefined) throw missing('max_tokens');
  if (typeof maxTokens !== 'number' || !Number.isInteger(maxTokens)) throw invalidType('max_tokens', 'a whole number');
  if (maxTokens < 0) throw invalid('max_tokens', 'must be 0 or more');
  // max_tokens 0 generates no output: the request only writes the prompt cache, so there is nothing to stream.
  if (maxTokens === 0 && stream === true) throw invalid('max_tokens', '0 cannot be streamed');
}

/** Rejects unknown block types. Not used for the vendor's own provider, which may know newer ones. */
export function checkBlockTypes({ messages }: MessagesBody): void {
  for (const [index, { content }] of messages.entries()) {
    if (typeof content === 'string') continue;
    for (const [at, { type }] of content.entries()) {
      if (!BLOCK_TYPES.has(type))
        throw invalid(
          `messages.${index}.content.${at}`,
          `Input tag '${type.slice(0, 64)}' found using 'type' does not match any of the expected tags: ${[...BLOCK_TYPES].map((known) => `'${known}'`).join(', ')}`.slice(
            0,
            440,
          ),
        );
    }
  }
}

function checkSampling({ temperature, top_p: topP, top_k: topK }: Fields): void {
  // The vendor allows up to 1; some providers of its dialect allow up to 2.
  checkNumber('temperature', temperature, 2);
  checkNumber('top_p', topP, 1);
  if (topK === undefined || topK === null) return;
  if (typeof topK !== 'number' || !Number.isInteger(topK)) throw invalidType('top_k', 'a valid integer');
  if (topK < 0) throw invalid('top_k', 'Input should be greater than or equal to 0');
}

function checkNumber(name: string, value: unknown, max: number): void {
  if (value === undefined || value === null) return;
  if (typeof value !== 'number' || Number.isNaN(value)) throw invalidType(name, 'a valid number');
  if (value < 0) throw invalid(name, 'Input should be greater than or equal to 0');
  if (value > max) throw invalid(name, `Input should be less than or equal to ${max}`);
}

function checkMetadata(metadata: unknown): void {
  if (metadata === undefined || metadata === null) return;
  const { user_id: userId } = parseObject(metadata, 'metadata');
  if (userId !== undefined && userId !== null && typeof userId !== 'string')
    throw invalidType('metadata.user_id', 'a valid string');
}

function checkToolChoice({ tool_choice: choice, tools, mcp_servers: servers }: Fields): void {
  if (choice === undefined || choice === null) return;
  const { type, name } = parseObject(choice, 'tool_choice');
  checkRequiredText(type, 'tool_choice.type');
  if (type === 'tool') checkRequiredText(name, 'tool_choice.tool.name');
  // Only the vendor knows the tools of MCP servers.
  if ((type !== 'any' && type !== 'tool') || servers !== undefined) return;
  // Safe: `checkTools` has verified that each element is an object.
  const given = Array.isArray(tools) ? (tools as Fields[]) : [];
  if (given.length === 0) throw invalid('tool_choice', 'may only be specified while providing tools');
  if (type !== 'tool' || given.some((tool) => tool.name === name || tool.name === undefined)) return;
  throw invalid('tool_choice', `Tool '${String(name).slice(0, 128)}' not found in provided tools`);
}

/** Counters of one validation pass. */
interface Seen {
  marks: number;
  /** Images and documents by URL. */
  urls: number;
}

function checkTools(tools: unknown, seen: Seen): void {
  if (tools === undefined || tools === null) return;
  if (!Array.isArray(tools)) throw invalidType('tools', 'an array');
  const names = new Set<string>();
  for (const [index, value] of tools.entries()) {
    const path = `tools.${index}`;
    const tool = parseObject(value, path);
    if (tool.type !== undefined && tool.type !== null && typeof tool.type !== 'string')
      throw invalidType(`${path}.type`, 'a valid string');
    const isOwn = tool.type === undefined || tool.type === null || tool.type === 'custom';
    countMark(tool, seen);
    // Tools that the vendor defines have forms that only the vendor knows.
    if (!isOwn && tool.name === undefined) continue;
    if (typeof tool.name !== 'string' || !TOOL_NAME.test(tool.name))
      throw invalid(`${path}.name`, 'must match ^[a-zA-Z0-9_-]{1,128}$');
    if (names.has(tool.name)) throw invalid('tools', 'Tool names must be unique.');
    names.add(tool.name);
    if (!isOwn) continue;
    if (tool.description !== undefined && tool.description !== null && typeof tool.description !== 'string')
      throw invalidType(`${path}.custom.description`, 'a valid string');
    if (tool.input_schema === undefined) throw missing(`${path}.custom.input_schema`);
    const schema = parseObject(tool.input_schema, `${path}.custom.input_schema`);
    if (schema.type === undefined) throw missing(`${path}.custom.input_schema.type`);
    if (schema.type !== 'object') throw invalid(`${path}.custom.input_schema.type`, "Input should be 'object'");
  }
}

function checkMessage(value: unknown, path: string, seen: Seen): void {
  const { role, content } = parseObject(value, path);
  if (typeof role !== 'string' || !ROLES.includes(role))
    throw invalid(`${path}.role`, "Input should be 'user', 'assistant' or 'system'");
  if (content === undefined) throw missing(`${path}.content`);
  if (typeof content === 'string') return;
  if (!Array.isArray(content)) throw invalidType(`${path}.content`, 'a string or an array of blocks');
  for (const [index, block] of content.entries()) checkBlock(block, `${path}.content.${index}`, seen);
}

function checkSystemBlock(value: unknown, path: string, seen: Seen): void {
  checkBlock(value, path, seen);
  // Safe: `checkBlock` accepts only objects.
  if ((value as Fields).type !== 'text') throw invalid(`${path}.type`, "Input should be 'text'");
}

function checkBlock(value: unknown, path: string, seen: Seen): void {
  const block = parseObject(value, path);
  checkRequiredText(block.type, `${path}.type`);
  countMark(block, seen);
  switch (block.type) {
    case 'text':
      return checkRequiredText(block.text, `${path}.text.text`);
    case 'image':
      return checkImage(parseObject(block.source, `${path}.image.source`), `${path}.image.source`, seen);
    case 'document':
      return checkDocument(parseObject(block.source, `${path}.document.source`), `${path}.document.source`, seen);
    case 'search_result':
      checkRequiredText(block.source, `${path}.search_result.source`);
      checkRequiredText(block.title, `${path}.search_result.title`);
      return checkBlocks(block.content, `${path}.search_result.content`, seen);
    case 'tool_use':
      checkRequiredText(block.id, `${path}.tool_use.id`);
      checkRequiredText(block.name, `${path}.tool_use.name`);
      return;
    case 'tool_result':
      checkRequiredText(block.tool_use_id, `${path}.tool_result.tool_use_id`);
      if (block.content !== undefined && typeof block.content !== 'string')
        checkBlocks(block.content, `${path}.tool_result.content`, seen);
      return;
    case 'thinking':
      if (typeof block.thinking !== 'string') throw invalidType(`${path}.thinking.thinking`, 'a string');
      if (block.signature !== undefined && block.signature !== null && typeof block.signature !== 'string')
        throw invalidType(`${path}.thinking.signature`, 'a valid string');
  }
}

function checkBlocks(value: unknown, path: string, seen: Seen): void {
  if (!Array.isArray(value)) throw invalidType(path, 'a string or an array of blocks');
  for (const [index, block] of value.entries()) checkBlock(block, `${path}.${index}`, seen);
}

function checkUrl({ url }: Fields, path: string, seen: Seen): void {
  checkRequiredText(url, `${path}.url.url`);
  seen.urls += 1;
}

function checkDocument(source: Fields, path: string, seen: Seen): void {
  checkRequiredText(source.type, `${path}.type`);
  if (source.type === 'url') return checkUrl(source, path, seen);
  if (source.type === 'content' && typeof source.content !== 'string')
    checkBlocks(source.content, `${path}.content`, seen);
  if ((source.type === 'base64' || source.type === 'text') && typeof source.data !== 'string')
    throw invalidType(`${path}.${source.type}.data`, 'a valid string');
}

function checkImage(source: Fields, path: string, seen: Seen): void {
  checkRequiredText(source.type, `${path}.type`);
  if (source.type === 'url') return checkUrl(source, path, seen);
  if (source.type !== 'base64') return;
  if (typeof source.data !== 'string') throw invalidType(`${path}.data`, 'a string in base64');
  if (typeof source.media_type !== 'string' || !IMAGE_TYPES.includes(source.media_type)) {
    throw invalid(
      `${path}.base64.media_type`,
      `Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'`,
    );
  }
}

function checkThinking({ thinking, max_tokens: maxTokens }: Fields): void {
  if (thinking === undefined || thinking === null) return;
  const { type, budget_tokens: budget } = parseObject(thinking, 'thinking');
  checkRequiredText(type, 'thinking.type');
  if (budget === undefined || type !== 'enabled') return;
  if (typeof budget !== 'number' || !Number.isInteger(budget))
    throw invalidType('thinking.enabled.budget_tokens', 'a whole number');
  if (budget < 1024) throw invalid('thinking.enabled.budget_tokens', 'Input should be greater than or equal to 1024');
  if (typeof maxTokens === 'number' && budget >= maxTokens)
    throw new GatewayError('unsupported_value', '`max_tokens` must be greater than `thinking.budget_tokens`.', {
      param: 'thinking.budget_tokens',
    });
}

function countMark(fields: Fields, seen: Seen): void {
  if (typeof fields.cache_control === 'object' && fields.cache_control !== null) seen.marks += 1;
}

function parseObject(value: unknown, path: string): Fields {
  if (!isObject(value)) throw invalidType(path, 'an object');
  return value;
}

function checkRequiredText(value: unknown, path: string): asserts value is string {
  if (value === undefined) throw missing(path);
  if (typeof value !== 'string') throw invalidType(path, 'a valid string');
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
