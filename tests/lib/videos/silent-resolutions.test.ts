import { describe, expect, it } from 'vitest';
import { quoteVideo } from '../../../lib/billing/quote';
import { usdText } from '../../../lib/domain/money';
import type { VideoModel } from '../../../lib/domain/model';
import { orderFor, parseVideoRequest } from '../../../lib/videos/video-request';
import { videoModels } from '../catalog/video-models';

// Kling 2.6 makes sound at 1080p alone, and Kling 3.0 Omni none from a reference video.

function ordered(fields: Readonly<Record<string, unknown>>, id = 'kling-2.6-t2v') {
  const model = videoModels.find((each) => each.id === id) as VideoModel;
  const [binding] = model.bindings;
  const { order, ignoredParams } = parseVideoRequest({ prompt: 'A fox', ...fields }, false, model, model.bindings);
  const given = orderFor(order, model, binding!);
  return {
    audio: [order.audio, given.audio],
    sent: given.parameters,
    ignoredParams,
    price: usdText(quoteVideo(given, binding!.price).total),
  };
}

describe('a model that is silent at a resolution', () => {
  it('has sound where the resolution has it, unless the request refuses it', () => {
    expect(ordered({})).toMatchObject({ audio: [true, true], sent: { sound: true }, price: '0.7' });
    expect(ordered({ size: '1920x1080', sound: false })).toMatchObject({
      audio: [false, false],
      sent: { sound: false },
      price: '0.35',
    });
  });

  it.each([{}, { sound: true }, { sound: false }])('is silent and cheaper at the other one: %o', (fields) => {
    const { sent, ...other } = ordered({ ...fields, size: '1280x720' });
    expect(other).toEqual({ audio: [false, false], ignoredParams: Object.keys(fields), price: '0.21' });
    expect(sent).not.toHaveProperty('sound');
  });
});

describe('a model that is silent with a reference video', () => {
  const images = { image_list: ['https://example.com/a.png'] };
  const videos = { video_list: ['https://example.com/a.mp4'] };

  it('has sound with images alone', () => {
    expect(ordered({ ...images, sound: true }, 'kling-3.0-omni-r2v')).toMatchObject({
      audio: [true, true],
      sent: { sound: true },
      ignoredParams: [],
    });
  });

  it.each([{}, { sound: true }, { sound: false }])('ignores its switch with a video: %o', (fields) => {
    const { sent, ...other } = ordered({ ...images, ...videos, ...fields }, 'kling-3.0-omni-r2v');
    expect(other).toMatchObject({ audio: [false, false], ignoredParams: Object.keys(fields) });
    expect(sent).not.toHaveProperty('sound');
  });
});
