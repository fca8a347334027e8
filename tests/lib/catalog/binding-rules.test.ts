import { describe, expect, it } from 'vitest';
import { withBindings } from '../../../lib/catalog/binding-facts';
import { unsupportedBy } from '../../../lib/catalog/binding-fit';
import type { VideoModel } from '../../../lib/domain/model';
import { parseVideoRequest, needsOf } from '../../../lib/videos/video-request';
import { videoModels } from './video-models';

// Google makes Veo at 1080p and 4k only with 8 seconds; Runway at 1080p, and fal at both, with 4 and 6 too.

const model = videoModels.find(({ id }) => id === 'veo-3.1-t2v') as VideoModel;
const everyMedia = { publishes: true, reaches: () => true };

function servedBy(fields: object, provider?: string): string[] {
  const bindings = model.bindings.filter(({ providerId }) => provider === undefined || providerId === provider);
  const request = parseVideoRequest({ prompt: 'A fox', ...fields }, false, withBindings(model, bindings), bindings);
  const needs = needsOf(request, model, 'test', everyMedia);
  return bindings.filter((each) => unsupportedBy(each, needs) === undefined).map(({ providerId }) => providerId);
}

describe('rules of a binding', () => {
  it('leave the others where the combination is not restricted', () => {
    const all = ['google-ai-studio', 'google-vertex', 'runway', 'fal', 'replicate', 'wavespeed'];
    expect(servedBy({ size: '1920x1080', seconds: 8 })).toEqual(all);
    expect(servedBy({ size: '1280x720', seconds: 4 })).toEqual(all);
    expect(servedBy({ size: '1920x1080', seconds: 4 })).toEqual(['runway', 'fal', 'replicate']);
    expect(servedBy({ size: '3840x2160', seconds: 4 })).toEqual(['fal']);
  });

  it('refuse a combination that a pinned provider does not make', () => {
    expect(() => servedBy({ size: '3840x2160', seconds: 4 }, 'google-ai-studio')).toThrow(
      /seconds must be 8 for veo-3.1-t2v at 4k/,
    );
    expect(() => servedBy({ size: '1920x1080', seconds: 4 }, 'google-vertex')).toThrow(/seconds must be 8/);
    expect(servedBy({ size: '1920x1080', seconds: 4 }, 'fal')).toEqual(['fal']);
  });

  it('are said of the binding that cannot serve a request', () => {
    const request = parseVideoRequest({ prompt: 'A fox', size: '1920x1080', seconds: 6 }, false, model, model.bindings);
    const [google] = model.bindings;
    expect(unsupportedBy(google!, needsOf(request, model, 'test', everyMedia))).toMatchObject({
      param: 'seconds',
      text: 'seconds must be 8 at 1080p',
    });
  });
});
