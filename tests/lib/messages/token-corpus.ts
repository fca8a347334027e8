import { readFileSync } from 'node:fs';
import { createCanvas } from '@napi-rs/canvas';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { allModels } from '../../../lib/catalog/models';
import type { MessagesBody } from '../../../lib/domain/messages';
import type { MessagesModel } from '../../../lib/domain/model';

// Requests with a known number of input tokens, each with its origin:
//
// - `recorded`: the vendor's own answer to that request, in a published recording. The URL is that of the recording;
//   the model is the one of the request, or another of ours with the same tokenizer.
// - `documented`: printed in the vendor's documentation.
// - `measured`: published measurements of the vendor's counter.
// - `exact`: the encoding is public and installed as a package; the frame around the texts is the published one of chat
//   completions (3 tokens for each message, 3 for the answer).
//
// Not included, because it is not public: how the open models' own tokenizers differ from the encoding that we count them
// by (their multipliers are starting values, which real answers correct).

export type Origin = { readonly kind: 'recorded' | 'documented' | 'measured' | 'exact'; readonly at: string };

export interface CorpusEntry {
  readonly what: string;
  readonly model: MessagesModel;
  readonly tokens: number;
  readonly body: MessagesBody;
  readonly origin: Origin;
}

export function modelOf(id: string, facts: Partial<MessagesModel['messages']> = {}): MessagesModel {
  const found = allModels.find((model) => model.id === id);
  if (found?.capability !== 'messages') throw new Error(`no ${id}`);
  return { ...found, messages: { ...found.messages, ...facts } };
}

export const haiku45 = modelOf('claude-haiku-4-5');
export const sonnet46 = modelOf('claude-sonnet-4-6');
export const sonnet5 = modelOf('claude-sonnet-5');
export const opus48 = modelOf('claude-opus-4-8');
export const o200k = modelOf('local-text', { tokenizer: { encoding: 'o200k', multiplier: 1 } });

export const bodyOf = (fields: Readonly<Record<string, unknown>>) =>
  ({ model: 'x', ...fields }) as unknown as MessagesBody;
const user = (content: unknown) => ({ role: 'user', content });
const assistant = (content: unknown) => ({ role: 'assistant', content });
const called = (id: string, name: string, input: object = {}) => assistant([{ type: 'tool_use', id, name, input }]);
const result = (id: string, content: unknown) =>
  user([{ type: 'tool_result', tool_use_id: id, content, is_error: false }]);
/** Turns of the user and the assistant, the user's first. */
export const said = (...texts: string[]) =>
  bodyOf({ messages: texts.map((content, index) => (index % 2 === 0 ? user(content) : assistant(content))) });

const ellmer = (file: string): Origin => ({
  kind: 'recorded',
  at: `github.com/tidyverse/ellmer/blob/main/tests/testthat/_vcr/${file}.yml`,
});
const pydantic = (file: string): Origin => ({
  kind: 'recorded',
  at: `github.com/pydantic/pydantic-ai/blob/main/tests/models/cassettes/test_anthropic/test_anthropic_${file}.yaml`,
});
const counting: Origin = { kind: 'documented', at: 'platform.claude.com/docs/en/build-with-claude/token-counting' };
const encoding: Origin = { kind: 'exact', at: 'npm: gpt-tokenizer, encoding o200k_base' };

const plainSchema = { type: 'object', description: '', additionalProperties: false };
const currentDate = { name: 'current_date', description: 'Return the current date', input_schema: plainSchema };
const currentMonth = {
  name: 'current_month',
  description: 'Return the full name of the current month',
  input_schema: plainSchema,
};
const dated = {
  system: "Always use a tool to answer. Reply with 'It is ____.'.",
  tools: [currentDate, currentMonth],
  messages: [
    user([{ type: 'text', text: "What's the current date in Y-M-D format?" }]),
    called('toolu_01BW69saFoE9ooYerHnnZ4Up', 'current_date'),
    result('toolu_01BW69saFoE9ooYerHnnZ4Up', '2024-01-01'),
    assistant([{ type: 'text', text: 'It is 2024-01-01.' }]),
    user([{ type: 'text', text: 'What month is it? Provide the full name' }]),
    called('toolu_01CnhXrZiKdxYrMPD5UnpEBX', 'current_month'),
    result('toolu_01CnhXrZiKdxYrMPD5UnpEBX', 'February'),
  ],
};
const datedUpTo = (messages: number) => bodyOf({ ...dated, messages: dated.messages.slice(0, messages) });

const kindOf = (title: string, fields: readonly string[]) => ({
  type: 'object',
  properties: {
    kind: { type: 'string', const: title },
    data: {
      properties: Object.fromEntries(fields.map((field) => [field, { type: 'string' }])),
      required: fields,
      type: 'object',
    },
  },
  required: ['kind', 'data'],
  additionalProperties: false,
  title,
});
/** With blanks after colons and commas, as it was sent. */
const spaced = (value: unknown) =>
  JSON.stringify(value, null, 1)
    .replaceAll(/\n\s*/g, ' ')
    .replaceAll(/([{[]) | ([}\]])/g, '$1$2');
const citySchema = {
  type: 'object',
  properties: {
    result: {
      anyOf: [kindOf('CityLocation', ['city', 'country']), kindOf('CountryLanguage', ['country', 'language'])],
    },
  },
  required: ['result'],
  additionalProperties: false,
};

const refunds = {
  system: [
    {
      type: 'text',
      text: 'The following capabilities are deferred and can be loaded using the `load_capability` tool:\n- refunds: Refund policy tools. Load this capability before looking up refund policy.',
    },
  ],
  tools: [
    {
      name: 'load_capability',
      description: 'Load a capability to access its full instructions and tools.',
      input_schema: {
        type: 'object',
        description: 'Typed arguments for a `load_capability` tool call.',
        properties: { id: { description: 'The id of the capability to load.', type: 'string' } },
        required: ['id'],
      },
    },
    {
      name: 'lookup_refund_policy',
      description: '',
      defer_loading: true,
      input_schema: {
        type: 'object',
        additionalProperties: false,
        properties: { order_id: { type: 'string' } },
        required: ['order_id'],
      },
    },
  ],
  messages: [
    user([
      {
        type: 'text',
        text: 'First load the refunds capability. Then call lookup_refund_policy for order-123. Return only the tool result.',
      },
    ]),
  ],
};

const prime = [
  user('Are there an infinite number of prime numbers such that n mod 4 == 3?'),
  assistant([
    {
      type: 'thinking',
      thinking: "This is a nice number theory question. Let's think about it step by step...",
      signature: 'EuYBCkQYAiJAgCs1le6/Pol5Z4/JMomVOouGrWdhYNsH3ukzUECbB6iWrSQtsQuRHJID6lWV',
    },
    { type: 'text', text: 'Yes, there are infinitely many prime numbers p such that p mod 4 = 3...' },
  ]),
  user('Can you write a formal proof?'),
];

export const english =
  'The committee met on Tuesday to discuss the plans for the new bridge. Several residents spoke against the proposal, because the road would pass close to the school, while others thinking that the shorter way to the hospital mattered more. ';
export const chinese =
  '委员会于星期二开会讨论新桥的计划。几位居民反对这项提议，因为道路会经过学校附近，而其他人认为缩短去医院的路程更重要。';
export const japanese =
  '委員会は火曜日に新しい橋の計画について話し合いました。道路が学校の近くを通るため、何人かの住民が反対しました。';
const german =
  'Der Ausschuss tagte am Dienstag, um über die Pläne für die neue Brücke zu beraten. Mehrere Anwohner sprachen sich dagegen aus. ';
const json = JSON.stringify(
  Array.from({ length: 60 }, (_, index) => ({
    id: `item_${index * 37}`,
    price: index * 1.25,
    tags: ['new', 'sale'],
    stock: { berlin: index, rome: index * 3 },
    active: index % 2 === 0,
  })),
  null,
  2,
);
export const code = readFileSync('lib/http/request-body.ts', 'utf8');
const emoji = 'Great work 🎉🎉 see you soon 👋🏽 we ship 🚀 tomorrow 😀😀😀 ';

const exactly = (what: string, ...texts: string[]): CorpusEntry => ({
  what,
  model: o200k,
  tokens: texts.reduce((sum, text) => sum + encode(text).length + 3, 3),
  body: said(...texts),
  origin: encoding,
});

export const corpus: readonly CorpusEntry[] = [
  {
    what: 'a greeting with a system prompt',
    model: haiku45,
    tokens: 14,
    body: bodyOf({ system: 'You are a scientist', messages: [user('Hello, Claude')] }),
    origin: counting,
  },
  {
    what: 'a thinking block of an earlier turn',
    model: sonnet46,
    tokens: 88,
    body: bodyOf({ messages: prime }),
    origin: counting,
  },
  {
    what: 'a short sum, newer tokenizer',
    model: opus48,
    tokens: 13,
    body: said('What is 2+2?'),
    origin: pydantic('opus_48_features'),
  },
  {
    what: 'a short sum and a terse system prompt',
    model: haiku45,
    tokens: 17,
    body: bodyOf({ system: [{ type: 'text', text: 'Be terse' }], messages: [user('What is 1+1?')] }),
    origin: ellmer('anthropic-count-tokens-conversation'),
  },
  {
    what: 'the same with an answer and another question',
    model: haiku45,
    tokens: 32,
    body: bodyOf({ system: 'Be terse', messages: [user('What is 1+1?'), assistant('2'), user('What about 2+2?')] }),
    origin: ellmer('anthropic-count-tokens-conversation'),
  },
  {
    what: 'a thousand tokens of English',
    model: haiku45,
    tokens: 1_114,
    body: bodyOf({
      system: 'You are a helpful assistant.',
      messages: [user('Please explain what Python is and its main use cases. '.repeat(100))],
    }),
    origin: pydantic('cache_count_tokens'),
  },
  {
    what: 'a JSON schema in the system prompt',
    model: haiku45,
    tokens: 265,
    body: bodyOf({
      system: `Always respond with a JSON object that's compatible with this schema:\n\n${spaced(citySchema)}\n\nDon't include any text or Markdown fencing before or after.\n\n`,
      messages: [user('What is the largest city in Mexico?')],
    }),
    origin: pydantic('prompted_output_multiple'),
  },
  {
    what: 'one tool',
    model: haiku45,
    tokens: 553,
    body: bodyOf({ tools: [currentDate], messages: [user("What's the current date?")] }),
    origin: ellmer('anthropic-count-tokens-tools'),
  },
  { what: 'two tools', model: haiku45, tokens: 625, body: datedUpTo(1), origin: ellmer('anthropic-tool') },
  { what: 'two tools and a result', model: haiku45, tokens: 680, body: datedUpTo(3), origin: ellmer('anthropic-tool') },
  {
    what: 'two tools and a conversation',
    model: haiku45,
    tokens: 706,
    body: datedUpTo(5),
    origin: ellmer('anthropic-tool'),
  },
  {
    what: 'two tools and two results',
    model: haiku45,
    tokens: 756,
    body: datedUpTo(7),
    origin: ellmer('anthropic-tool'),
  },
  {
    what: 'a tool that must be called',
    model: sonnet46,
    tokens: 671,
    body: bodyOf({
      tool_choice: { type: 'any' },
      tools: [
        {
          name: 'final_result',
          description: 'The final response which ends this conversation',
          input_schema: {
            type: 'object',
            properties: { city: { type: 'string' }, country: { type: 'string' } },
            required: ['city', 'country'],
          },
        },
      ],
      messages: [user('What is the capital of France?')],
    }),
    origin: pydantic('count_tokens_with_adaptive_thinking_and_output_tools'),
  },
  {
    what: 'a tool that the vendor defines',
    model: haiku45,
    tokens: 1_581,
    body: bodyOf({
      tool_choice: { type: 'auto' },
      tools: [{ name: 'memory', type: 'memory_20250818' }],
      messages: [user('What is 2 + 2?')],
    }),
    origin: pydantic('count_tokens_keeps_memory_tool'),
  },
  {
    what: 'tools, newer tokenizer',
    model: sonnet5,
    tokens: 658,
    body: bodyOf({ ...refunds, tool_choice: { type: 'auto' } }),
    origin: pydantic('deferred_capability_without_tool_search_across_models[claude-sonnet-5]'),
  },
  {
    what: 'a schema of the answer',
    model: sonnet46,
    tokens: 211,
    body: bodyOf({
      messages: [user('Apples are tasty. By Hadley Wickham.')],
      output_config: {
        format: {
          type: 'json_schema',
          schema: {
            type: 'object',
            description: '',
            properties: {
              title: { type: 'string', description: 'Content title' },
              author: { type: 'string', description: 'Name of the author' },
            },
            required: ['title', 'author'],
            additionalProperties: false,
          },
        },
      },
    }),
    origin: ellmer('anthropic-count-tokens-structured'),
  },
  exactly('English', english.repeat(8)),
  exactly('Chinese', chinese.repeat(8)),
  exactly('Japanese', japanese.repeat(8)),
  exactly('German', german.repeat(8)),
  exactly('JSON', json),
  exactly('code', code),
  exactly('emoji', emoji.repeat(10)),
  exactly('many turns', ...Array.from({ length: 60 }, () => english)),
];

/** An image with a short question. */
export function shown(
  width: number,
  height: number,
  type: 'image/png' | 'image/jpeg' | 'image/webp' = 'image/png',
): MessagesBody {
  const data = createCanvas(width, height)
    .toBuffer(type as 'image/png')
    .toString('base64');
  return bodyOf({
    messages: [
      user([
        { type: 'image', source: { type: 'base64', media_type: type, data } },
        { type: 'text', text: 'Describe this image.' },
      ]),
    ],
  });
}

/**
 * Images: tokens of the same request with images of different sizes, from the counter of the vendor
 * (huggingface.co/datasets/JOHNISKING/image-token-cost). The question is not published, so the smallest image (100
 * tokens by the documented formula) is the reference: the others are known relative to it. The client scaled larger
 * ones down.
 */
export const pictures: readonly {
  readonly width: number;
  readonly height: number;
  readonly earlier: number;
  readonly current: number;
}[] = [
  { width: 256, height: 256, earlier: 165, current: 177 },
  { width: 512, height: 512, earlier: 426, current: 438 },
  { width: 768, height: 768, earlier: 849, current: 861 },
  { width: 1_024, height: 1_024, earlier: 1_434, current: 1_446 },
  { width: 1_280, height: 720, earlier: 1_261, current: 1_273 },
  { width: 1_920, height: 1_080, earlier: 1_625, current: 2_768 },
  { width: 1_080, height: 1_920, earlier: 1_625, current: 2_768 },
];

/**
 * How many more tokens the newer tokenizer makes of the same text, measured with the vendor's counter:
 * sol.ava.dev/writings/2026-04-17-opus-4-7-tokenizer.html. Absolute counts are not published.
 */
export const newerByText: readonly { readonly what: string; readonly text: string; readonly ratio: number }[] = [
  { what: 'English', text: english.repeat(8), ratio: 1.45 },
  { what: 'German', text: german.repeat(8), ratio: 1.46 },
  { what: 'Chinese', text: chinese.repeat(8), ratio: 1 },
  { what: 'Japanese', text: japanese.repeat(8), ratio: 1 },
  { what: 'TypeScript', text: code, ratio: 1.13 },
  { what: 'JSON', text: json, ratio: 1.31 },
];
