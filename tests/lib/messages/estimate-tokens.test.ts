import { readFileSync } from 'node:fs';
import { createCanvas } from '@napi-rs/canvas';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { allModels } from '../../../lib/catalog/models';
import type { MessagesBody } from '../../../lib/domain/messages';
import type { MessagesModel } from '../../../lib/domain/model';
import { createTokenEstimator } from '../../../lib/messages/estimate-tokens';

// The corpus has two kinds of true counts. Those of Claude models are the vendor's own: the examples of its documentation of
// token counting and of pictures. Those of the o200k family are exact: its public encoding over the whole text, with the
// published overhead of chat messages (3 for each and 3 for the reply; 7, 3 and 12 around functions and their properties).

function modelOf(id: string, facts: Partial<MessagesModel['messages']> = {}): MessagesModel {
  const found = allModels.find((model) => model.id === id);
  if (found?.capability !== 'messages') throw new Error(`no ${id}`);
  return { ...found, messages: { ...found.messages, ...facts } };
}
const claude = modelOf('claude-haiku-4-5');
const open = modelOf('local-text', { tokenizer: { encoding: 'o200k', multiplier: 1 } });
const bodyOf = (fields: Readonly<Record<string, unknown>>) => ({ model: 'x', ...fields }) as unknown as MessagesBody;
const said = (...texts: string[]) => bodyOf({ messages: texts.map((content, index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', content })) });
const exactly = (...texts: string[]) => texts.reduce((sum, text) => sum + encode(text).length + 3, 3);

const english = 'The committee met on Tuesday to discuss the plans for the new bridge. Several residents spoke against the proposal, because the road would pass close to the school, while others thought that the shorter way to the hospital mattered more. ';
const chinese = '委员会于星期二开会讨论新桥的计划。几位居民反对这项提议，因为道路会经过学校附近，而其他人认为缩短去医院的路程更重要。';
const japanese = '委員会は火曜日に新しい橋の計画について話し合いました。道路が学校の近くを通るため、何人かの住民が反対しました。';
const german = 'Der Ausschuss tagte am Dienstag, um über die Pläne für die neue Brücke zu beraten. Mehrere Anwohner sprachen sich dagegen aus. ';
const json = JSON.stringify(Array.from({ length: 60 }, (_, index) => ({ id: `item_${index * 37}`, price: index * 1.25, tags: ['new', 'sale'], stock: { berlin: index, rome: index * 3 }, active: index % 2 === 0 })), null, 2);
const code = readFileSync('lib/http/json-body.ts', 'utf8');
const emoji = 'Great work 🎉🎉 see you soon 👋🏽 we ship 🚀 tomorrow 😀😀😀 ';
const base64 = Buffer.from(Array.from({ length: 6_000 }, (_, index) => (index * 7919) % 251)).toString('base64');

const weatherTool = {
  name: 'get_weather',
  description: 'Get the current weather in a given location',
  input_schema: { type: 'object', properties: { location: { type: 'string', description: 'The city and state, e.g. San Francisco, CA' } }, required: ['location'] },
};
const prime = [
  { role: 'user', content: 'Are there an infinite number of prime numbers such that n mod 4 == 3?' },
  {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: "This is a nice number theory question. Let's think about it step by step...", signature: 'EuYBCkQYAiJAgCs1le6/Pol5Z4/JMomVOouGrWdhYNsH3ukzUECbB6iWrSQtsQuRHJID6lWV' },
      { type: 'text', text: 'Yes, there are infinitely many prime numbers p such that p mod 4 = 3...' },
    ],
  },
  { role: 'user', content: 'Can you write a formal proof?' },
];

const picture = (width: number, height: number, type: 'image/png' | 'image/jpeg' | 'image/webp') => ({
  type: 'image',
  source: { type: 'base64', media_type: type, data: createCanvas(width, height).toBuffer(type as 'image/png').toString('base64') },
});
const shown = (width: number, height: number, type: 'image/png' | 'image/jpeg' | 'image/webp') => bodyOf({ messages: [{ role: 'user', content: [picture(width, height, type), { type: 'text', text: 'Describe this image.' }] }] });

const entries: readonly (readonly [string, MessagesModel, number, MessagesBody])[] = [
  ['a short question, by the documentation', claude, 14, bodyOf({ system: 'You are a scientist', messages: [{ role: 'user', content: 'Hello, Claude' }] })],
  ['a tool, by the documentation', claude, 403, bodyOf({ tools: [weatherTool], messages: [{ role: 'user', content: "What's the weather like in San Francisco?" }] })],
  ['a thought, by the documentation', claude, 88, bodyOf({ messages: prime })],
  ['a picture of 1092 × 1092, by the documentation', claude, 1_590 + 12, shown(1_092, 1_092, 'image/png')],
  ['a picture of 1000 × 1000, by the documentation', claude, 1_334 + 12, shown(1_000, 1_000, 'image/jpeg')],
  ['a picture of 200 × 200, by the documentation', claude, 54 + 12, shown(200, 200, 'image/webp')],
  ['English', open, exactly(english.repeat(8)), said(english.repeat(8))],
  ['Chinese', open, exactly(chinese.repeat(8)), said(chinese.repeat(8))],
  ['Japanese', open, exactly(japanese.repeat(8)), said(japanese.repeat(8))],
  ['German', open, exactly(german.repeat(8)), said(german.repeat(8))],
  ['JSON', open, exactly(json), said(json)],
  ['code', open, exactly(code), said(code)],
  ['emoji', open, exactly(emoji.repeat(10)), said(emoji.repeat(10))],
  ['many turns', open, exactly(...Array.from({ length: 60 }, () => english)), said(...Array.from({ length: 60 }, () => english))],
  ['tools', open, exactly('Hi') + 16 + 24 * (7 + 12 + encode(`${weatherTool.name}${weatherTool.description}`).length + 3 + 3 + encode(weatherTool.input_schema.properties.location.description).length + 9), bodyOf({ tools: Array.from({ length: 24 }, (_, index) => ({ ...weatherTool, name: `get_weather_${index}` })), messages: [{ role: 'user', content: 'Hi' }] })],
];

const corpus = entries.map(([what, model, truth, body]) => ({ what, model, truth, body }));

describe('the careful estimate', () => {
  it.each(corpus)('is within 15 percent of the true count: $what', async ({ model, truth, body }) => {
    const estimate = await createTokenEstimator().careful(body, model);
    expect(estimate / truth).toBeGreaterThan(0.85);
    expect(estimate / truth).toBeLessThan(1.15);
  });

  it('counts a picture by its size and never by its letters', async () => {
    const { quick, careful } = createTokenEstimator();
    const large = shown(3_000, 2_000, 'image/png');
    expect(await careful(large, claude)).toBeLessThan(1_800);
    expect(quick(large, claude)).toBeLessThan(1_800);
  });

  it('takes no longer for text that is no language', async () => {
    const startedAt = performance.now();
    await createTokenEstimator().careful(said('a'.repeat(1_000_000), base64), open);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });
});

describe('the quick estimate', () => {
  it.each(corpus.filter(({ what }) => !['emoji', 'JSON'].includes(what)))('is near enough to hold credit by: $what', ({ model, truth, body }) => {
    const estimate = createTokenEstimator().quick(body, model);
    expect(estimate / truth).toBeGreaterThan(0.7);
    expect(estimate / truth).toBeLessThan(1.6);
  });
});

describe('both estimates', () => {
  it('learn from what providers count, each model for itself', async () => {
    const estimator = createTokenEstimator();
    const body = said(english.repeat(20));
    const before = { quick: estimator.quick(body, open), careful: await estimator.careful(body, open) };
    for (let times = 0; times < 320; times += 1) {
      estimator.learn(body, open, 1_500);
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    await expect.poll(() => estimator.careful(body, open)).toBeGreaterThan(1_400);
    expect(before.careful).toBeLessThan(1_100);
    expect(estimator.quick(body, open)).toBeGreaterThan(1_450);
    expect(estimator.quick(body, claude)).toBeCloseTo(createTokenEstimator().quick(body, claude), -1);
  });

  it('never learn nonsense', () => {
    const estimator = createTokenEstimator();
    const body = said(english.repeat(20));
    const before = estimator.quick(body, open);
    for (let times = 0; times < 100; times += 1) estimator.learn(body, open, 1_000_000);
    expect(estimator.quick(body, open)).toBeLessThanOrEqual(before * 2 + 1);
  });
});
