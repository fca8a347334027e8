import { describe, expect, it } from 'vitest';
import { providerNote } from '../../app/console/components/video-form/parameters';
import { pinnedModel } from '../../app/console/components/video-form/pinned-model';
import { providersOf } from '../../lib/domain/binding';
import { audioParameters, audioSwitches, videoParameters } from '../../lib/videos/video-parameters';
import { videoModels } from '../lib/catalog/video-models';

describe('pinnedModel', () => {
  it('has only the bindings of the pinned provider, and no resolution or parameter that they all lack', () => {
    for (const model of videoModels) {
      for (const provider of providersOf(model.bindings)) {
        const { bindings, video } = pinnedModel(model, provider);
        expect(bindings, model.id).toEqual(model.bindings.filter(({ providerId }) => providerId === provider));
        for (const name of video.parameters)
          expect(
            bindings.some(({ parameters }) => parameters.includes(name)),
            name,
          ).toBe(true);
        for (const tier of video.resolutions)
          expect(
            bindings.some(({ resolutions }) => resolutions?.includes(tier) ?? true),
            tier,
          ).toBe(true);
      }
    }
  });

  it('is the model itself without a pin, and for a provider that does not serve it', () => {
    const [model] = videoModels;
    if (!model) throw new Error('The catalog has no video model.');
    expect(pinnedModel(model, undefined)).toBe(model);
    expect(pinnedModel(model, 'no-such-provider')).toBe(model);
  });
});

describe('the audio parameters', () => {
  it('are parameters of requests that are true or false', () => {
    for (const name of audioParameters) expect(videoParameters[name]?.type, name).toBe('boolean');
  });

  it('include at most one switch of generated audio for a model', () => {
    for (const { id, video } of videoModels)
      expect(video.parameters.filter((name) => audioSwitches.includes(name)).length, id).toBeLessThanOrEqual(1);
  });
});

describe('providerNote', () => {
  it('names the providers that support a parameter, unless all do at some resolution', () => {
    const model = videoModels.find(({ id }) => id === 'kling-2.6-i2v');
    if (!model) throw new Error('The catalog lacks the model of this test.');
    // One of the two models of a provider makes no sound.
    expect(model.bindings.every(({ parameters }) => parameters.includes('sound'))).toBe(false);
    expect(providerNote(model, 'sound')).toBeUndefined();
    expect(providerNote(model, 'watermark')).toBe('Only kling supports it.');
  });
});
