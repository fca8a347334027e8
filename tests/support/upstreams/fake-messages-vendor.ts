import { findVendorError } from './messages-vendor-rules';
import { startFakeUpstream, type FakeReply, type FakeUpstream, type ReceivedRequest } from './fake-upstream';
import {
  blockDelta,
  blockStart,
  blockStop,
  frame,
  messageDelta,
  messageStart,
  messageStop,
  pingFrame,
  textBlock,
  thinkingBlock,
  toolBlock,
  vendorError,
  type WireEvent,
} from './message-frames';

// A fake of the vendor of the messages API: strict about its input like the real one, and exact in its output.

export interface FakeMessagesVendor extends FakeUpstream {
  /** The only credential that it accepts. */
  readonly apiKey: string;
}

export async function startFakeMessagesVendor(apiKey = 'fake-key'): Promise<FakeMessagesVendor> {
  const upstream = await startFakeUpstream((request) => answer(request, apiKey));
  return { ...upstream, apiKey };
}

const headers = {
  'request-id': 'req_011CdJQWZEDL9DigznyuKLcx',
  'anthropic-ratelimit-requests-limit': '4000',
  'anthropic-ratelimit-requests-remaining': '3999',
  'anthropic-ratelimit-requests-reset': '2026-11-21T12:00:00Z',
};

function answer(request: ReceivedRequest, apiKey: string): FakeReply {
  const error = findVendorError(request, apiKey);
  if (error) return { kind: 'body', status: error.status, body: vendorError(error.type, error.message), headers };
  const failure = failures[request.scenario.name];
  if (failure) return failure();
  if (request.path.endsWith('/count_tokens'))
    return { kind: 'body', status: 200, body: JSON.stringify({ input_tokens: countOf(request) }), headers };

  const events = eventsOf(request);
  if (request.body?.stream !== true) {
    // A non-streaming client waits just as long, and receives an error as a status.
    const { delay, errorAt } = request.scenario.options;
    if (errorAt !== undefined) return refused(529, 'overloaded_error', 'Overloaded');
    return {
      kind: 'body',
      status: 200,
      body: JSON.stringify(collected(events)),
      headers,
      ...(delay !== undefined && { afterMs: Number(delay) * events.length }),
    };
  }
  if (request.scenario.name === 'json-body')
    return { kind: 'body', status: 200, body: JSON.stringify(collected(events)), headers };
  const { options } = request.scenario;
  const frames = events.flatMap((event, index) => {
    const written = frame(event, { pad: options.pad !== undefined });
    return options.pings !== undefined && index % 2 === 0 ? [written, pingFrame] : [written];
  });
  if (options.errorAt !== undefined) {
    frames.splice(
      Number(options.errorAt),
      Infinity,
      `event: error\ndata: ${vendorError('overloaded_error', 'Overloaded')}\n\n`,
    );
  }
  return { kind: 'frames', frames, headers };
}

/** A rough estimate of the vendor's count: one token per four bytes. */
function countOf({ body }: ReceivedRequest): number {
  const { messages, system, tools } = body ?? {};
  return Math.ceil(Buffer.byteLength(JSON.stringify({ messages, system, tools })) / 4);
}

const failures: Readonly<Record<string, () => FakeReply>> = {
  'rate-limit-seconds': () =>
    refused(429, 'rate_limit_error', 'This request would exceed your rate limit.', { 'retry-after': '7' }),
  'rate-limit-date': () =>
    refused(429, 'rate_limit_error', 'This request would exceed your rate limit.', {
      'retry-after': new Date(Date.now() + 9_000).toUTCString(),
    }),
  'spend-cap': () => ({
    kind: 'body',
    status: 429,
    body: vendorError('rate_limit_error', 'Your organization has reached its spend limit.', {
      error_code: 'enforced_spend_limit_reached',
    }),
    headers,
  }),
  overloaded: () => refused(529, 'overloaded_error', 'Overloaded'),
  'server-error': () => ({
    kind: 'body',
    status: 500,
    body: '<html><body>Internal Server Error</body></html>',
    headers: { 'content-type': 'text/html' },
  }),
  unavailable: () => ({ kind: 'body', status: 503, body: '', headers: { 'content-type': 'text/plain' } }),
  'gateway-timeout': () => ({
    kind: 'body',
    status: 504,
    body: vendorError('timeout_error', 'Request timed out.'),
    headers,
    afterMs: 300,
  }),
  'too-large': () => ({
    kind: 'body',
    status: 413,
    body: 'Payload Too Large',
    headers: { 'content-type': 'text/plain' },
  }),
  unauthorized: () => refused(401, 'authentication_error', 'invalid x-api-key'),
  billing: () => refused(402, 'billing_error', 'Your credit balance is too low to access the Anthropic API.'),
  'billing-legacy': () =>
    refused(
      400,
      'invalid_request_error',
      'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing.',
    ),
  forbidden: () =>
    refused(403, 'permission_error', 'Your API key does not have permission to use the specified resource.'),
  'unknown-model': () => refused(404, 'not_found_error', 'model: claude-nobody'),
  'too-long': () => refused(400, 'invalid_request_error', 'prompt is too long: 205000 tokens > 200000 maximum'),
  hang: () => ({ kind: 'hang' }),
  reset: () => ({ kind: 'reset' }),
  'html-ok': () => ({
    kind: 'body',
    status: 200,
    body: '<html>Welcome</html>',
    headers: { 'content-type': 'text/html' },
  }),
};

function refused(
  status: number,
  type: string,
  message: string,
  more: Readonly<Record<string, string>> = {},
): FakeReply {
  return { kind: 'body', status, body: vendorError(type, message), headers: { ...headers, ...more } };
}

/** A thinking block that this vendor accepts back: it verifies the beginning of the signature. */
export const vendorSignature = 'FAKESIG:EqQBCgIYAhIM1gbcDa9GJwZA2b3h';

function eventsOf(request: ReceivedRequest): WireEvent[] {
  const model = String(request.body?.model);
  const script = scripts[request.scenario.name];
  if (!script) throw new Error(`The fake vendor has no scenario "${request.scenario.name}".`);
  return script(messageStart({ model }), request);
}

/** Each scenario's events. Exported for tests of the normalizer, for which these streams define the order. */
export const scripts: Readonly<Record<string, (start: WireEvent, request?: ReceivedRequest) => WireEvent[]>> = {
  text: (start) => [start, ...textBlock(0, ['Hello', ' wörld', ' 😀', '!']), messageDelta('end_turn'), messageStop],
  long: (start, request) => {
    const count = Number(request?.scenario.options.count ?? 200);
    const pieces = Array.from({ length: count }, (_, index) => `word${index} `);
    return [start, ...textBlock(0, pieces), messageDelta('end_turn', { usage: { output_tokens: count } }), messageStop];
  },
  citations: (start) => [
    start,
    ...textBlock(0, ['As the report says, ']),
    blockStart(1, { type: 'text', text: '', citations: [] }),
    blockDelta(1, {
      type: 'citations_delta',
      citation: {
        type: 'char_location',
        cited_text: 'grass',
        document_index: 0,
        document_title: 'T',
        start_char_index: 0,
        end_char_index: 5,
      },
    }),
    blockDelta(1, { type: 'text_delta', text: 'the grass is green.' }),
    blockStop(1),
    messageDelta('end_turn'),
    messageStop,
  ],
  tool: (start) => [
    start,
    ...textBlock(0, ['I will look.']),
    ...toolBlock(1, 'toolu_01A09q90qw90lq917835lq9', 'get_weather', [
      '{"city": "M',
      'ünch',
      'en \\u00',
      'e9", "days"',
      ': 3}',
    ]),
    messageDelta('tool_use', { stopDetails: null }),
    messageStop,
  ],
  'zero-args': (start) => [
    start,
    ...toolBlock(0, 'toolu_01zero', 'list_files', []),
    messageDelta('tool_use'),
    messageStop,
  ],
  'parallel-tools': (start) => [
    start,
    ...toolBlock(0, 'toolu_01a', 'get_weather', ['{"city":', '"Oslo"}']),
    ...toolBlock(1, 'toolu_01b', 'get_weather', ['{"city":"Rome"', '}']),
    messageDelta('tool_use'),
    messageStop,
  ],
  thinking: (start) => [
    start,
    ...thinkingBlock(0, ['Let me ', 'think.'], vendorSignature),
    ...textBlock(1, ['Done.']),
    messageDelta('end_turn'),
    messageStop,
  ],
  'thinking-tool': (start) => [
    start,
    ...thinkingBlock(0, ['I need the weather.'], vendorSignature),
    ...toolBlock(1, 'toolu_01t', 'get_weather', ['{"city":"Oslo"}']),
    messageDelta('tool_use'),
    messageStop,
  ],
  'thinking-omitted': (start) => [
    start,
    ...thinkingBlock(0, [], vendorSignature),
    ...textBlock(1, ['Done.']),
    messageDelta('end_turn'),
    messageStop,
  ],
  'redacted-thinking': (start) => [
    start,
    blockStart(0, { type: 'redacted_thinking', data: 'FAKESIG:EmwKAhgBEgy3va3pzix' }),
    blockStop(0),
    ...textBlock(1, ['Done.']),
    messageDelta('end_turn'),
    messageStop,
  ],
  'web-search': (start) => [
    start,
    ...toolBlock(0, 'srvtoolu_01s', 'web_search', ['{"query": "weather"}'], 'server_tool_use'),
    blockStart(1, {
      type: 'web_search_tool_result',
      tool_use_id: 'srvtoolu_01s',
      content: [
        {
          type: 'web_search_result',
          url: 'https://example.com',
          title: 'Weather',
          encrypted_content: 'FAKE',
          page_age: null,
        },
      ],
    }),
    blockStop(1),
    blockStart(2, { type: 'text', text: '', citations: [] }),
    blockDelta(2, {
      type: 'citations_delta',
      citation: {
        type: 'web_search_result_location',
        cited_text: 'sun',
        encrypted_index: 'FAKE',
        title: 'Weather',
        url: 'https://example.com',
      },
    }),
    blockDelta(2, { type: 'text_delta', text: 'Sunny.' }),
    blockStop(2),
    messageDelta('end_turn', {
      usage: {
        input_tokens: 2_037,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
        output_tokens: 44,
        server_tool_use: { web_search_requests: 1 },
      },
    }),
    messageStop,
  ],
  refusal: (start) => [
    start,
    messageDelta('refusal', {
      stopDetails: { type: 'refusal', category: 'cyber', explanation: null },
      usage: { input_tokens: 12, output_tokens: 1 },
    }),
    messageStop,
  ],
  'refusal-mid': (start) => [
    start,
    ...textBlock(0, ['I can']),
    messageDelta('refusal', { stopDetails: { type: 'refusal', category: null, explanation: null } }),
    messageStop,
  ],
  'max-tokens-mid-tool': (start) => [
    start,
    blockStart(0, { type: 'tool_use', id: 'toolu_01cut', name: 'write_file', input: {} }),
    blockDelta(0, { type: 'input_json_delta', partial_json: '' }),
    blockDelta(0, { type: 'input_json_delta', partial_json: '{"path":"a.txt","text":"once upon' }),
    blockStop(0),
    messageDelta('max_tokens'),
    messageStop,
  ],
  'stop-sequence': (start) => [
    start,
    ...textBlock(0, ['one two ']),
    messageDelta('stop_sequence', { stopSequence: 'END' }),
    messageStop,
  ],
  'pause-turn': (start) => [start, ...textBlock(0, ['Searching']), messageDelta('pause_turn'), messageStop],
  'context-exceeded': (start) => [
    start,
    ...textBlock(0, ['A long']),
    messageDelta('model_context_window_exceeded'),
    messageStop,
  ],
  prepopulated: (start) => [
    {
      ...start,
      message: {
        ...(start.message as object),
        content: [
          {
            type: 'tool_use',
            id: 'toolu_01pre',
            name: 'get_weather',
            input: { city: 'Oslo' },
            caller: { type: 'code_execution_20260120', tool_id: 'srvtoolu_01c' },
          },
        ],
        stop_reason: 'tool_use',
      },
    },
    messageStop,
  ],
  'two-deltas': (start) => [
    start,
    ...textBlock(0, ['Hi']),
    { type: 'message_delta', delta: { stop_reason: null, stop_sequence: null }, usage: { output_tokens: 3 } },
    messageDelta('end_turn', { usage: { input_tokens: 12, output_tokens: 5 } }),
    messageStop,
  ],
  'input-corrected': (start) => [
    start,
    ...textBlock(0, ['Hi']),
    messageDelta('end_turn', {
      usage: { input_tokens: 61, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 5 },
    }),
    messageStop,
  ],
  cached: (start) => {
    const usage = {
      input_tokens: 40,
      cache_creation_input_tokens: 500,
      cache_read_input_tokens: 6_000,
      cache_creation: { ephemeral_5m_input_tokens: 300, ephemeral_1h_input_tokens: 200 },
      output_tokens: 1,
    };
    return [
      { ...start, message: { ...(start.message as object), usage } },
      ...textBlock(0, ['Hi']),
      messageDelta('end_turn', { usage: { ...usage, output_tokens: 25 } }),
      messageStop,
    ];
  },
  // The total arrives before the stop reason.
  reported: (start) => {
    const usage = {
      input_tokens: 40,
      cache_creation_input_tokens: 500,
      cache_read_input_tokens: 6_000,
      cache_creation: { ephemeral_5m_input_tokens: 300, ephemeral_1h_input_tokens: 200 },
      output_tokens: 25,
    };
    return [
      start,
      blockStart(0, { type: 'text', text: '' }),
      blockDelta(0, { type: 'text_delta', text: 'Hi' }),
      blockStop(0),
      { type: 'message_delta', delta: { stop_reason: null, stop_sequence: null }, usage },
      messageDelta('end_turn', { usage }),
      messageStop,
    ];
  },
  'unknown-event': (start) => [
    start,
    { type: 'model_switched', to: 'another' },
    ...textBlock(0, ['Hi']),
    messageDelta('end_turn'),
    messageStop,
  ],
  'unknown-delta': (start) => [
    start,
    blockStart(0, { type: 'text', text: '' }),
    blockDelta(0, { type: 'mood_delta', mood: 'fine' }),
    blockDelta(0, { type: 'text_delta', text: 'Hi' }),
    blockStop(0),
    messageDelta('end_turn'),
    messageStop,
  ],
  'unknown-block': (start) => [
    start,
    blockStart(0, { type: 'hologram', data: 'x' }),
    blockStop(0),
    ...textBlock(1, ['Hi']),
    messageDelta('end_turn'),
    messageStop,
  ],
  'without-stop-event': (start) => [start, ...textBlock(0, ['Hi']), messageDelta('end_turn')],
  'json-body': (start) => [start, ...textBlock(0, ['Hi']), messageDelta('end_turn'), messageStop],
};

/** The message that the events describe. */
export function collected(events: readonly WireEvent[]): Record<string, unknown> {
  let message: Record<string, unknown> = {};
  const blocks: Record<string, unknown>[] = [];
  const partial = new Map<number, string>();
  for (const event of events) {
    const index = event.index as number;
    const block = blocks[index] ?? {};
    if (event.type === 'message_start') message = { ...(event.message as Record<string, unknown>) };
    if (event.type === 'content_block_start') blocks[index] = { ...(event.content_block as Record<string, unknown>) };
    if (event.type === 'content_block_delta') {
      const delta = event.delta as Record<string, string>;
      if (delta.type === 'text_delta') block.text = String(block.text) + delta.text;
      if (delta.type === 'thinking_delta') block.thinking = String(block.thinking) + delta.thinking;
      if (delta.type === 'signature_delta') block.signature = delta.signature;
      if (delta.type === 'input_json_delta') partial.set(index, (partial.get(index) ?? '') + delta.partial_json);
    }
    if (event.type === 'message_delta')
      message = {
        ...message,
        ...(event.delta as object),
        usage: { ...(message.usage as object), ...(event.usage as object) },
      };
  }
  for (const [index, json] of partial) if (json !== '') Object.assign(blocks[index] ?? {}, { input: parsed(json) });
  return { ...message, content: blocks.length > 0 ? blocks : message.content };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return {};
  }
}
