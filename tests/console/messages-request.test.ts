import { describe, expect, test } from 'vitest';
import {
  emptySettings,
  parseSchema,
  parseTools,
  problemOf,
  type Turn,
  type ShownModel,
  type Step,
} from '../../app/console/messages/conversation';
import { parseDraft } from '../../app/console/messages/draft';
import { readNumber } from '../../app/console/messages/number-limits';
import { readRequest, readRequestText } from '../../app/console/messages/read-request';
import { requestBody, settingsProblem } from '../../app/console/messages/request';
import { makeLink, MAX_LINK_CHARS, readLink } from '../../app/console/messages/share-link';
import { isLong, shortBody } from '../../app/console/messages/short-body';
import { allModels } from '../../lib/catalog/models';
import type { MessagesModel } from '../../lib/domain/model';
import { parseMessagesBody } from '../../lib/messages/request/messages-request';

// The messages playground without a browser: the body of its request, the way back from a body, and links.

const models: ShownModel[] = allModels
  .filter((model): model is MessagesModel => model.capability === 'messages' && model.deactivatedAt === undefined)
  .map((model) => ({ model, offered: [], own: [], implemented: true }));
const sandbox = models.find(({ model }) => model.id === 'sandbox-text')!.model;
const prompt = (text: string) => ({ text, images: [] });
let ids = 0;
const newId = () => `id-${(ids += 1)}`;

function step(part: Partial<Step>): Step {
  return { id: newId(), modelId: 'sandbox-text', state: 'done', blocks: [], results: {}, ...part };
}

function turn(text: string, first: readonly Step[], second: readonly Step[] = []): Turn {
  return { id: newId(), prompt: prompt(text), lanes: [first, second] };
}

const call = { type: 'tool_use', id: 'toolu_1', name: 'get_weather', input: { city: 'Lisbon' } };
const tool = { name: 'get_weather', description: 'The weather.', input_schema: { type: 'object', properties: {} } };

describe('the body of a request', () => {
  test('has only what is set, and the API accepts it', () => {
    const body = requestBody(emptySettings('sandbox-text'), sandbox, 0, [], prompt('Hello'));
    expect(body).toEqual({
      model: 'sandbox-text',
      max_tokens: 1_024,
      messages: [{ role: 'user', content: 'Hello' }],
      stream: true,
    });
    expect(() => parseMessagesBody(body, { for: 'answer' })).not.toThrow();
  });

  test.each(models.map(({ model }) => [model.id, model] as const))(
    '%s: has no parameter that the model lacks',
    (id, model) => {
      const { messages: facts } = model;
      const body = requestBody(
        {
          ...emptySettings(id),
          maxTokens: model.messages.maxOutputTokens,
          temperature: 0.5,
          topP: 0.9,
          topK: 40,
          thinking: 'enabled',
          effort: 'high',
          structured: true,
          schema: '{"type":"object"}',
          tools: JSON.stringify([tool]),
          toolChoice: 'any',
        },
        model,
        0,
        [],
        prompt('Hello'),
      );
      expect(body['max_tokens']).toBe(facts.maxOutputTokens);
      expect('temperature' in body || 'top_p' in body || 'top_k' in body).toBe(facts.sampling);
      expect('thinking' in body).toBe(facts.thinkingTypes.includes('enabled'));
      expect('output_config' in body).toBe(facts.efforts.includes('high') || facts.structuredOutputs);
      expect('tool_choice' in body).toBe(facts.forcedTools);
      expect(() => parseMessagesBody(body, { for: 'answer' })).not.toThrow();
    },
  );

  test.each([
    [{ temperature: 9 }, 'Temperature must be a number from 0 to 2.'],
    [{ topP: Number.NaN }, 'Top P must be a number from 0 to 1.'],
    [{ topK: 1.5 }, 'Top K must be a whole number from 0 to 1,000.'],
    [{ maxTokens: -5 }, /^Max output tokens must be a whole number from 1 to /],
    [{ thinking: 'enabled', thinkingBudget: 2_000 }, 'Thinking tokens must be fewer than the max output tokens.'],
    [{ tools: '[{' }, /^The tools are not JSON: /],
    [{ structured: true, schema: '{' }, /^The schema is not JSON: /],
    [{ structured: true }, 'Enter the JSON schema of the answer.'],
  ] as const)('%j is not sent, and the reason is said', (part, sentence) => {
    const settings = { ...emptySettings('sandbox-text'), ...part };
    expect(settingsProblem(settings, sandbox)).toMatch(sentence);
    expect(() => requestBody(settings, sandbox, 0, [], prompt('Hello'))).toThrow(sentence);
  });

  test('a setting that the model does not have is not checked', () => {
    const { model } = models.find(({ model: { messages } }) => !messages.sampling)!;
    expect(settingsProblem({ ...emptySettings(model.id), temperature: 9, schema: '{' }, model)).toBeUndefined();
  });

  test.each([
    ['9', 9],
    [' 0.5', 0.5],
    ['.5', 0.5],
    ['-5', -5],
    ['.', Number.NaN],
    ['1e3', Number.NaN],
    ['abc', Number.NaN],
  ])('the number field reads %j as %s', (text, number) => {
    expect(readNumber(text)).toBe(number);
  });

  test('answers every call of a tool, and keeps thinking only for the model that wrote it', () => {
    const thinking = { type: 'thinking', thinking: 'Let me see.', signature: 'signed' };
    const turns = [
      turn('Weather?', [
        step({ blocks: [thinking, call], results: { toolu_1: { text: '18 degrees', isError: false } } }),
        step({ blocks: [{ type: 'text', text: 'It is mild.' }] }),
      ]),
    ];
    const settings = emptySettings('sandbox-text');
    expect(requestBody(settings, sandbox, 0, turns, prompt('Thanks'))['messages']).toEqual([
      { role: 'user', content: 'Weather?' },
      { role: 'assistant', content: [thinking, call] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: '18 degrees' }] },
      { role: 'assistant', content: 'It is mild.' },
      { role: 'user', content: 'Thanks' },
    ]);
    const other = models.find(({ model }) => model.id !== 'sandbox-text')!.model;
    const sent = JSON.stringify(requestBody(emptySettings(other.id), other, 0, turns, prompt('Thanks'))['messages']);
    expect(sent).not.toContain('Let me see.');
    expect(sent).toContain('toolu_1');
  });

  test('joins a result that was not sent yet with the next prompt', () => {
    const turns = [turn('Weather?', [step({ blocks: [call] })])];
    expect(requestBody(emptySettings('sandbox-text'), sandbox, 0, turns, prompt('Never mind'))['messages']).toEqual([
      { role: 'user', content: 'Weather?' },
      { role: 'assistant', content: [call] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'toolu_1', content: '' },
          { type: 'text', text: 'Never mind' },
        ],
      },
    ]);
  });

  test('keeps the text of an answer that broke off, without its unfinished call', () => {
    const turns = [turn('One', [step({ state: 'failed', blocks: [{ type: 'text', text: 'Half' }, call] })])];
    expect(requestBody(emptySettings('sandbox-text'), sandbox, 0, turns, prompt('Two'))['messages']).toEqual([
      { role: 'user', content: 'One' },
      { role: 'assistant', content: 'Half' },
      { role: 'user', content: 'Two' },
    ]);
  });

  test('has the answers of its own lane; a lane that was added later continues the first', () => {
    const say = (text: string) => [step({ blocks: [{ type: 'text', text }] })];
    const turns = [turn('One', say('first')), turn('Two', say('first'), say('second'))];
    const answersOf = (lane: 0 | 1) =>
      (
        requestBody(emptySettings('sandbox-text'), sandbox, lane, turns, prompt('Three'))['messages'] as unknown as {
          role: string;
          content: string;
        }[]
      )
        .filter(({ role }) => role === 'assistant')
        .map(({ content }) => content);
    expect([answersOf(0), answersOf(1)]).toEqual([
      ['first', 'first'],
      ['first', 'second'],
    ]);
  });
});

describe('a request from elsewhere', () => {
  const body = {
    model: 'sandbox/sandbox-text',
    max_tokens: 3_000,
    system: [{ type: 'text', text: 'Be brief.' }],
    temperature: 0.3,
    thinking: { type: 'enabled', budget_tokens: 2_000 },
    output_config: { effort: 'low', format: { type: 'json_schema', schema: { type: 'object' } } },
    tools: [tool],
    tool_choice: { type: 'tool', name: 'get_weather', disable_parallel_tool_use: true },
    stop_sequences: ['END'],
    messages: [
      { role: 'user', content: 'Weather?' },
      { role: 'assistant', content: [call] },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'Rain', is_error: true }],
      },
      { role: 'assistant', content: 'Rain.' },
      {
        role: 'user',
        content: [
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
          { type: 'text', text: 'And this?' },
        ],
      },
    ],
  };

  test('fills the page, and makes the same request again', () => {
    const { settings, turns, prompt: last, left } = readRequest(body, models, newId);
    expect(left).toEqual([]);
    expect(requestBody(settings, sandbox, 0, turns, last)).toEqual({ ...body, system: 'Be brief.' });
  });

  test('names what was left out', () => {
    const { left } = readRequest({ ...body, metadata: {}, service_tier: 'auto' }, models, newId);
    expect(left).toEqual([
      'metadata: the page has no control for it.',
      'service_tier: the page has no control for it.',
    ]);
  });

  test('without sampling in the model, its parameters are left out with a reason', () => {
    const { model } = models.find(({ model: { messages } }) => !messages.sampling)!;
    const { settings, left } = readRequest(
      { model: model.id, temperature: 1, messages: [{ role: 'user', content: 'Hi' }] },
      models,
      newId,
    );
    expect(settings.temperature).toBeUndefined();
    expect(left).toEqual([`temperature: ${model.id} does not take it.`]);
  });

  test.each([
    ['{', /^This is not JSON/],
    ['[]', 'This is not a request: it must be an object with model and messages.'],
    ['{"messages":[]}', 'model must be text, such as "sandbox-text".'],
    [
      '{"model":"gpt-nothing","messages":[]}',
      'There is no text model “gpt-nothing” here. The list of models has all names.',
    ],
    ['{"model":"sandbox-text"}', 'messages must be an array.'],
  ])('%s is refused with a sentence', (text, sentence) => {
    expect(() => readRequestText(text, models, newId)).toThrow(sentence);
  });
});

describe('the editors', () => {
  test('an empty editor has no tools', () => {
    expect(parseTools('  ')).toEqual([]);
  });

  test.each([
    ['[{"name":"a b","input_schema":{"type":"object"}}]', 'Tool 1 needs a name of letters, digits, "_" and "-".'],
    ['[{"name":"a"}]', 'a needs an input_schema: a JSON schema with "type": "object".'],
    [JSON.stringify([tool, tool]), 'There are two tools named get_weather. Give each its own name.'],
    ['[1]', 'Tool 1 must be an object with name, description and input_schema.'],
  ])('tools %s', (text, sentence) => {
    expect(problemOf(() => parseTools(text))).toBe(sentence);
  });

  test('a schema needs a type', () => {
    expect(problemOf(() => parseSchema('{}'))).toMatch(/^The schema must be an object with a "type"/);
    expect(parseSchema('{"type":"object"}')).toEqual({ type: 'object' });
  });
});

describe('a link', () => {
  const pageUrl = 'https://patchbay.example/console/messages';

  test('carries a request, whatever its texts contain', async () => {
    const body = {
      model: 'sandbox-text',
      messages: [{ role: 'user', content: 'Grüße, 世界 "&#?%" \n 😀'.repeat(20) }],
    };
    const link = await makeLink(body, `${pageUrl}#old`);
    expect(link).toMatch(/^https:\/\/patchbay\.example\/console\/messages#request=[\w-]+$/);
    expect(await readLink(new URL(link).hash)).toEqual(body);
  });

  test('that would be too long is refused with a sentence', async () => {
    const noise = Array.from({ length: 60_000 }, (_, index) =>
      ((index * 2_654_435_761) % 4_294_967_296).toString(36),
    ).join('');
    await expect(makeLink({ noise }, pageUrl)).rejects.toThrow(
      `at most ${MAX_LINK_CHARS.toLocaleString('en')} work everywhere`,
    );
  });

  test('that is damaged is refused with a sentence', async () => {
    const link = await makeLink({ model: 'x', messages: ['a'.repeat(500)] }, pageUrl);
    for (const fragment of ['#request=', '#request=%%%', '#request=AAAA', new URL(link).hash.slice(0, -8)])
      await expect(readLink(fragment)).rejects.toThrow('The request of this link cannot be read');
  });

  test('that unpacks to more than a page can show is refused', async () => {
    const link = await makeLink({ text: 'a'.repeat(5_000_000) }, pageUrl);
    expect(link.length).toBeLessThan(MAX_LINK_CHARS);
    await expect(readLink(new URL(link).hash)).rejects.toThrow('too large to open');
  });
});

test('long images are shortened where a request is shown, and nothing else', () => {
  const body = (data: string) => ({ messages: [{ content: [{ source: { data } }, { text: 'b'.repeat(9_000) }] }] });
  expect(shortBody(body('a'.repeat(5_000)))).toEqual(body(`${'a'.repeat(60)}… (5,000 characters)`));
  expect([isLong(body('a'.repeat(5_000))), isLong(body('a'))]).toEqual([true, false]);
});

describe('a draft that the tab stored', () => {
  const settings = emptySettings('sandbox-text');
  const draftOf = (fields: Record<string, unknown>) => parseDraft(JSON.stringify({ settings, left: [], ...fields }));

  test('under an earlier version keeps its images at URLs, which had another kind', () => {
    const images = [{ kind: 'address', url: 'https://example.com/a.png' }];
    const work = draftOf({ prompt: { text: 'What is this?', images }, turns: [] })!;
    expect(requestBody(work.settings, sandbox, 0, [], work.prompt).messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
          { type: 'text', text: 'What is this?' },
        ],
      },
    ]);
  });

  test('has the default of each setting that it lacks', () => {
    const work = draftOf({ settings: { modelId: 'sandbox-text', system: 'Be brief.' }, prompt: prompt(''), turns: [] });
    expect(work?.settings).toEqual({ ...settings, system: 'Be brief.' });
  });

  test('shows an answer that ran when the page was left as stopped', () => {
    const work = draftOf({ prompt: prompt(''), turns: [turn('Hello', [step({ state: 'running' })])] });
    expect(work?.turns[0]?.lanes[0][0]?.state).toBe('stopped');
  });

  test.each(['', 'null', '{', '[]', '{"settings":{}}'])('begins anew if it is %j', (text) => {
    expect(parseDraft(text)).toBeUndefined();
  });

  test.each(['prompt', 'turns'])('begins anew if it has no %s', (field) => {
    expect(draftOf({ prompt: prompt(''), turns: [], [field]: undefined })).toBeUndefined();
  });
});
