import { startFakeUpstream, type FakeReply, type FakeUpstream, type ReceivedRequest } from './fake-upstream';
import {
  blockDelta,
  blockStart,
  blockStop,
  frame,
  messageDelta,
  messageStart,
  messageStop,
  textBlock,
  thinkingBlock,
  toolBlock,
  type WireEvent,
} from './message-frames';

// A fake of a vendor with an imperfect implementation of the messages API: each scenario is one defect that was seen at
// a real vendor. Its input is stricter than the dialect in one way, and its output is wrong in another.

export interface FakeCompatibleVendor extends FakeUpstream {
  readonly apiKey: string;
}

export interface CompatibleQuirks {
  /** The only path that it serves; absent: any. */
  readonly path?: string;
  /** Accepts the key only as a bearer token. */
  readonly bearer?: boolean;
  /** Requires an `id` in results, and refuses empty arrays. */
  readonly strictResults?: boolean;
  /** Requires the thinking before tool calls while thinking is enabled. */
  readonly replay?: boolean;
}

export async function startFakeCompatibleVendor(
  quirks: CompatibleQuirks = {},
  apiKey = 'fake-key',
): Promise<FakeCompatibleVendor> {
  const upstream = await startFakeUpstream((request) => answer(request, quirks, apiKey));
  return { ...upstream, apiKey };
}

type Fields = Record<string, unknown>;

const taken = new Set([
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
]);

function answer(request: ReceivedRequest, quirks: CompatibleQuirks, apiKey: string): FakeReply {
  const { headers, body } = request;
  const credential = quirks.bearer ? headers.authorization : headers['x-api-key'];
  const both = headers.authorization !== undefined && headers['x-api-key'] !== undefined;
  if (both || credential !== (quirks.bearer ? `Bearer ${apiKey}` : apiKey))
    return refusal(401, '1001', 'Authentication failed');
  if (request.path.endsWith('/count_tokens'))
    return { kind: 'body', status: 404, body: '404 page not found', headers: { 'content-type': 'text/plain' } };
  if (quirks.path !== undefined && request.path !== quirks.path)
    return { kind: 'body', status: 404, body: 'Not Found', headers: { 'content-type': 'text/plain' } };
  if (!body) return refusal(400, '1210', 'Invalid JSON');
  const unknown = Object.keys(body).find((name) => !taken.has(name));
  if (unknown !== undefined) return refusal(400, '1210', `Unknown parameter ${unknown}`);
  if (typeof body.max_tokens !== 'number')
    return { kind: 'body', status: 500, body: JSON.stringify({ error: { message: 'internal', code: '500' } }) };
  const error = historyError(body, quirks);
  if (error) return error;
  const failure = failures[request.scenario.name];
  if (failure) return failure;
  return { kind: 'frames', frames: framesOfDefect(request.scenario.name, String(body.model)) };
}

/** A defect's stream as on the wire, one frame after the other. */
export function framesOfDefect(name: string, model: string): string[] {
  const script = defects[name];
  if (!script) throw new Error(`The fake vendor has no scenario "${name}".`);
  const { frames, withoutEventLines } = script(messageStart({ model }));
  return frames.map((each) =>
    typeof each === 'string' ? each : frame(each, { withoutEventLines: withoutEventLines === true }),
  );
}

function historyError(body: Fields, quirks: CompatibleQuirks): FakeReply | undefined {
  let former = '';
  let open: string[] = [];
  for (const turn of body.messages as Fields[]) {
    if (turn.role === former || turn.role === 'system')
      return refusal(400, '1214', 'Roles must alternate between user and assistant');
    if (former === '' && turn.role !== 'user') return refusal(400, '1214', 'The first message must be from the user');
    former = String(turn.role);
    const blocks = Array.isArray(turn.content) ? (turn.content as Fields[]) : [];
    if (Array.isArray(turn.content) && blocks.length === 0) return refusal(400, '1213', 'Empty content');
    const results = blocks.filter(({ type }) => type === 'tool_result');
    if (
      open.some((id) => results.filter((result) => result.tool_use_id === id).length !== 1) ||
      results.length !== open.length
    )
      return refusal(400, '1214', 'Tool results do not match tool calls');
    for (const block of blocks) {
      if (!['text', 'image', 'thinking', 'tool_use', 'tool_result'].includes(String(block.type)))
        return refusal(400, '1214', `Unsupported content type ${String(block.type)}`);
      if (block.type === 'text' && block.text === '') return refusal(400, '1213', 'Empty text');
    }
    if (quirks.strictResults) {
      if (results.some((result) => result.id !== result.tool_use_id))
        return {
          kind: 'body',
          status: 500,
          body: JSON.stringify({
            error: { message: "'ClaudeContentBlockToolResult' object has no attribute 'id'", code: '500' },
          }),
        };
      if (results.some((result) => Array.isArray(result.content) && result.content.length === 0))
        return refusal(400, '1213', 'Empty content array');
    }
    const isThinking = (body.thinking as Fields | undefined)?.type !== 'disabled';
    const calls = blocks.filter(({ type }) => type === 'tool_use');
    const thinking = blocks.find(({ type }) => type === 'thinking');
    if (quirks.replay && isThinking && calls.length > 0 && !thinking?.thinking) {
      return refusal(400, 'invalid_request_error', 'The `content[].thinking` in the thinking mode must be passed back');
    }
    open = turn.role === 'assistant' ? calls.map(({ id }) => String(id)) : [];
  }
  return undefined;
}

function refusal(status: number, code: string, message: string): FakeReply {
  return { kind: 'body', status, body: JSON.stringify({ error: { message, code } }) };
}

const failures: Readonly<Record<string, FakeReply>> = {
  'error-in-ok': refusal(200, '1213', 'The prompt is empty.'),
  'rate-limit-in-ok': refusal(200, '1302', 'High concurrency.'),
  'error-coded': refusal(400, '1213', 'The prompt is empty.'),
  'context-window': refusal(400, '1261', 'The model has reached its context window limit.'),
  hang: { kind: 'hang' },
  html: { kind: 'body', status: 502, body: '<html>Bad gateway</html>', headers: { 'content-type': 'text/html' } },
};

interface Script {
  readonly frames: readonly (WireEvent | string)[];
  readonly withoutEventLines?: boolean;
}

const json = (partial_json: string) => ({ type: 'input_json_delta', partial_json });
const word = (text: string) => ({ type: 'text_delta', text });
const tool = (more: Fields = {}) => ({ type: 'tool_use', id: 'call_1', name: 'get_weather', ...more });
const end = (reason = 'end_turn'): WireEvent[] => [messageDelta(reason), messageStop];

/** Each defect's stream. */
export const defects: Readonly<Record<string, (start: WireEvent) => Script>> = {
  text: (start) => ({ frames: [start, ...textBlock(0, ['Hello', ' there']), ...end()] }),
  'no-event-lines': (start) => ({
    withoutEventLines: true,
    frames: [start, ...textBlock(0, ['Hello', ' there']), ...end()],
  }),
  'done-data': (start) => ({ frames: [start, ...textBlock(0, ['Hello', ' there']), ...end(), 'data: [DONE]\n\n'] }),
  'done-event': (start) => ({
    frames: [start, ...textBlock(0, ['Hello', ' there']), ...end(), 'event: done\ndata: [DONE]\n\n'],
  }),
  'no-block-start': (start) => ({
    frames: [start, blockDelta(0, word('Hello')), blockDelta(0, word(' there')), blockStop(0), ...end()],
  }),
  'no-block-stop': (start) => ({
    frames: [
      start,
      blockStart(0, { type: 'text', text: '' }),
      blockDelta(0, word('Hello')),
      blockDelta(0, word(' there')),
      ...end(),
    ],
  }),
  'no-stop-between': (start) => ({
    frames: [
      start,
      blockStart(0, { type: 'text', text: '' }),
      blockDelta(0, word('Hello')),
      blockStart(1, tool({ input: {} })),
      blockDelta(1, json('{"city":')),
      blockDelta(1, json('"Oslo"}')),
      ...end('tool_use'),
    ],
  }),
  'stop-unopened': (start) => ({
    frames: [start, blockStop(5), ...textBlock(0, ['Hello', ' there']), blockStop(1), ...end()],
  }),
  'index-gaps': (start) => ({
    frames: [
      start,
      ...textBlock(1, ['Hello']),
      ...toolBlock(3, 'call_1', 'get_weather', ['{"city":"Oslo"}']),
      ...end('tool_use'),
    ],
  }),
  'index-repeated': (start) => ({
    frames: [
      start,
      ...textBlock(0, ['Hello']),
      ...toolBlock(0, 'call_1', 'get_weather', ['{"city":"Oslo"}']),
      ...end('tool_use'),
    ],
  }),
  'two-starts': (start) => ({ frames: [start, start, ...textBlock(0, ['Hello', ' there']), ...end()] }),
  'no-start': () => ({ frames: [...textBlock(0, ['Hello', ' there']), ...end()] }),
  'no-message-stop': (start) => ({ frames: [start, ...textBlock(0, ['Hello', ' there']), messageDelta('end_turn')] }),
  'reason-then-usage': (start) => ({
    frames: [
      start,
      ...textBlock(0, ['Hello', ' there']),
      messageDelta('end_turn', { usage: { output_tokens: 0 } }),
      messageDelta('end_turn', { usage: { input_tokens: 50, output_tokens: 8 } }),
      messageStop,
    ],
  }),
  'no-message-delta': (start) => ({ frames: [start, ...textBlock(0, ['Hello', ' there']), messageStop] }),
  'no-usage-in-delta': (start) => ({
    frames: [
      start,
      ...textBlock(0, ['Hello', ' there']),
      { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null } },
      messageStop,
    ],
  }),
  'no-usage-in-start': (start) => ({
    frames: [
      { ...start, message: { ...(start.message as object), usage: undefined } },
      ...textBlock(0, ['Hello', ' there']),
      ...end(),
    ],
  }),
  'zero-input': (start) => ({
    frames: [
      { ...start, message: { ...(start.message as object), usage: { input_tokens: 0, output_tokens: 0 } } },
      ...textBlock(0, ['Hello', ' there']),
      messageDelta('end_turn', { usage: { input_tokens: 0, output_tokens: 5 } }),
      messageStop,
    ],
  }),
  'text-on-tool': (start) => ({
    frames: [
      start,
      blockStart(0, tool({ input: {} })),
      blockDelta(0, json('{"city":"Oslo"}')),
      blockDelta(0, word('Hello there')),
      blockStop(0),
      ...end('tool_use'),
    ],
  }),
  'no-input-in-start': (start) => ({
    frames: [start, blockStart(0, tool()), blockDelta(0, json('{"city":"Oslo"}')), blockStop(0), ...end('tool_use')],
  }),
  'input-in-start': (start) => ({
    frames: [start, blockStart(0, tool({ input: { city: 'Oslo' } })), blockStop(0), ...end('tool_use')],
  }),
  'input-in-both': (start) => ({
    frames: [
      start,
      blockStart(0, tool({ input: { city: 'Oslo' } })),
      blockDelta(0, json('{"city":"Oslo"}')),
      blockStop(0),
      ...end('tool_use'),
    ],
  }),
  'empty-object-first': (start) => ({
    frames: [
      start,
      blockStart(0, tool({ input: {} })),
      blockDelta(0, json('{}')),
      blockDelta(0, json('{"city":"Oslo"}')),
      blockStop(0),
      ...end('tool_use'),
    ],
  }),
  'two-objects': (start) => ({
    frames: [
      start,
      blockStart(0, tool({ input: {} })),
      blockDelta(0, json('{"city":"Oslo"}{"city":"Rome"}')),
      blockStop(0),
      ...end('tool_use'),
    ],
  }),
  'empty-text-first': (start) => ({
    frames: [
      start,
      ...textBlock(0, []),
      ...toolBlock(1, 'call_1', 'get_weather', ['{"city":"Oslo"}']),
      ...end('tool_use'),
    ],
  }),
  'thinking-without-signature': (start) => ({
    frames: [
      start,
      blockStart(0, { type: 'thinking' }),
      blockDelta(0, { type: 'thinking_delta', thinking: 'Hm.' }),
      blockStop(0),
      ...textBlock(1, ['Hello there']),
      ...end(),
    ],
  }),
  'two-thinking': (start) => ({
    frames: [
      start,
      ...thinkingBlock(0, ['First.'], 'sig-1'),
      ...textBlock(1, ['Hello']),
      ...thinkingBlock(2, ['Second.'], 'sig-2'),
      ...textBlock(3, [' there']),
      ...end(),
    ],
  }),
  'tool-with-end-turn': (start) => ({
    frames: [start, ...toolBlock(0, 'call_1', 'get_weather', ['{"city":"Oslo"}']), ...end('end_turn')],
  }),
  overlapping: (start) => ({
    frames: [
      start,
      blockStart(0, { type: 'text', text: '' }),
      blockStart(1, tool({ input: {} })),
      blockStart(2, { type: 'tool_use', id: 'call_2', name: 'get_weather', input: {} }),
      blockDelta(1, json('{"city":')),
      blockDelta(2, json('{"city":"Ro')),
      blockDelta(0, word('Hello')),
      blockDelta(1, json('"Oslo"}')),
      blockDelta(2, json('me"}')),
      blockStop(2),
      blockStop(1),
      blockStop(0),
      ...end('tool_use'),
    ],
  }),
  'odd-ids': (start) => ({
    frames: [start, ...toolBlock(0, 'functions.get_weather:0', 'get_weather', ['{"city":"Oslo"}']), ...end('tool_use')],
  }),
  'unknown-event': (start) => ({
    frames: [start, { type: 'vendor_metrics', ms: 3 }, ...textBlock(0, ['Hello', ' there']), ...end()],
  }),
  'error-event': (start) => ({
    frames: [start, ...textBlock(0, ['Hello']), 'data: {"error":{"message":"High concurrency","code":"1302"}}\n\n'],
  }),
  long: (start) => ({
    frames: [
      start,
      ...textBlock(
        0,
        Array.from({ length: 1_500 }, (_, index) => `word${index} `),
      ),
      ...end(),
    ],
  }),
  tool: (start) => ({
    frames: [start, ...toolBlock(0, 'call_1', 'get_weather', ['{"city":', '"Oslo"}']), ...end('tool_use')],
  }),
  'chat-reason': (start) => ({ frames: [start, ...textBlock(0, ['Hello', ' there']), ...end('stop')] }),
  garbage: (start) => ({ frames: [start, 'data: {"type":"content_block\n\n'] }),
};
