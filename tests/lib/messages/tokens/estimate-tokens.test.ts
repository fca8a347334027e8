import { describe, expect, it } from 'vitest';
import type { MessagesBody } from '../../../../lib/domain/messages';
import type { MessagesModel } from '../../../../lib/domain/model';
import { countable } from '../../../../lib/messages/tokens/countable';
import { createTokenEstimator } from '../../../../lib/messages/tokens/estimate-tokens';
import { sampleOf, type TokenCounter } from '../../../../lib/messages/tokens/token-counter';
import { countTokensOf } from '../../../../lib/messages/tokens/tokenizer';
import { corpus, english, haiku45, modelOf, newerByText, o200k, opus48, pictures, said, shown } from '../token-corpus';

const base64 = Buffer.from(Array.from({ length: 6_000 }, (_, index) => (index * 7919) % 251)).toString('base64');
const opus55 = modelOf('claude-opus-5-5');

/** Counts like the worker thread, in this process. */
const counter: Pick<TokenCounter, 'count' | 'isBusy'> = {
  async count(texts, tokenizer) {
    const sample = sampleOf(texts);
    return (await countTokensOf(sample.texts, tokenizer)) * sample.times;
  },
  isBusy: () => false,
};

function createEstimator(by = counter) {
  const estimator = createTokenEstimator(by);
  return {
    ...estimator,
    careful: (body: MessagesBody, model: MessagesModel) => estimator.careful(countable(body, model.messages), model),
  };
}

describe('the careful estimate', () => {
  it.each(corpus)(
    'is within 15 percent of the true count, or three tokens: $what ($origin.kind)',
    async ({ model, tokens, body }) => {
      const estimate = await createEstimator().careful(body, model);
      expect(estimate / tokens).toBeGreaterThan(0.85);
      // In a text of a few words a single token exceeds the percentage.
      expect(estimate).toBeLessThanOrEqual(Math.max(tokens * 1.15, tokens + 3));
    },
  );

  it.each(pictures)(
    'is within 15 percent for an image of $width × $height',
    async ({ width, height, earlier, current }) => {
      const [smallest] = pictures;
      const estimator = createEstimator();
      for (const [model, tokens, least] of [
        [haiku45, earlier, smallest!.earlier],
        [opus55, current, smallest!.current],
      ] as const) {
        const question = (await estimator.careful(said('Describe this image.'), model)) / 1.05;
        const estimate = (await estimator.careful(shown(width, height), model)) - question;
        const truth = tokens - least + 100;
        expect(estimate / truth).toBeGreaterThan(0.85);
        expect(estimate / truth).toBeLessThan(1.15);
      }
    },
  );

  it.each(['image/png', 'image/jpeg', 'image/webp'] as const)('reads the size of an image in %s', async (type) => {
    const estimator = createEstimator();
    expect(await estimator.careful(shown(640, 480, type), haiku45)).toBe(
      await estimator.careful(shown(640, 480), haiku45),
    );
  });

  it.each(newerByText)(
    'predicts within 15 percent how many more tokens newer models make: $what',
    async ({ text, ratio }) => {
      const estimator = createEstimator();
      const more = (await estimator.careful(said(text), opus48)) / (await estimator.careful(said(text), haiku45));
      expect(more / ratio).toBeGreaterThan(0.85);
      expect(more / ratio).toBeLessThan(1.15);
    },
  );

  it('counts an image by its size and never by its base64 text', async () => {
    const { quick, careful } = createEstimator();
    const large = shown(3_000, 2_000);
    expect(await careful(large, haiku45)).toBeLessThan(1_800);
    expect(quick(large, haiku45)).toBeLessThan(1_800);
  });

  it('is that of the whole text if only a sample is counted', async () => {
    const { careful } = createEstimator();
    const prose = `${english} 好的，我们先看一下这个问题。`;
    for (const model of [o200k, haiku45]) {
      const once = await careful(said(prose.repeat(50)), model);
      expect((await careful(said(prose.repeat(5_000)), model)) / (once * 100)).toBeCloseTo(1, 1);
      expect(
        (await careful(said(...Array.from({ length: 5_000 }, () => prose)), model)) /
          (await careful(said(...Array.from({ length: 50 }, () => prose)), model)) /
          100,
      ).toBeCloseTo(1, 1);
    }
  });

  it('of Chinese prose is that of the tokenizer within two percent, although it is counted in pieces', async () => {
    const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
    const prose =
      '今天的会议讨论了三个问题：第一是如何降低延迟，第二是怎样让账单更容易看懂，第三是新的供应商什么时候可以接入。大家认为，先把已有的功能做稳，再考虑增加新的模型。'.repeat(
        20,
      );
    expect(
      (await countTokensOf([prose], o200k.messages.tokenizer)) /
        o200k.messages.tokenizer.multiplier /
        countTokens(prose),
    ).toBeCloseTo(1, 1.5);
  });

  it('is the quick one when the tokens cannot be counted', async () => {
    const { quick, careful } = createEstimator({
      ...counter,
      count: async () => Promise.reject(new Error('no thread')),
    });
    expect(await careful(said(english), haiku45)).toBe(quick(said(english), haiku45));
  });

  const random = (letters: number, from: number, span: number) =>
    Array.from({ length: letters }, (_, at) => String.fromCodePoint(from + ((at * 7_919 + at * at) % span))).join('');
  it.each([
    ['a hundred thousand emoji', random(100_000, 0x1f300, 800)],
    ['a hundred thousand random Chinese letters', random(100_000, 0x4e00, 20_000)],
    ['half a million accents', 'é'.repeat(500_000)],
  ])('takes no longer for %s', async (_what, text) => {
    for (const model of [o200k, haiku45]) {
      const startedAt = performance.now();
      await createEstimator().careful(said(text), model);
      // A fraction of it; it once took four seconds.
      expect(performance.now() - startedAt).toBeLessThan(2_000);
    }
  });

  it('takes no longer for random text', async () => {
    const startedAt = performance.now();
    await createEstimator().careful(said('a'.repeat(1_000_000), base64), o200k);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });
});

describe('the quick estimate', () => {
  it.each(corpus.filter(({ what }) => !['emoji', 'JSON'].includes(what)))(
    'is close enough for a credit reservation: $what',
    ({ model, tokens, body }) => {
      const estimate = createEstimator().quick(body, model);
      expect(estimate / tokens).toBeGreaterThan(0.7);
      expect(estimate / tokens).toBeLessThan(1.6);
    },
  );
});

describe('both estimates', () => {
  it('learn from what providers count, for each model separately', async () => {
    const estimator = createEstimator();
    const body = said(english.repeat(20));
    const before = { quick: estimator.quick(body, o200k), careful: await estimator.careful(body, o200k) };
    for (let times = 0; times < 320; times += 1) {
      estimator.learn(body, o200k, 1_500);
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    await expect.poll(() => estimator.careful(body, o200k)).toBeGreaterThan(1_400);
    expect(before.careful).toBeLessThan(1_100);
    expect(estimator.quick(body, o200k)).toBeGreaterThan(1_450);
    expect(estimator.quick(body, haiku45)).toBeCloseTo(createEstimator().quick(body, haiku45), -1);
  });

  it('never learn implausible counts', () => {
    const estimator = createEstimator();
    const body = said(english.repeat(20));
    const before = estimator.quick(body, o200k);
    for (let times = 0; times < 100; times += 1) estimator.learn(body, o200k, 1_000_000);
    expect(estimator.quick(body, o200k)).toBeLessThanOrEqual(before * 2 + 1);
  });
});
