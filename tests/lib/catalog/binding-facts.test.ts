import { describe, expect, it } from 'vitest';
import { mapVideoBindings, withBindings } from '../../../lib/catalog/binding-facts';
import { ratiosAt } from '../../../lib/domain/video-tiers';
import { allModels } from '../../../lib/catalog/models';
import { videoModels } from './video-models';
import { edit, fromReferences, madeUp } from '../videos/request-models';

const alpha = { providerId: 'alpha', modelName: 'one' };
const beta = { providerId: 'beta', modelName: 'two' };

describe('withBindings', () => {
  it('is the same model when nothing is left out', () => {
    const [model] = videoModels;
    if (!model) throw new Error('no models');
    expect(withBindings(model, model.bindings)).toBe(model);
  });

  it('has what any of the bindings serves', () => {
    const model = madeUp({
      parameters: ['seed', 'negative_prompt'],
      bindings: [
        { ...alpha, parameters: ['negative_prompt'], negativePromptCharacters: 500 },
        {
          ...beta,
          parameters: ['seed'],
          resolutions: ['1080p'],
          seconds: [6, 10],
          aspectRatios: ['9:16'],
          promptCharacters: 1_000,
          maxSeed: 99,
        },
      ],
    });
    expect(model.video).toMatchObject({
      resolutions: ['720p', '1080p'],
      defaultSeconds: 5,
      aspectRatios: ['16:9', '9:16'],
      promptCharacters: 32_000,
      negativePromptCharacters: 500,
      maxSeed: 99,
    });
    expect(withBindings(model, model.bindings.slice(1)).video).toMatchObject({
      resolutions: ['1080p'],
      defaultResolution: '1080p',
      seconds: [6, 10],
      defaultSeconds: 6,
      aspectRatios: ['9:16'],
      parameters: ['seed'],
      promptCharacters: 1_000,
      maxSeed: 99,
    });
  });

  it('has the audio of its bindings if all have the same, otherwise that of the model', () => {
    const model = madeUp({
      audio: 'toggle',
      bindings: [
        { ...alpha, audio: 'always' },
        { ...beta, audio: 'always' },
        { ...alpha, modelName: 'silent', resolutions: [], audio: 'none' },
      ],
    });
    const audioOf = (from: number, to: number) => withBindings(model, model.bindings.slice(from, to)).video.audio;
    expect([model.video.audio, audioOf(0, 1), audioOf(0, 2), audioOf(1, 3), audioOf(2, 3)]).toEqual([
      'toggle',
      'always',
      'always',
      'toggle',
      'none',
    ]);
  });

  it('takes as many media as the binding that takes the most, and no kind that none of them takes', () => {
    const { id, video } = fromReferences;
    const model = madeUp({
      id,
      kind: 'r2v',
      media: video.media,
      bindings: [alpha, { ...beta, media: { images: { min: 1, max: 7 } } }],
    });
    expect(model.video.media).toEqual({ images: { min: 0, max: 7 }, videos: { min: 0, max: 2 }, eitherRequired: true });
    expect(withBindings(model, model.bindings.slice(1)).video.media).toEqual({ images: { min: 1, max: 7 } });
  });

  it('has at a resolution the ratios of the bindings that make it', () => {
    const model = madeUp({
      aspectRatios: ['16:9', '9:16', '1:1'],
      bindings: [
        { ...alpha, resolutions: ['720p'] },
        { ...beta, aspectRatios: ['16:9', '1:1'] },
      ],
    });
    expect([ratiosAt(model.video, '720p'), ratiosAt(model.video, '1080p')]).toEqual([
      ['16:9', '9:16', '1:1'],
      ['16:9', '1:1'],
    ]);
    const { video: ofBeta } = withBindings(model, model.bindings.slice(1));
    expect(ofBeta).toMatchObject({ aspectRatios: ['16:9', '1:1'] });
    expect(ofBeta).not.toHaveProperty('ratiosOfTiers');
  });

  it('follows the source only if every binding does', () => {
    const [binding] = edit.bindings;
    const bindings = [
      { ...binding!, outputFollowsSource: true } as const,
      { ...binding!, providerId: 'beta', outputFollowsSource: true } as const,
      { ...binding!, providerId: 'gamma' },
    ];
    const followsIn = (...of: typeof bindings) =>
      withBindings({ ...edit, bindings }, of).video.outputFollowsSource ?? false;
    expect([followsIn(bindings[0]!, bindings[1]!), followsIn(bindings[1]!, bindings[2]!)]).toEqual([true, false]);
  });

  it('limits the source of an edit only if every binding does', () => {
    const { video, ...others } = edit;
    const bindings = edit.bindings.flatMap((binding) => [
      { ...binding, sourceSeconds: { min: 3, max: 60 } },
      { ...binding, providerId: 'beta', sourceSeconds: { min: 2, max: 10 } },
      { ...binding, providerId: 'gamma' },
    ]);
    const model = { ...others, video, bindings };
    expect(withBindings(model, bindings.slice(0, 2)).video.sourceSeconds).toEqual({ min: 2, max: 60 });
    expect(withBindings(model, bindings.slice(1)).video).not.toHaveProperty('sourceSeconds');
  });
});

describe('mapVideoBindings', () => {
  const model = madeUp({
    bindings: [
      { ...alpha, parameters: ['seed'] },
      { ...beta, parameters: ['seed'], resolutions: ['720p'] },
    ],
  });

  it('gives a model the facts of its new bindings', () => {
    const [changed] = mapVideoBindings([model], (binding) =>
      binding.providerId === 'alpha' ? { ...binding, resolutions: ['720p'], promptCharacters: 99 } : binding,
    );
    expect(model.video.resolutions).toEqual(['720p', '1080p']);
    expect(changed).toMatchObject({ video: { resolutions: ['720p'] }, bindings: [{ promptCharacters: 99 }, beta] });
  });

  it('says of which model a binding is', () => {
    const kinds: string[] = [];
    mapVideoBindings([model, edit], (binding, { video }) => {
      kinds.push(`${binding.providerId} ${video.kind}`);
      return binding;
    });
    expect(kinds).toEqual([
      'alpha t2v',
      'beta t2v',
      ...edit.bindings.map(({ providerId }) => `${providerId} video-edit`),
    ]);
  });

  it('leaves every other model as it is', () => {
    const models = mapVideoBindings(allModels, (binding) => binding);
    expect(models.every((one, index) => one === allModels[index])).toBe(true);
  });
});
