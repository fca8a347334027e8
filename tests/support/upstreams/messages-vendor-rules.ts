import type { ReceivedRequest } from './fake-upstream';

// The requests that the vendor refuses, with its error messages. They reveal errors of the gateway: a wrong credential,
// a repeated header, too many cache markers, a thinking block of another provider.

export interface VendorError {
  readonly status: number;
  readonly type: string;
  readonly message: string;
}

type Fields = Record<string, unknown>;

const fields = new Set([
  'model',
  'messages',
  'max_tokens',
  'system',
  'stop_sequences',
  'stream',
  'temperature',
  'top_p',
  'top_k',
  'tools',
  'tool_choice',
  'thinking',
  'output_config',
  'metadata',
  'service_tier',
  'speed',
  'cache_control',
  'container',
  'inference_geo',
  'diagnostics',
]);
const betaFields: Readonly<Record<string, string>> = {
  context_management: 'context-management',
  mcp_servers: 'mcp-client',
  output_format: 'structured-outputs',
};
const uncounted = [
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
const versions = ['2023-06-01', '2026-10-21'];

/** What a model with that name refuses; other names accept everything. */
const strictModels: Readonly<
  Record<string, { sampling?: false; forcedTools?: false; budget?: false; disabled?: false }>
> = {
  'claude-opus-5-5': { sampling: false, forcedTools: false, budget: false, disabled: false },
  'claude-sonnet-5-5': { sampling: false, forcedTools: false, budget: false, disabled: false },
  'claude-opus-4-8': { sampling: false, budget: false },
};

const blockTypes = new Set([
  'bash_code_execution_tool_result',
  'code_execution_tool_result',
  'connector_text',
  'container_upload',
  'document',
  'image',
  'mid_conv_system',
  'redacted_thinking',
  'search_result',
  'server_tool_use',
  'text',
  'text_editor_code_execution_tool_result',
  'thinking',
  'tool_result',
  'tool_search_tool_result',
  'tool_use',
  'web_fetch_tool_result',
  'web_search_tool_result',
]);

export function findVendorError(request: ReceivedRequest, apiKey: string): VendorError | undefined {
  const { headers, body } = request;
  const bearer = headers.authorization?.replace(/^Bearer /, '');
  const key = headers['x-api-key'];
  const credentials = [key, bearer].filter((value) => value !== undefined);
  if (credentials.length !== 1 || credentials[0] !== apiKey) {
    return {
      status: 401,
      type: 'authentication_error',
      message: bearer === undefined ? 'invalid x-api-key' : 'Invalid bearer token',
    };
  }
  const version = headers['anthropic-version'];
  if (typeof version !== 'string' || !versions.includes(version))
    return bad(`anthropic-version: "${String(version)}" is not a valid version`);
  if (!body) return bad('The request body is not valid JSON');
  const betas = String(headers['anthropic-beta'] ?? '');
  for (const name of Object.keys(body)) {
    const beta = betaFields[name];
    if (!fields.has(name) && !(beta !== undefined && betas.includes(beta)))
      return bad(`${name}: Extra inputs are not permitted`);
  }
  return request.path.endsWith('/count_tokens')
    ? (countError(body) ?? historyError(body))
    : (messageError(body, version) ?? historyError(body));
}

function bad(message: string): VendorError {
  return { status: 400, type: 'invalid_request_error', message };
}

function countError(body: Fields): VendorError | undefined {
  const extra = uncounted.find((name) => name in body);
  return extra === undefined ? undefined : bad(`${extra}: Extra inputs are not permitted`);
}

function messageError(body: Fields, version: string): VendorError | undefined {
  if (typeof body.max_tokens !== 'number') return bad('max_tokens: Field required');
  const strict = strictModels[String(body.model)] ?? {};
  const sampling = ['temperature', 'top_p', 'top_k'].find((name) => name in body);
  if (sampling !== undefined && (strict.sampling === false || version === '2026-10-21'))
    return bad(`${sampling}: this model does not take sampling parameters`);
  const choice = (body.tool_choice as Fields | undefined)?.type;
  if (strict.forcedTools === false && (choice === 'any' || choice === 'tool'))
    return bad('tool_choice: forcing tool use is not compatible with this model');
  const thinking = (body.thinking as Fields | undefined)?.type;
  if (strict.budget === false && thinking === 'enabled')
    return bad('thinking.type: "enabled" is not supported on this model');
  if (strict.disabled === false && thinking === 'disabled')
    return bad('thinking.type: "disabled" is not supported on this model');
  return undefined;
}

function historyError(body: Fields): VendorError | undefined {
  const messages = body.messages as Fields[];
  if (!Array.isArray(messages) || messages.length === 0) return bad('messages: at least one message is required');
  const marks = countMarks(body);
  if (marks > 4) return bad(`A maximum of 4 blocks with cache_control may be provided. Found ${marks}.`);
  for (const [index, tool] of ((body.tools ?? []) as Fields[]).entries()) {
    if (!/^[a-zA-Z0-9_-]{1,128}$/.test(String(tool.name)))
      return bad(`tools.${index}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`);
    if (tool.input_schema !== undefined && (tool.input_schema as Fields).type === undefined)
      return bad(`tools.${index}.custom.input_schema.type: Field required`);
  }
  let open: string[] = [];
  for (const [at, message] of messages.entries()) {
    if (message.role !== 'user' && message.role !== 'assistant' && message.role !== 'system')
      return bad(`messages.${at}.role: Input should be 'user' or 'assistant'`);
    const blocks =
      typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : (message.content as Fields[]);
    for (const [index, block] of blocks.entries()) {
      const error = blockError(block, `messages.${at}.content.${index}`, open);
      if (error) return error;
    }
    const answered = blocks.filter((block) => block.type === 'tool_result').map((block) => String(block.tool_use_id));
    const missing = open.filter((id) => !answered.includes(id));
    if (missing.length > 0) {
      return bad(
        `messages.${at - 1}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
      );
    }
    open =
      message.role === 'assistant'
        ? blocks.filter((block) => block.type === 'tool_use').map((block) => String(block.id))
        : [];
  }
  return undefined;
}

function blockError(block: Fields, path: string, open: readonly string[]): VendorError | undefined {
  const type = String(block.type);
  if (!blockTypes.has(type))
    return bad(`${path}: Input tag '${type}' found using 'type' does not match any of the expected tags`);
  if (type === 'text' && block.text === '')
    return bad(
      block.cache_control
        ? 'cache_control cannot be set for empty text blocks'
        : 'messages: text content blocks must be non-empty',
    );
  if ((type === 'thinking' || type === 'redacted_thinking') && block.cache_control !== undefined)
    return bad(`${path}.${type}.cache_control: Extra inputs are not permitted`);
  if (type === 'thinking' && !String(block.signature).startsWith('FAKESIG:'))
    return bad(`${path}: Invalid \`signature\` in \`thinking\` block`);
  if (type === 'tool_use' && !/^[a-zA-Z0-9_-]+$/.test(String(block.id)))
    return bad(`${path}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`);
  if (type === 'tool_result') {
    const id = String(block.tool_use_id);
    if (!open.includes(id)) {
      return bad(
        `${path}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
      );
    }
    const content = Array.isArray(block.content) ? (block.content as Fields[]) : [];
    if (block.is_error === true && content.some((part) => part.type !== 'text'))
      return bad('all content must be type "text" if `is_error` is true');
  }
  return undefined;
}

function countMarks(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + countMarks(item), 0);
  if (typeof value !== 'object' || value === null) return 0;
  return Object.entries(value).reduce(
    (sum, [name, inner]) =>
      sum + (name === 'cache_control' && inner ? 1 : name === 'input_schema' ? 0 : countMarks(inner)),
    0,
  );
}
