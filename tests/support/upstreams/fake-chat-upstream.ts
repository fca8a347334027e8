import { startFakeUpstream, type FakeReply, type FakeUpstream, type ReceivedRequest } from './fake-upstream';

// A fake of a chat completions API: strict about its input, with the deviations of many vendors in its output.

export interface FakeChatUpstream extends FakeUpstream {
  readonly apiKey: string;
}

export interface ChatQuirks {
  /** Refuses images. */
  readonly noPictures?: boolean;
  /** Requires a non-empty `reasoning_content` in turns that call tools. */
  readonly replay?: boolean;
  /** Requires content to be a string. */
  readonly noArrays?: boolean;
}

export async function startFakeChatUpstream(quirks: ChatQuirks = {}, apiKey = 'fake-key'): Promise<FakeChatUpstream> {
  const upstream = await startFakeUpstream((request) => answer(request, quirks, apiKey));
  return { ...upstream, apiKey };
}

type Fields = Record<string, unknown>;

const taken = new Set([
  'model',
  'messages',
  'max_tokens',
  'max_completion_tokens',
  'stream',
  'stream_options',
  'stop',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'temperature',
  'top_p',
  'top_k',
  'response_format',
  'reasoning_effort',
  'thinking',
  'user',
]);

function answer(request: ReceivedRequest, quirks: ChatQuirks, apiKey: string): FakeReply {
  const { headers, body, scenario } = request;
  if (headers.authorization !== `Bearer ${apiKey}` || headers['x-api-key'] !== undefined)
    return refusal(401, 'invalid_api_key', 'Incorrect API key provided.');
  if (request.path !== '/v1/chat/completions')
    return { kind: 'body', status: 404, body: 'Not Found', headers: { 'content-type': 'text/plain' } };
  const error = body ? requestError(body, quirks) : 'We could not parse the JSON body of your request.';
  if (error !== undefined) return refusal(400, 'invalid_request_error', error);
  const failure = failures[scenario.name];
  if (failure) return failure;
  const script = chatScripts[scenario.name];
  if (!script) throw new Error(`The fake chat upstream has no scenario "${scenario.name}".`);
  return { kind: 'frames', frames: script() };
}

function requestError(body: Fields, quirks: ChatQuirks): string | undefined {
  const unknown = Object.keys(body).find((name) => !taken.has(name));
  if (unknown !== undefined) return `Unrecognized request argument supplied: ${unknown}`;
  if (body.max_tokens !== undefined && body.max_completion_tokens !== undefined)
    return 'max_tokens and max_completion_tokens cannot be used together';
  if (body.tool_choice !== undefined && !(body.tools as unknown[] | undefined)?.length)
    return "'tool_choice' is only allowed when 'tools' are specified";
  if (Array.isArray(body.stop) && body.stop.length > 4) return "Invalid 'stop': array too long";
  for (const tool of (body.tools ?? []) as { function: Fields }[]) {
    if (!/^[a-zA-Z0-9_-]{1,64}$/.test(String(tool.function.name))) return "Invalid 'tools[0].function.name'";
    const parameters = tool.function.parameters as Fields;
    if (parameters.type !== 'object' || parameters.properties === undefined || '$schema' in parameters)
      return 'Invalid schema for function';
  }
  let open: string[] = [];
  for (const message of body.messages as Fields[]) {
    if (message.role === 'tool') {
      if (typeof message.content !== 'string') return 'Invalid tool content';
      if (!open.includes(String(message.tool_call_id)))
        return "messages with role 'tool' must be a response to a preceding message with 'tool_calls'";
      open = open.filter((id) => id !== message.tool_call_id);
      continue;
    }
    if (open.length > 0)
      return `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id': ${open.join(', ')}`;
    if (Array.isArray(message.content)) {
      if (quirks.noArrays) return 'content must be a string';
      if (quirks.noPictures && message.content.some(({ type }: Fields) => type === 'image_url'))
        return 'This model does not support image input';
    }
    if (message.role !== 'assistant') continue;
    const calls = (message.tool_calls ?? []) as { id: string; function: Fields }[];
    if (calls.length === 0 && !message.content) return 'assistant content must not be empty';
    if (calls.length > 0 && message.content === '') return 'content must be null when there are tool calls and no text';
    if (
      calls.some(
        (call) =>
          typeof call.function.arguments !== 'string' || !/^[a-zA-Z0-9_-]{1,64}$/.test(String(call.function.name)),
      )
    )
      return 'Invalid tool call';
    const isThinking = (body.thinking as Fields | undefined)?.type !== 'disabled';
    if (quirks.replay && isThinking && calls.length > 0 && !message.reasoning_content)
      return 'thinking is enabled but reasoning_content is missing in assistant tool call message';
    open = calls.map(({ id }) => id);
  }
  return open.length > 0 ? 'Unanswered tool calls at the end' : undefined;
}

function refusal(
  status: number,
  code: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): FakeReply {
  return { kind: 'body', status, body: JSON.stringify({ error: { message, type: code, param: null, code } }), headers };
}

const failures: Readonly<Record<string, FakeReply>> = {
  quota: refusal(
    429,
    'insufficient_quota',
    'You exceeded your current quota, please check your plan and billing details.',
  ),
  'rate-limit': refusal(429, 'rate_limit_exceeded', 'Rate limit reached.', { 'retry-after': '1' }),
  overloaded: refusal(503, 'overloaded_error', 'The engine is currently overloaded.'),
  'context-length': refusal(
    400,
    'context_length_exceeded',
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
  ),
  'content-filter': refusal(400, 'content_filter', 'The request was considered high risk.'),
  hang: { kind: 'hang' },
  'limit-in-ok': { kind: 'body', status: 200, body: JSON.stringify({ error: { message: 'Slow down.', code: 429 } }) },
  'json-body': {
    kind: 'body',
    status: 200,
    body: JSON.stringify({
      id: 'c1',
      object: 'chat.completion',
      choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
    }),
  },
};

export const data = (value: unknown): string =>
  `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`;

export function chunk(
  delta: Fields,
  more: { finish?: string | null; usage?: unknown; choiceUsage?: unknown } = {},
): string {
  return data({
    id: 'c1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [
      {
        index: 0,
        delta,
        finish_reason: more.finish ?? null,
        ...(more.choiceUsage !== undefined && { usage: more.choiceUsage }),
      },
    ],
    ...(more.usage !== undefined && { usage: more.usage }),
  });
}

const usage = {
  prompt_tokens: 100,
  completion_tokens: 7,
  total_tokens: 107,
  prompt_tokens_details: { cached_tokens: 60 },
  completion_tokens_details: { reasoning_tokens: 0 },
};
const usageChunk = (value: unknown = usage) =>
  data({ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [], usage: value });
const tail = (finish: string) => [chunk({}, { finish }), usageChunk(), data('[DONE]')];
const call = (index: number | undefined, id: string | undefined, name: string | undefined, args: unknown) => ({
  tool_calls: [
    {
      ...(index !== undefined && { index }),
      ...(id !== undefined && { id, type: 'function' }),
      function: { ...(name !== undefined && { name }), ...(args !== undefined && { arguments: args }) },
    },
  ],
});

/** The stream of each deviation. */
export const chatScripts: Readonly<Record<string, () => string[]>> = {
  text: () => [
    chunk({ role: 'assistant', content: '' }),
    chunk({ content: 'Hello' }),
    chunk({ content: ' wörld 😀' }),
    ...tail('stop'),
  ],
  'content-null': () => [
    chunk({ role: 'assistant', content: null }),
    chunk({ content: 'Hello' }),
    chunk({ content: ' wörld 😀' }),
    ...tail('stop'),
  ],
  tool: () => [
    chunk({ role: 'assistant', content: null, ...call(0, 'call_a', 'f', '') }),
    chunk(call(0, undefined, undefined, '{"a":')),
    chunk(call(0, undefined, undefined, '1}')),
    ...tail('tool_calls'),
  ],
  'text-then-tool': () => [
    chunk({ role: 'assistant', content: 'I will look.' }),
    chunk(call(0, 'call_a', 'f', '{"a":1}')),
    ...tail('tool_calls'),
  ],
  'one-chunk-tool': () => [chunk({ role: 'assistant', ...call(0, 'call_a', 'f', '{"a":1}') }), ...tail('tool_calls')],
  'parallel-tools': () => [
    chunk({ role: 'assistant', content: null, ...call(0, 'call_a', 'f', '') }),
    chunk(call(1, 'call_b', 'g', '')),
    chunk(call(1, undefined, undefined, '{"b":')),
    chunk(call(0, undefined, undefined, '{"a":1')),
    chunk(call(1, undefined, undefined, '2}')),
    chunk(call(0, undefined, undefined, '}')),
    ...tail('tool_calls'),
  ],
  'no-index': () => [
    chunk(call(undefined, 'call_a', 'f', '{"a"')),
    chunk(call(undefined, undefined, undefined, ':1}')),
    chunk(call(undefined, 'call_b', 'g', '{"b":2}')),
    ...tail('tool_calls'),
  ],
  'index-zero': () => [
    chunk(call(0, 'call_a', 'f', '{"a":1}')),
    chunk(call(0, 'call_b', 'g', '{"b":')),
    chunk(call(0, 'call_b', undefined, '2}')),
    ...tail('tool_calls'),
  ],
  'index-from-one': () => [
    chunk(call(1, 'call_a', 'f', '{"a":1}')),
    chunk(call(5, 'call_b', 'g', '{"b":2}')),
    ...tail('tool_calls'),
  ],
  'id-repeated': () => [
    chunk(call(0, 'call_a', 'f', '{"a"')),
    chunk(call(0, 'call_a', 'f', ':1}')),
    chunk(call(1, 'call_b', 'g', '{"b":2}')),
    ...tail('tool_calls'),
  ],
  'name-late': () => [
    chunk(call(0, 'call_a', undefined, '{"a"')),
    chunk(call(0, undefined, 'f', ':1}')),
    ...tail('tool_calls'),
  ],
  'object-arguments': () => [chunk(call(0, 'call_a', 'f', { a: 1 })), ...tail('tool_calls')],
  'double-encoded': () => [chunk(call(0, 'call_a', 'f', JSON.stringify('{"a":1}'))), ...tail('tool_calls')],
  'zero-args': () => [chunk(call(0, 'call_a', 'f', '')), ...tail('tool_calls')],
  'null-args': () => [chunk(call(0, 'call_a', 'f', 'null')), ...tail('tool_calls')],
  'stop-after-tool': () => [chunk(call(0, 'call_a', 'f', '{"a":1}')), ...tail('stop')],
  'odd-id': () => [chunk(call(0, 'functions.f:0', 'f', '{"a":1}')), ...tail('tool_calls')],
  'function-call': () => [
    chunk({ role: 'assistant', function_call: { name: 'f', arguments: '{"a":' } }),
    chunk({ function_call: { arguments: '1}' } }),
    ...tail('function_call'),
  ],
  'reasoning-content': () => [
    chunk({ role: 'assistant', reasoning_content: 'Let me ' }),
    chunk({ reasoning_content: 'think.' }),
    chunk({ content: 'Done.' }),
    ...tail('stop'),
  ],
  reasoning: () => [chunk({ reasoning: 'Let me think.' }), chunk({ content: 'Done.' }), ...tail('stop')],
  'reasoning-inline': () => [
    chunk({ content: '<thi' }),
    chunk({ content: 'nk>Let me think.</' }),
    chunk({ content: 'think>\n\nDone.' }),
    ...tail('stop'),
  ],
  'reasoning-only': () => [chunk({ reasoning_content: 'Let me think.' }), ...tail('length')],
  'reasoning-interleaved': () => [
    chunk({ reasoning_content: 'One.' }),
    chunk({ content: 'A' }),
    chunk({ reasoning_content: 'Two.' }),
    chunk({ content: 'B' }),
    ...tail('stop'),
  ],
  'reasoning-tool': () => [
    chunk({ reasoning_content: 'I need f.' }),
    chunk(call(0, 'call_a', 'f', '{"a":1}')),
    ...tail('tool_calls'),
  ],
  'usage-everywhere': () => [
    chunk({ content: 'Hello' }, { usage: { prompt_tokens: 100, completion_tokens: 1, total_tokens: 101 } }),
    chunk({}, { finish: 'stop', usage }),
    data('[DONE]'),
  ],
  'usage-in-choice': () => [
    chunk({ content: 'Hello' }),
    chunk({}, { finish: 'stop', choiceUsage: usage }),
    data('[DONE]'),
  ],
  'usage-none': () => [chunk({ content: 'Hello there' }), chunk({}, { finish: 'stop' }), data('[DONE]')],
  'usage-cache-hit': () => [
    chunk({ content: 'Hello' }),
    chunk({}, { finish: 'stop' }),
    usageChunk({
      prompt_tokens: 100,
      completion_tokens: 7,
      total_tokens: 107,
      prompt_cache_hit_tokens: 60,
      prompt_cache_miss_tokens: 40,
    }),
    data('[DONE]'),
  ],
  'usage-beyond': () => [
    chunk({ content: 'Hello' }),
    chunk({}, { finish: 'stop' }),
    usageChunk({
      prompt_tokens: 100,
      completion_tokens: 7,
      total_tokens: 130,
      completion_tokens_details: { reasoning_tokens: 23 },
    }),
    data('[DONE]'),
  ],
  'no-done': () => [chunk({ content: 'Hello' }), chunk({}, { finish: 'stop' }), usageChunk()],
  comments: () => [
    ': OPENROUTER PROCESSING\n\n',
    chunk({ content: 'Hello' }),
    ': OPENROUTER PROCESSING\n\n',
    ...tail('stop'),
  ],
  length: () => [chunk({ content: 'Hello' }), ...tail('length')],
  filtered: () => [chunk({ content: 'Hello' }), ...tail('content_filter')],
  refusal: () => [chunk({ refusal: 'I cannot do that.' }), ...tail('stop')],
  empty: () => [chunk({ role: 'assistant', content: '' }), ...tail('stop')],
  'gave-up': () => [chunk({ content: 'Hello' }), chunk({}, { finish: 'insufficient_system_resource' }), data('[DONE]')],
  'error-line': () => [chunk({ content: 'Hello' }), data({ error: { message: 'Rate limit', code: 429 } })],
  'error-first': () => [data({ error: { message: 'The server is overloaded.', type: 'server_overloaded' } })],
  cut: () => [chunk({ content: 'Hello' })],
  long: () => [...Array.from({ length: 1_500 }, (_, index) => chunk({ content: `word${index} ` })), ...tail('stop')],
};
