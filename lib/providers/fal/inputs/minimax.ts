import type { VideoOrder } from '../../../domain/video';
import { expandsPrompt } from '../../kit/video/prompt-extension';
import { type Endpoints, type Input, type MakeInput } from './input';

// The endpoint decides the resolution and, at 1080p, the duration: `standard` makes 768p and `pro` 1080p, always of six
// seconds. H3, H3-Max, its Turbo and the frames of Hailuo 02 at `standard` have the resolution in a field.

const pro = (order: VideoOrder): Input => ({ prompt: order.prompt, prompt_optimizer: expandsPrompt(order) });
const standard = (order: VideoOrder): Input => ({ ...pro(order), duration: String(order.seconds) });

const image =
  (shared: typeof pro): MakeInput =>
  (order, { firstFrame, lastFrame }) => ({ ...shared(order), image_url: firstFrame, end_image_url: lastFrame });
const standardImage02: MakeInput = (order, media) => ({
  ...image(standard)(order, media),
  resolution: order.resolution.toUpperCase(),
});

const subject: MakeInput = (order, { referenceImages }) => ({
  ...pro(order),
  subject_reference_image_url: referenceImages[0],
});

const h3 = (order: VideoOrder): Input => ({
  prompt: order.prompt,
  duration: order.seconds,
  resolution: order.resolution.toUpperCase(),
  prompt_expansion_mode: expandsPrompt(order) ? 'balanced' : 'disabled',
  seed: order.seed,
});
const h3Text: MakeInput = (order) => ({ ...h3(order), aspect_ratio: order.aspectRatio });
const h3References: MakeInput = (order, media) => ({
  ...h3Text(order, media),
  reference_image_urls: media.referenceImages,
});

export const minimaxEndpoints: Endpoints = {
  'minimax/h3/text-to-video': h3Text,
  'minimax/h3/image-to-video': image(h3),
  'minimax/h3/reference-to-video': h3References,
  'minimax/h3-max/text-to-video': h3Text,
  'minimax/h3-max/image-to-video': image(h3),
  'minimax/h3-max/reference-to-video': h3References,
  'minimax/h3-max-turbo/text-to-video': h3Text,
  'minimax/h3-max-turbo/image-to-video': image(h3),
  'fal-ai/minimax/hailuo-2.3/standard/text-to-video': standard,
  'fal-ai/minimax/hailuo-2.3/standard/image-to-video': image(standard),
  'fal-ai/minimax/hailuo-2.3/pro/text-to-video': pro,
  'fal-ai/minimax/hailuo-2.3/pro/image-to-video': image(pro),
  'fal-ai/minimax/hailuo-2.3-fast/standard/image-to-video': image(standard),
  'fal-ai/minimax/hailuo-2.3-fast/pro/image-to-video': image(pro),
  'fal-ai/minimax/hailuo-02/standard/text-to-video': standard,
  'fal-ai/minimax/hailuo-02/standard/image-to-video': standardImage02,
  'fal-ai/minimax/hailuo-02/pro/text-to-video': pro,
  'fal-ai/minimax/hailuo-02/pro/image-to-video': image(pro),
  'fal-ai/minimax/video-01-subject-reference': subject,
  'fal-ai/minimax/video-01': pro,
  'fal-ai/minimax/video-01/image-to-video': image(pro),
  'fal-ai/minimax/video-01-director': pro,
  'fal-ai/minimax/video-01-director/image-to-video': image(pro),
  'fal-ai/minimax/video-01-live/image-to-video': image(pro),
};
