import { describe, expect, it } from 'vitest';
import { catalogIssues } from '../../../lib/catalog/validate-catalog';
import { unionOfFacts } from '../../../lib/catalog/binding-facts';
import { allModels } from '../../../lib/catalog/models';
import type { Model, VideoModel } from '../../../lib/domain/model';
import { parsePrice } from '../../../lib/domain/money';
import type { VideoRate } from '../../../lib/domain/video';
import { videoModels } from './video-models';

const model = (id: string): VideoModel => {
  const found = videoModels.find((each) => each.id === id);
  if (!found) throw new Error(`no ${id}`);
  return found;
};
const providers = (id: string) => model(id).bindings.map((binding) => binding.providerId);

describe('the models', () => {
  it('of the sandbox are five for videos, and one each for speech, transcription and conversation', () => {
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
  });

  it('have no errors', () => {
    expect(catalogIssues(allModels)).toEqual([]);
  });

  it('have aliases, which stay with a model when a newer one is added', () => {
    expect(Object.fromEntries(videoModels.flatMap((each) => each.aliases.map((alias) => [alias, each.id])))).toEqual({
      'happyhorse-t2v': 'happyhorse-1.1-t2v',
      'wan-t2v': 'wan-2.7-t2v',
      'kling-t2v': 'kling-3.0-t2v',
      'seedance-t2v': 'seedance-2.0-t2v',
      'gemini-omni-1.2-flash': 'gemini-omni-1.2-flash-t2v',
      'gemini-omni-1.1-flash': 'gemini-omni-1.1-flash-t2v',
      'veo-3.1': 'veo-3.1-t2v',
      'local-video': 'local-video-t2v',
      'sora-2': 'sora-2-t2v',
      'veo-3.0-generate-001': 'veo-3.0-t2v',
      'veo-3.0-fast-generate-001': 'veo-3.0-fast-t2v',
      'veo-2.0-generate-001': 'veo-2.0-t2v',
    });
  });

  it('with an unverified first price are experimental, unless another provider has published its price', () => {
    const unverified = videoModels.filter((each) => !each.bindings[0]?.price.verified);
    expect(unverified.map((each) => [each.id, each.stability])).toEqual([
      ['happyhorse-1.1-t2v', 'stable'],
      ['happyhorse-1.1-i2v', 'stable'],
      ['happyhorse-1.1-r2v', 'experimental'],
      ['happyhorse-1.0-t2v', 'stable'],
      ['happyhorse-1.0-i2v', 'stable'],
      ['happyhorse-1.0-r2v', 'stable'],
      ['happyhorse-1.0-video-edit', 'stable'],
      ['wan-3.0-t2v', 'stable'],
      ['wan-3.0-i2v', 'experimental'],
      ['wan-3.0-start-end', 'experimental'],
      ['wan-3.0-r2v', 'stable'],
      ['wan-3.0-prime-t2v', 'experimental'],
      ['wan-2.7-t2v', 'experimental'],
      ['wan-2.7-i2v', 'stable'],
      ['wan-2.7-r2v', 'stable'],
      ['wan-2.7-video-edit', 'experimental'],
      ['wan-2.6-t2v', 'experimental'],
      ['wan-2.6-i2v', 'experimental'],
      ['wan-2.6-r2v', 'stable'],
      ['wan-2.6-flash-i2v', 'experimental'],
      ['wan-2.6-flash-r2v', 'stable'],
      ['wan-2.5-t2v', 'stable'],
      ['wan-2.5-i2v', 'stable'],
      ['wan-2.2-flash-start-end', 'experimental'],
      ['wan-2.2-fast-t2v', 'experimental'],
      ['wan-2.2-fast-i2v', 'experimental'],
      ['wan-2.2-fast-start-end', 'experimental'],
      ['kling-4.0-t2v', 'stable'],
      ['kling-4.0-i2v', 'stable'],
      ['kling-4.0-start-end', 'stable'],
      ['kling-4.0-r2v', 'stable'],
      ['kling-4.0-video-edit', 'stable'],
      ['kling-3.0-t2v', 'stable'],
      ['kling-3.0-i2v', 'stable'],
      ['kling-3.0-start-end', 'stable'],
      ['kling-3.0-omni-r2v', 'stable'],
      ['kling-3.0-omni-t2v', 'stable'],
      ['kling-3.0-omni-i2v', 'stable'],
      ['kling-3.0-omni-start-end', 'stable'],
      ['kling-3.0-omni-video-edit', 'stable'],
      ['kling-o1-t2v', 'experimental'],
      ['kling-o1-i2v', 'stable'],
      ['kling-o1-start-end', 'stable'],
      ['kling-o1-r2v', 'experimental'],
      ['kling-o1-video-edit', 'experimental'],
      ['kling-3.0-turbo-t2v', 'stable'],
      ['kling-3.0-turbo-i2v', 'stable'],
      ['kling-2.6-t2v', 'stable'],
      ['kling-2.6-i2v', 'stable'],
      ['kling-2.6-start-end', 'stable'],
      ['kling-2.5-turbo-t2v', 'experimental'],
      ['kling-2.5-turbo-i2v', 'stable'],
      ['kling-2.5-turbo-start-end', 'stable'],
      ['kling-2.0-master-i2v', 'experimental'],
      ['kling-1.6-pro-t2v', 'experimental'],
      ['kling-1.6-pro-i2v', 'experimental'],
      ['kling-1.6-pro-start-end', 'experimental'],
      ['kling-1.6-pro-r2v', 'experimental'],
      ['kling-1.6-t2v', 'experimental'],
      ['kling-1.6-i2v', 'experimental'],
      ['kling-1.6-r2v', 'experimental'],
      ['kling-1.5-pro-t2v', 'experimental'],
      ['kling-1.5-pro-i2v', 'experimental'],
      ['kling-1.5-pro-start-end', 'experimental'],
      ['kling-1.0-t2v', 'experimental'],
      ['kling-1.0-i2v', 'experimental'],
      ['kling-1.0-start-end', 'experimental'],
      ['seedance-2.5-t2v', 'experimental'],
      ['seedance-2.5-i2v', 'stable'],
      ['seedance-2.5-start-end', 'stable'],
      ['seedance-2.5-r2v', 'stable'],
      ['seedance-2.5-video-edit', 'experimental'],
      ['seedance-1.5-pro-t2v', 'stable'],
      ['seedance-1.5-pro-i2v', 'stable'],
      ['seedance-1.5-pro-start-end', 'stable'],
      ['seedance-1.0-pro-t2v', 'experimental'],
      ['seedance-1.0-pro-i2v', 'stable'],
      ['seedance-1.0-pro-start-end', 'stable'],
      ['seedance-1.0-lite-t2v', 'stable'],
      ['seedance-1.0-lite-i2v', 'stable'],
      ['seedance-1.0-lite-start-end', 'stable'],
      ['seedance-1.0-lite-r2v', 'experimental'],
      ['seedance-1.0-pro-fast-t2v', 'stable'],
      ['seedance-1.0-pro-fast-i2v', 'stable'],
      ['gemini-omni-1.2-flash-t2v', 'stable'],
      ['gemini-omni-1.2-flash-i2v', 'experimental'],
      ['gemini-omni-1.2-flash-start-end', 'experimental'],
      ['gemini-omni-1.2-flash-video-edit', 'experimental'],
      ['gemini-omni-1.1-flash-t2v', 'stable'],
      ['gemini-omni-1.1-flash-i2v', 'stable'],
      ['gemini-omni-1.1-flash-start-end', 'stable'],
      ['gemini-omni-1.1-flash-video-edit', 'stable'],
      ['gemini-omni-flash-t2v', 'experimental'],
      ['gemini-omni-flash-i2v', 'experimental'],
      ['gemini-omni-flash-r2v', 'experimental'],
      ['gemini-omni-flash-video-edit', 'experimental'],
      ['veo-3.1-t2v', 'stable'],
      ['veo-3.1-i2v', 'stable'],
      ['veo-3.1-start-end', 'stable'],
      ['veo-3.1-r2v', 'stable'],
      ['veo-3.1-fast-t2v', 'stable'],
      ['veo-3.1-fast-i2v', 'stable'],
      ['veo-3.1-fast-start-end', 'stable'],
      ['veo-3.1-fast-r2v', 'experimental'],
      ['veo-3.1-lite-t2v', 'stable'],
      ['veo-3.1-lite-i2v', 'stable'],
      ['veo-3.1-lite-start-end', 'stable'],
      ['aleph-2-video-edit', 'experimental'],
      ['hailuo-2.3-t2v', 'stable'],
      ['hailuo-2.3-i2v', 'stable'],
      ['hailuo-2.3-fast-i2v', 'stable'],
      ['hailuo-02-t2v', 'stable'],
      ['hailuo-02-i2v', 'stable'],
      ['hailuo-02-start-end', 'stable'],
      ['minimax-s2v-01-r2v', 'stable'],
      ['minimax-01-t2v', 'experimental'],
      ['minimax-01-i2v', 'experimental'],
      ['minimax-01-director-t2v', 'experimental'],
      ['minimax-01-director-i2v', 'experimental'],
      ['minimax-01-live-i2v', 'experimental'],
      ['minimax-h3-t2v', 'stable'],
      ['minimax-h3-i2v', 'experimental'],
      ['minimax-h3-start-end', 'experimental'],
      ['minimax-h3-r2v', 'experimental'],
      ['minimax-h3-max-t2v', 'stable'],
      ['minimax-h3-max-i2v', 'stable'],
      ['minimax-h3-max-start-end', 'stable'],
      ['minimax-h3-max-r2v', 'experimental'],
      ['minimax-h3-max-turbo-t2v', 'experimental'],
      ['minimax-h3-max-turbo-i2v', 'experimental'],
      ['minimax-h3-max-turbo-start-end', 'experimental'],
      ['vidu-q4-preview-i2v', 'experimental'],
      ['vidu-q4-preview-r2v', 'experimental'],
      ['vidu-q3-pro-fast-i2v', 'experimental'],
      ['vidu-q2-t2v', 'stable'],
      ['vidu-q2-i2v', 'experimental'],
      ['vidu-q2-start-end', 'experimental'],
      ['vidu-q2-pro-i2v', 'stable'],
      ['vidu-q2-pro-start-end', 'stable'],
      ['vidu-q2-pro-fast-i2v', 'experimental'],
      ['vidu-q2-pro-fast-start-end', 'experimental'],
      ['vidu-q2-r2v', 'experimental'],
      ['vidu-q2-pro-r2v', 'experimental'],
      ['vidu-q1-t2v', 'experimental'],
      ['vidu-q1-i2v', 'experimental'],
      ['vidu-q1-start-end', 'experimental'],
      ['vidu-q1-r2v', 'stable'],
      ['vidu-q1-classic-i2v', 'experimental'],
      ['vidu-q1-classic-start-end', 'experimental'],
      ['vidu-2.0-i2v', 'experimental'],
      ['vidu-2.0-start-end', 'experimental'],
      ['vidu-2.0-r2v', 'experimental'],
      ['pixverse-c1-t2v', 'stable'],
      ['pixverse-c1-i2v', 'stable'],
      ['pixverse-c1-transition', 'stable'],
      ['pixverse-c1-r2v', 'stable'],
      ['pixverse-v5.6-t2v', 'experimental'],
      ['pixverse-v5.6-i2v', 'experimental'],
      ['pixverse-v5.6-transition', 'stable'],
      ['pixverse-v5.6-r2v', 'experimental'],
      ['pixverse-v5.5-t2v', 'stable'],
      ['pixverse-v5.5-i2v', 'experimental'],
      ['pixverse-v5.5-transition', 'experimental'],
      ['pixverse-v5.5-r2v', 'experimental'],
      ['pixverse-v5-r2v', 'experimental'],
      ['pixverse-v4.5-t2v', 'experimental'],
      ['pixverse-v4.5-i2v', 'experimental'],
      ['pixverse-v4.5-transition', 'experimental'],
      ['pixverse-v4.5-r2v', 'experimental'],
      ['pixverse-v4-t2v', 'experimental'],
      ['pixverse-v4-i2v', 'experimental'],
      ['pixverse-v4-transition', 'experimental'],
      ['pixverse-v3.5-t2v', 'experimental'],
      ['pixverse-v3.5-i2v', 'experimental'],
      ['pixverse-v3.5-transition', 'experimental'],
      ['grok-imagine-video-edit', 'stable'],
      ['grok-imagine-1.5-lite-t2v', 'experimental'],
      ['grok-imagine-1.5-lite-i2v', 'experimental'],
      ['grok-imagine-1.5-start-end', 'experimental'],
      ['higgsfield-dop-i2v', 'experimental'],
      ['ray-3.2-t2v', 'stable'],
      ['ray-3.2-i2v', 'stable'],
      ['ray-3.2-start-end', 'experimental'],
      ['ray-3.2-video-edit', 'experimental'],
      ['ray-2-t2v', 'stable'],
      ['ray-2-i2v', 'experimental'],
      ['ray-2-start-end', 'experimental'],
      ['ray-2-video-edit', 'experimental'],
      ['ray-2-flash-t2v', 'stable'],
      ['ray-2-flash-i2v', 'experimental'],
      ['ray-2-flash-start-end', 'experimental'],
      ['ray-2-flash-video-edit', 'stable'],
      ['local-video-t2v', 'experimental'],
      ['local-video-i2v', 'experimental'],
      ['veo-3.0-t2v', 'experimental'],
      ['veo-3.0-i2v', 'experimental'],
      ['veo-3.0-fast-t2v', 'experimental'],
      ['veo-3.0-fast-i2v', 'experimental'],
      ['veo-2.0-t2v', 'experimental'],
      ['veo-2.0-i2v', 'experimental'],
    ]);
    expect(videoModels.filter((each) => each.stability === 'experimental')).toEqual(
      unverified.filter((each) => each.bindings.every(({ price }) => !price.verified)),
    );
    for (const { id, bindings } of videoModels)
      for (const { providerId, price, stability } of bindings)
        expect([id, providerId, stability === 'experimental', price.source.includes('UNVERIFIED')]).toEqual([
          id,
          providerId,
          !price.verified,
          !price.verified || price.rates.some((rate) => rate.unverified),
        ]);
  });

  it('keep the order in which providers are tried', () => {
    expect(providers('kling-3.0-t2v')).toEqual([
      'kling',
      ...Array(3).fill('fal'),
      'replicate',
      ...Array(3).fill('wavespeed'),
    ]);
    expect(providers('veo-3.1-t2v')).toEqual([
      'google-ai-studio',
      'google-vertex',
      'runway',
      'fal',
      'replicate',
      'wavespeed',
    ]);
    expect(providers('pixverse-v6-transition')).toEqual(['fal', 'pixverse', 'replicate', 'wavespeed']);
    expect(providers('pixverse-v4-transition')).toEqual(['pixverse']);
  });

  it('give a binding without a price of its own the price of the model', () => {
    const [first, second] = model('pixverse-v6-t2v').bindings;
    expect([first?.providerId, second?.providerId]).toEqual(['fal', 'pixverse']);
    expect(second?.price).not.toBe(first?.price);
    const [direct, resold] = model('happyhorse-1.1-t2v').bindings;
    expect([direct?.providerId, resold?.providerId]).toEqual(['alibaba', 'fal']);
    expect(direct?.price).toEqual(model('happyhorse-1.1-i2v').bindings[0]?.price);
    expect(direct?.price).not.toEqual(resold?.price);
  });

  it('take fps only if it is a parameter', () => {
    expect(videoModels.filter((each) => each.video.fps.min !== undefined).map((each) => each.id)).toEqual([
      'sandbox-t2v',
      'sandbox-i2v',
      'sandbox-r2v',
      'sandbox-start-end',
      'sandbox-video-edit',
      'wan-2.2-fast-t2v',
      'wan-2.2-fast-i2v',
      'wan-2.2-fast-start-end',
    ]);
    expect(videoModels.filter((each) => each.video.parameters.includes('fps')).length).toBe(8);
  });

  it('list parameters with the provider that takes them, and all of them with the model', () => {
    const veo = model('veo-3.1-t2v');
    expect(veo.video.parameters).toEqual(['negative_prompt', 'generate_audio', 'seed', 'quality']);
    const takersOf = (name: string) =>
      veo.bindings.filter(({ parameters }) => parameters.includes(name)).map(({ providerId }) => providerId);
    expect(takersOf('generate_audio')).toEqual(['google-vertex', 'runway', 'fal', 'replicate', 'wavespeed']);
    expect(takersOf('quality')).toEqual(['google-vertex']);
    const atRunway = model('happyhorse-1.1-t2v').bindings.find(({ providerId }) => providerId === 'runway');
    expect(atRunway?.parameters).toEqual([]);
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

describe('catalogIssues', () => {
  const t2v = model('kling-3.0-t2v');
  const errorsOf = (...models: Model[]) =>
    catalogIssues(models)
      .map(({ modelId, reason }) => `${modelId}: ${reason}`)
      .join('\n');

  /** The model alone, with these rates at each of its providers. */
  function withRates(id: string, rates: readonly VideoRate[]): VideoModel {
    const { deprecatedAt: _at, replacements: _names, ...whole } = model(id);
    return { ...whole, bindings: whole.bindings.map((each) => ({ ...each, price: { ...each.price, rates } })) };
  }

  it('finds all errors', () => {
    const [first, ...others] = allModels;
    if (!first) throw new Error('no models');
    expect(errorsOf({ ...first, description: '' }, first, ...others)).toMatch(/used twice[^]*description is empty/);
  });

  it('finds an alias that is another model, so that aliases cannot form circles', () => {
    expect(errorsOf(t2v, { ...model('wan-2.7-t2v'), aliases: ['kling-3.0-t2v'] })).toContain(
      '"kling-3.0-t2v" is used twice',
    );
  });

  it('finds an id whose ending does not match its kind', () => {
    expect(errorsOf({ ...t2v, id: 'kling-3.0' })).toContain('the id of a t2v model must end in -t2v');
  });

  it('finds rates that are zero, negative or implausibly high', () => {
    for (const usd of [0n, -1n, parsePrice('84')]) {
      const bindings = t2v.bindings.map((binding) => ({ ...binding, price: { ...binding.price, rates: [{ usd }] } }));
      expect(errorsOf({ ...t2v, bindings })).toContain('the price of a second or clip must be more than $0');
    }
  });

  it('finds a tier without a rate', () => {
    const bindings = t2v.bindings.map((binding) => ({
      ...binding,
      price: { ...binding.price, rates: binding.price.rates.filter((rate) => rate.resolution !== '4k') },
    }));
    expect(errorsOf({ ...t2v, bindings })).toContain('kling: there is no rate for 4k');
  });

  it.each<[string, Partial<VideoRate>, string]>([
    ['kling-3.0-t2v', { audio: true }, '720p, without audio'],
    ['kling-3.0-t2v', { seconds: 5 }, '720p, 3 seconds'],
    ['kling-3.0-t2v', { aspectRatios: ['16:9', '1:1'] }, '720p, 9:16'],
    ['wan-2.7-video-edit', { aspectRatios: ['16:9'] }, '720p, the ratio of the media'],
    ['higgsfield-dop-i2v', { option: 'dop-lite' }, '720p, no option'],
    ['seedance-2.0-r2v', { withVideoInput: false }, '480p, with a reference video'],
    ['wan-2.7-r2v', { withVoice: true }, '720p, without a reference voice'],
    // Of an edit as long as its source, of any whole second, and of a silent tier of a provider that always has sound.
    ['ray-2-video-edit', { seconds: 10 }, '720p, 1 second'],
    ['kling-2.6-t2v', { audio: true }, '720p, without audio'],
  ])('finds orders of %s without a rate if each is for %o', (id, condition, missing) => {
    expect(errorsOf(withRates(id, [{ ...condition, usd: 1n }]))).toContain(`: there is no rate for ${missing}.`);
    expect(errorsOf(withRates(id, [{ ...condition, usd: 1n }, { usd: 1n }]))).toBe('');
  });

  it('finds a silent provider of a model that has sound unless it is turned off', () => {
    const withSilent = (id: string) => {
      const { deprecatedAt: _at, replacements: _names, ...whole } = model(id);
      const [first] = whole.bindings;
      if (!first) throw new Error(`${id} has no provider.`);
      return errorsOf({ ...whole, bindings: [first, { ...first, providerId: 'silent', audio: 'none' }] });
    };
    for (const id of ['kling-3.0-t2v', 'vidu-q1-t2v', 'veo-3.1-lite-t2v'])
      expect(withSilent(id)).toContain('silent: its videos are silent, and those of the model have sound');
    expect(withSilent('pixverse-c1-t2v')).toBe('');
  });

  it('finds no orders without a rate where every order that can be made has one', () => {
    expect(errorsOf(withRates('wan-2.7-t2v', [{ audio: true, usd: 1n }]))).toBe('');
    const ratios = model('wan-2.7-t2v').video.aspectRatios;
    expect(errorsOf(withRates('wan-2.7-t2v', [{ aspectRatios: ratios, usd: 1n }]))).toBe('');
    const silentTier: VideoRate[] = [
      { resolution: '720p', audio: false, usd: 1n },
      { resolution: '1080p', usd: 1n },
    ];
    expect(errorsOf(withRates('kling-2.6-t2v', silentTier))).toBe('');
  });

  it('finds defaults that are not allowed, alone or by a rule', () => {
    expect(errorsOf({ ...t2v, video: { ...t2v.video, defaultSeconds: 20 } })).toContain(
      'the default length is not allowed',
    );
    expect(errorsOf({ ...t2v, video: { ...t2v.video, rules: [{ resolutions: ['720p'], seconds: [10] }] } })).toContain(
      'the defaults break a rule',
    );
  });

  it('finds values that no binding supports, and a first binding that gives no price for the defaults', () => {
    const unsupported = 'a value of the model is supported by none of its bindings';
    const bindings = t2v.bindings.map((binding) => ({ ...binding, promptCharacters: 100 }));
    expect(errorsOf({ ...t2v, bindings })).toContain(unsupported);
    const [first, ...others] = t2v.bindings;
    const withFirst = (changes: object) => errorsOf({ ...t2v, bindings: [{ ...first!, ...changes }, ...others] });
    const without = (resolution: string) => t2v.video.resolutions.filter((each) => each !== resolution);
    expect(withFirst({ resolutions: without('1080p') })).toBe('');
    const wideAlone = others.map((binding) => ({ ...binding, aspectRatios: ['16:9'], seconds: [5] }));
    const only = errorsOf({ ...t2v, bindings: [{ ...first!, resolutions: without('1080p') }, ...wideAlone] });
    expect(only).toContain('no binding makes 9:16 at 1080p');
    expect(only).toContain('no binding makes 10 seconds at 1080p');
    expect(only).not.toContain('at 720p');
    const shapeless = unionOfFacts(t2v.video, [
      { ...first!, resolutions: without('1080p') },
      { ...first!, resolutions: ['1080p'], aspectRatios: [] },
    ]);
    expect(errorsOf({ ...t2v, video: shapeless })).toContain('no binding makes any of the aspect ratios at 1080p');
    expect(withFirst({ resolutions: without(t2v.video.defaultResolution) })).toContain('must support the defaults');
    expect(withFirst({ seconds: [t2v.video.seconds.at(-1)] })).toContain('must support the defaults');
  });

  it('finds two bindings of a provider that serve the same resolution or have the same upstream model', () => {
    const [direct, standard, pro] = t2v.bindings;
    const withPro = (changes: object) => ({ ...t2v, bindings: [direct!, standard!, { ...pro!, ...changes }] });
    expect(errorsOf(t2v)).toBe('');
    expect(errorsOf(withPro({ resolutions: ['720p', '1080p'] }))).toContain('fal serves 720p with two bindings');
    expect(errorsOf(withPro({ modelName: standard!.modelName }))).toContain(
      'two bindings with the same upstream model',
    );
  });

  it('finds facts of a binding that its model does not have', () => {
    const withLast = (changes: object) => {
      const last = t2v.bindings.at(-1)!;
      return errorsOf({ ...t2v, bindings: [...t2v.bindings.slice(0, -1), { ...last, ...changes }] });
    };
    expect(withLast({})).toBe('');
    expect(withLast({ seconds: [3, 60] })).toContain('wavespeed: a duration is missing');
    expect(withLast({ aspectRatios: ['21:9'] })).toContain('wavespeed: an aspect ratio is missing');
    expect(withLast({ media: { images: { min: 1, max: 1 } } })).toContain('wavespeed: the number of its media');
    expect(withLast({ mediaForms: { images: [] } })).toContain('wavespeed: images have no form');
    expect(withLast({ sourceSeconds: { min: 1, max: 2 } })).toContain('wavespeed: only edits have a source');
    expect(withLast({ outputFollowsSource: true })).toContain('wavespeed: only edits have a source');
    expect(withLast({ cutsSource: true })).toContain('wavespeed: only edits have a source');
  });

  it('finds an extra that is not a price', () => {
    const [first, ...others] = t2v.bindings;
    const withExtra = (extra: { free: number; usd: bigint }) =>
      errorsOf({
        ...t2v,
        bindings: [{ ...first!, price: { ...first!.price, extras: [{ per: 'picture', ...extra }] } }, ...others],
      });
    expect(withExtra({ free: 5, usd: parsePrice('0.04') })).toBe('');
    for (const usd of [0n, parsePrice('21')])
      expect(withExtra({ free: 0, usd })).toContain('kling: the price of an image must be more than $0');
    for (const free of [-1, 0.5])
      expect(withExtra({ free, usd: 1n })).toContain('kling: the number of free images is not a whole number');
  });

  it('finds a replacement that does not exist', () => {
    expect(errorsOf({ ...t2v, replacements: ['kling-9'] })).toContain('the replacement kling-9');
  });
});
