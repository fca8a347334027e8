import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendRaw } from '../../../conformance/raw';
import { chatModel, compatibleModel, nativeModel, startWorld, type World } from '../../../conformance/world';

// Bodies with a value of the wrong type in one place: an error of the client, never one of the gateway.

let world: World;
beforeAll(async () => void (world = await startWorld()));
afterAll(() => world.close());

const picture = { type: 'image', source: { type: 'url', url: 'https://example.com/boat.png' } };
const rich = {
  max_tokens: 2_000,
  stream: false,
  system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral', ttl: '5m' } }],
  temperature: 0.5,
  top_p: 0.5,
  top_k: 3,
  stop_sequences: ['END'],
  metadata: { user_id: 'user' },
  thinking: { type: 'enabled', budget_tokens: 1_024, display: 'omitted' },
  output_config: { effort: 'low', format: { type: 'json_schema', schema: { type: 'object', properties: {} } } },
  cache_control: { type: 'ephemeral' },
  tool_choice: { type: 'tool', name: 'book', disable_parallel_tool_use: true },
  tools: [
    { name: 'book', type: 'custom', description: 'Books.', strict: true, input_schema: { type: 'object' } },
    { name: 'bash', type: 'bash_20250124' },
    { name: 'web_search', type: 'web_search_20250305', max_uses: 2 },
  ],
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Hello', cache_control: { type: 'ephemeral', ttl: '1h' } },
        {
          type: 'document',
          source: { type: 'text', media_type: 'text/plain', data: 'Text' },
          title: 'T',
          context: 'C',
        },
        { type: 'document', source: { type: 'content', content: [{ type: 'text', text: 'Text' }] } },
        { type: 'search_result', source: 's', title: 't', content: [{ type: 'text', text: 'Text' }] },
      ],
    },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Hm', signature: 'signature' },
        { type: 'redacted_thinking', data: 'abc' },
        { type: 'tool_use', id: 'call_1', name: 'book', input: { a: 1 } },
        { type: 'server_tool_use', id: 'search_1', name: 'web_search', input: {} },
        { type: 'web_search_tool_result', tool_use_id: 'search_1', content: [] },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'call_1', is_error: true, content: [{ type: 'text', text: 'Done' }] },
        { type: 'text', text: 'Go on' },
      ],
    },
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Hello' },
  ],
};

type Place = readonly (string | number)[];

function placesIn(value: unknown, place: Place = []): Place[] {
  const inner =
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([name, field]) => placesIn(field, [...place, name]))
      : [];
  return place.length === 0 ? inner : [place, ...inner];
}

function withValue(body: unknown, [name = '', ...rest]: Place, value: unknown): unknown {
  // Safe: the place was found in the body.
  const fields = body as Record<string | number, unknown>;
  const changed = rest.length === 0 ? value : withValue(fields[name], rest, value);
  return Array.isArray(body) ? body.with(Number(name), changed) : { ...fields, [name]: changed };
}

describe.each([
  [nativeModel, 'live'],
  [compatibleModel, 'live'],
  [chatModel, 'live'],
  [chatModel, 'test'],
] as const)('for %s in %s mode', (model, mode) => {
  const send = (body: object) => sendRaw(world.baseUrl, world.server.firstRun.keys[mode], { ...body, model });

  it('a value of another type in any place is no error of the gateway', async () => {
    const failed: string[] = [];
    for (const place of placesIn(rich))
      await Promise.all(
        [undefined, null, 5, [], {}, { type: 'text' }].map(async (value) => {
          // Safe: the body is an object.
          const { status } = await send(withValue(rich, place, value) as object);
          if (status !== 200 && status !== 400) failed.push(`${place.join('.')}: ${JSON.stringify(value)}: ${status}`);
        }),
      );
    expect(failed).toEqual([]);
  });

  const user = { role: 'user', content: 'Hello' };
  const ask = (more: object) => send({ max_tokens: 100, messages: [user], ...more });
  const thinking = (signature: unknown) => ({
    messages: [
      user,
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm', signature },
          { type: 'text', text: 'Hi' },
        ],
      },
      user,
    ],
  });
  const tool = (type: unknown) => ({ tools: [{ name: 'book', type, input_schema: { type: 'object' } }] });

  it('a tool whose type is null, and thinking whose signature is null, are taken as without', async () => {
    expect((await ask(tool(null))).status).toBe(200);
    expect((await ask(thinking(null))).status).toBe(200);
  });

  it.each([
    ['tools.0.type: Input should be a valid string', tool(5)],
    ['messages.1.content.0.thinking.signature: Input should be a valid string', thinking([])],
    ["system.0.type: Input should be 'text'", { system: [picture] }],
    [
      "system.0.type: Input should be 'text'",
      { system: [{ type: 'document', source: { type: 'file', file_id: 'f' } }] },
    ],
  ])('%s', async (message, more) => {
    const { status, text } = await ask(more);
    expect(status).toBe(400);
    expect(JSON.parse(text)).toMatchObject({ error: { type: 'invalid_request_error', message } });
  });
});

it('a byte order mark before the body is not passed on', async () => {
  const body = JSON.stringify({ model: nativeModel, max_tokens: 100, messages: [{ role: 'user', content: 'Hello' }] });
  expect((await sendRaw(world.baseUrl, world.key, `\ufeff${body}`)).status).toBe(200);
  expect(world.native.last().raw[0]).toBe('{'.charCodeAt(0));
});
