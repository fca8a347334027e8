import { describe, expect, it } from 'vitest';
import { createTokenEstimator } from '../../../lib/messages/estimate-tokens';
import { corpus, english, haiku45, modelOf, newerByText, o200k, opus48, pictures, said, shown } from './token-corpus';

const base64 = Buffer.from(Array.from({ length: 6_000 }, (_, index) => (index * 7919) % 251)).toString('base64');
const opus55 = modelOf('claude-opus-5-5');

describe('the careful estimate', () => {
  it.each(corpus)('24: is within 15 percent of the true count, or three tokens: $what ($origin.kind)', async ({ model, tokens, body }) => {
    const estimate = await createTokenEstimator().careful(body, model);
    expect(estimate / tokens).toBeGreaterThan(0.85);
    // Of a few words a single token is more than that.
    expect(estimate).toBeLessThanOrEqual(Math.max(tokens * 1.15, tokens + 3));
  });

  it.each(pictures)('is within 15 percent for a picture of $width × $height', async ({ width, height, earlier, current }) => {
    const [smallest] = pictures;
    const estimator = createTokenEstimator();
    for (const [model, tokens, least] of [[haiku45, earlier, smallest!.earlier], [opus55, current, smallest!.current]] as const) {
      const question = (await estimator.careful(said('Describe this image.'), model)) / 1.05;
      const estimate = (await estimator.careful(shown(width, height), model)) - question;
      const truth = tokens - least + 100;
      expect(estimate / truth).toBeGreaterThan(0.85);
      expect(estimate / truth).toBeLessThan(1.15);
    }
  });

  it.each(['image/png', 'image/jpeg', 'image/webp'] as const)('reads the size of a picture in %s', async (type) => {
    const estimator = createTokenEstimator();
    expect(await estimator.careful(shown(640, 480, type), haiku45)).toBe(await estimator.careful(shown(640, 480), haiku45));
  });

  it.each(newerByText)('knows within 15 percent how many more tokens newer models make: $what', async ({ text, ratio }) => {
    const estimator = createTokenEstimator();
    const more = (await estimator.careful(said(text), opus48)) / (await estimator.careful(said(text), haiku45));
    expect(more / ratio).toBeGreaterThan(0.85);
    expect(more / ratio).toBeLessThan(1.15);
  });

  it('counts a picture by its size and never by its letters', async () => {
    const { quick, careful } = createTokenEstimator();
    const large = shown(3_000, 2_000);
    expect(await careful(large, haiku45)).toBeLessThan(1_800);
    expect(quick(large, haiku45)).toBeLessThan(1_800);
  });

  it('takes no longer for text that is no language', async () => {
    const startedAt = performance.now();
    await createTokenEstimator().careful(said('a'.repeat(1_000_000), base64), o200k);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });
});

describe('the quick estimate', () => {
  it.each(corpus.filter(({ what }) => !['emoji', 'JSON'].includes(what)))('is near enough to hold credit by: $what', ({ model, tokens, body }) => {
    const estimate = createTokenEstimator().quick(body, model);
    expect(estimate / tokens).toBeGreaterThan(0.7);
    expect(estimate / tokens).toBeLessThan(1.6);
  });
});

describe('both estimates', () => {
  it('learn from what providers count, each model for itself', async () => {
    const estimator = createTokenEstimator();
    const body = said(english.repeat(20));
    const before = { quick: estimator.quick(body, o200k), careful: await estimator.careful(body, o200k) };
    for (let times = 0; times < 320; times += 1) {
      estimator.learn(body, o200k, 1_500);
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    await expect.poll(() => estimator.careful(body, o200k)).toBeGreaterThan(1_400);
    expect(before.careful).toBeLessThan(1_100);
    expect(estimator.quick(body, o200k)).toBeGreaterThan(1_450);
    expect(estimator.quick(body, haiku45)).toBeCloseTo(createTokenEstimator().quick(body, haiku45), -1);
  });

  it('never learn nonsense', () => {
    const estimator = createTokenEstimator();
    const body = said(english.repeat(20));
    const before = estimator.quick(body, o200k);
    for (let times = 0; times < 100; times += 1) estimator.learn(body, o200k, 1_000_000);
    expect(estimator.quick(body, o200k)).toBeLessThanOrEqual(before * 2 + 1);
  });
});
