import { describe, expect, it } from 'vitest';
import { PLACEHOLDER_URL, withPlaceholders } from '../../../lib/videos/with-placeholders';
import { parseVideoRequest } from '../../../lib/videos/video-request';
import { videoModels } from '../catalog/video-models';
import { https, pictures, clips } from './parse-request';
import { edit, fromPicture, fromPicturesOnly, fromReferences, fromTwoPictures } from './request-models';

describe('withPlaceholders', () => {
  it.each(videoModels.map((model) => [model.id, model] as const))('completes a request of %s', (_, model) => {
    const fields = model.video.kind === 'video-edit' ? { input_seconds: model.video.sourceSeconds?.min ?? 5 } : {};
    const body = withPlaceholders(model.video, fields);
    expect(() => parseVideoRequest(body, false, model, model.bindings)).not.toThrow();
  });

  it('keeps what the request has', () => {
    const image = { prompt: 'a cat', input_reference: { image_url: https('a.png') } };
    expect(withPlaceholders(fromPicture.video, image)).toEqual(image);
    const reference = { prompt: 'a cat', reference_videos: clips(1) };
    expect(withPlaceholders(fromReferences.video, reference)).toEqual(reference);
    const [first] = pictures(1);
    expect(withPlaceholders(fromTwoPictures.video, { image_list: [first] })).toEqual({
      prompt: '-',
      image_list: [first, PLACEHOLDER_URL],
    });
  });

  it('adds only what the kind needs', () => {
    expect(withPlaceholders(fromPicturesOnly.video, {})).toEqual({ prompt: '-', image_list: [PLACEHOLDER_URL] });
    expect(withPlaceholders(fromReferences.video, {})).toEqual({ prompt: '-', image_list: [PLACEHOLDER_URL] });
    expect(withPlaceholders(edit.video, {})).toEqual({ prompt: '-', video_url: PLACEHOLDER_URL });
  });

  it('leaves a value of a wrong type, so that the request is refused for it', () => {
    expect(withPlaceholders(fromTwoPictures.video, { image_list: 7 })).toEqual({ prompt: '-', image_list: 7 });
  });
});
