import { describe, expect, it } from 'vitest';
import { aspectRatiosOf } from '../../app/console/components/video-form/aspect-ratios';
import { audioParameters, audioSwitches } from '../../app/console/components/video-form/audio-parameters';
import { pinnedModel } from '../../app/console/components/video-form/pinned-model';
import { videoParameters } from '../../lib/videos/video-parameters';
import { videoModels } from '../lib/catalog/video-models';

describe('pinnedModel', () => {
  it('has only the binding of the pinned provider, and no resolution or parameter that this provider lacks', () => {
    for (const model of videoModels) {
      for (const binding of model.bindings) {
        const { bindings, video } = pinnedModel(model, binding.providerId);
        expect(bindings, model.id).toEqual([binding]);
        expect(video.parameters.filter((name) => !binding.parameters.includes(name))).toEqual([]);
        if (binding.resolutions) {
          const { resolutions } = binding;
          expect(video.resolutions.filter((tier) => !resolutions.includes(tier))).toEqual([]);
        }
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

describe('aspectRatiosOf', () => {
  it('are ratios: a value such as adaptive is not a choice', () => {
    for (const { id, video } of videoModels) {
      for (const ratio of aspectRatiosOf(video)) expect(ratio, id).toMatch(/^\d+:\d+$/);
      expect(aspectRatiosOf(video).length + video.aspectRatios.filter((name) => !/^\d+:\d+$/.test(name)).length).toBe(
        video.aspectRatios.length,
      );
    }
  });
});
