import { describe, expect, it } from 'vitest';
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
