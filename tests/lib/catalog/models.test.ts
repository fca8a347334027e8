import { describe, expect, it } from 'vitest';
import { validateCatalog } from '../../../lib/catalog/validate-catalog';
import { allModels } from '../../../lib/catalog/models';
import type { Model, VideoModel } from '../../../lib/domain/model';
import { parsePrice } from '../../../lib/domain/money';
import { videoModels } from './video-models';

const model = (id: string): VideoModel => {
  const found = videoModels.find((each) => each.id === id);
  if (!found) throw new Error(`no ${id}`);
  return found;
};
const providers = (id: string) => model(id).bindings.map((binding) => binding.providerId);

describe('the models', () => {
  it('are 33 video models of providers, five of the sandbox, and one each for speech, transcription and conversation', () => {
    const sandbox = allModels.filter((each) => each.family === 'sandbox');
    expect(sandbox.map((each) => each.id)).toEqual([
      'sandbox-t2v',
      'sandbox-i2v',
      'sandbox-r2v',
      'sandbox-start-end',
      'sandbox-video-edit',
      'sandbox-tts',
      'sandbox-stt',
      'sandbox-text',
    ]);
    expect(videoModels.filter((each) => each.family !== 'sandbox')).toHaveLength(33);
  });

  it('have no errors', () => {
    expect(validateCatalog(allModels)).toEqual([]);
  });

  it('have the aliases for the newest version', () => {
    expect(Object.fromEntries(videoModels.flatMap((each) => each.aliases.map((alias) => [alias, each.id])))).toEqual({
      'happyhorse-t2v': 'happyhorse-1.1-t2v',
      'wan-t2v': 'wan-2.7-t2v',
      'kling-t2v': 'kling-3.0-t2v',
      'seedance-t2v': 'seedance-2.0-t2v',
      'veo-3.1': 'veo-3.1-t2v',
      'sora-2': 'sora-2-t2v',
    });
  });

  it('are experimental, with an unverified price, exactly if no price is published', () => {
    const unverified = videoModels.filter((each) =>
      each.bindings.some((binding) => !binding.price.verified && binding === each.bindings[0]),
    );
    expect(unverified.map((each) => [each.id, each.stability])).toEqual([
      ['wan-2.2-fast-i2v', 'experimental'],
      ['kling-3.0-omni-r2v', 'experimental'],
      ['kling-3.0-omni-video-edit', 'experimental'],
      ['hailuo-2.3-i2v', 'experimental'],
      ['vidu-q2-start-end', 'experimental'],
      ['higgsfield-dop-i2v', 'experimental'],
    ]);
    expect(videoModels.filter((each) => each.stability === 'experimental')).toHaveLength(6);
  });

  it('keep the order in which providers are tried', () => {
    expect(providers('kling-3.0-t2v')).toEqual(['kling', 'fal', 'replicate']);
    expect(providers('veo-3.1-t2v')).toEqual(['google-ai-studio', 'google-vertex', 'runway', 'fal']);
    expect(providers('pixverse-v6-transition')).toEqual(['pixverse', 'fal', 'muapi']);
  });

  it('give a binding without a price of its own the price of the model', () => {
    const [first, second] = model('wan-2.7-i2v').bindings;
    expect(second?.providerId).toBe('replicate');
    expect(second?.price).toBe(first?.price);
  });

  it('take fps only if it is a parameter', () => {
    expect(videoModels.filter((each) => each.video.fps.min !== undefined).map((each) => each.id)).toEqual([
      'sandbox-t2v',
      'sandbox-i2v',
      'sandbox-r2v',
      'sandbox-start-end',
      'sandbox-video-edit',
      'wan-2.2-fast-i2v',
    ]);
    expect(videoModels.filter((each) => each.video.parameters.includes('fps')).length).toBe(6);
  });

  it('list parameters with the provider that takes them, and all of them with the model', () => {
    const veo = model('veo-3.1-t2v');
    expect(veo.video.parameters).toEqual(['negative_prompt', 'generate_audio', 'seed']);
    expect(
      veo.bindings
        .filter((binding) => binding.parameters.includes('generate_audio'))
        .map((binding) => binding.providerId),
    ).toEqual(['google-vertex']);
    expect(model('happyhorse-1.1-t2v').bindings[1]?.parameters).toEqual([]);
  });

  it('take a video exactly if the request may contain one', () => {
    for (const { id, inputModalities, video } of videoModels)
      expect([id, inputModalities.includes('video')]).toEqual([
        id,
        Boolean(video.media.videos ?? video.media.sourceVideo),
      ]);
    expect(model('seedance-2.0-r2v').inputModalities).toEqual(['text', 'image', 'video']);
  });

  it('offer no second output, since only one is delivered', () => {
    expect(
      videoModels.filter(({ video, bindings }) =>
        [video, ...bindings].some(({ parameters }) => parameters.includes('num_videos')),
      ),
    ).toEqual([]);
  });

  it('declare the required media of each kind', () => {
    expect(model('happyhorse-1.1-r2v').video.media).toEqual({ images: { min: 1, max: 9 } });
    expect(model('seedance-2.0-r2v').video.media).toEqual({
      images: { min: 0, max: 9 },
      videos: { min: 0, max: 3 },
      eitherRequired: true,
    });
    expect(model('happyhorse-1.0-video-edit').video.media).toEqual({ sourceVideo: true, images: { min: 0, max: 5 } });
    expect(model('pixverse-v6-transition').video).toMatchObject({
      kind: 'start-end',
      media: { images: { min: 2, max: 2 } },
    });
  });
});

describe('validateCatalog', () => {
  const t2v = model('kling-3.0-t2v');
  const errorsOf = (...models: Model[]) => validateCatalog(models).join('\n');

  it('finds an alias that is another model, so that aliases cannot form circles', () => {
    expect(errorsOf(t2v, { ...model('wan-2.7-t2v'), aliases: ['kling-3.0-t2v'] })).toContain(
      '"kling-3.0-t2v" is used twice',
    );
  });

  it('finds an id whose ending does not match its kind', () => {
    expect(errorsOf({ ...t2v, id: 'kling-3.0' })).toContain('does not end as a t2v model must');
  });

  it('finds rates that are zero, negative or implausibly high', () => {
    for (const usd of [0n, -1n, parsePrice('84')]) {
      const bindings = t2v.bindings.map((binding) => ({ ...binding, price: { ...binding.price, rates: [{ usd }] } }));
      expect(errorsOf({ ...t2v, bindings })).toContain('a rate is not between');
    }
  });

  it('finds a tier without a rate', () => {
    const bindings = t2v.bindings.map((binding) => ({
      ...binding,
      price: { ...binding.price, rates: binding.price.rates.filter((rate) => rate.resolution !== '4k') },
    }));
    expect(errorsOf({ ...t2v, bindings })).toContain('kling: there is no rate for 4k');
  });

  it('finds defaults that are not allowed, alone or by a rule', () => {
    expect(errorsOf({ ...t2v, video: { ...t2v.video, defaultSeconds: 20 } })).toContain(
      'the default length is not allowed',
    );
    expect(errorsOf({ ...t2v, video: { ...t2v.video, rules: [{ resolutions: ['720p'], seconds: [10] }] } })).toContain(
      'the defaults break a rule',
    );
  });

  it('finds a first binding that does not serve every tier, because it gives the price in test mode', () => {
    expect(errorsOf({ ...t2v, bindings: t2v.bindings.slice(1) })).toContain('the first binding');
  });

  it('finds a replacement that does not exist', () => {
    expect(errorsOf({ ...t2v, replacements: ['kling-9'] })).toContain('the replacement kling-9');
  });
});
