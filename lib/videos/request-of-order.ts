import { parseVideoSize } from '../catalog/video-dimensions';
import type { VideoModel } from '../domain/model';
import type { MediaRole, VideoOrder } from '../domain/video';

// Converts an order back to a request body that produces the same video. All chosen values are explicit (the duration,
// the seed, each switch); the size is left out only if the order uses the model's default.

/** Returns a body for `POST /v1/videos` that parses to exactly this order, without media that are no longer stored. */
export function requestOfOrder(order: VideoOrder, model: VideoModel, webhook?: string): Record<string, unknown> {
  const { video: facts } = model;
  const unasked = parseVideoSize(facts, {}, model.id);
  const isUnasked =
    unasked.width === order.width && unasked.height === order.height && unasked.aspectRatio === order.aspectRatio;
  return {
    model: model.id,
    prompt: order.prompt,
    ...mediaFields(order),
    seconds: order.seconds,
    ...(isUnasked ? {} : { size: `${order.width}x${order.height}` }),
    ...(facts.parameters.includes('fps') && { fps: order.fps }),
    ...(order.seed !== undefined && { seed: order.seed }),
    ...order.parameters,
    ...(webhook !== undefined && { webhook }),
  };
}

function mediaFields(order: VideoOrder): Record<string, unknown> {
  const urls = (...roles: MediaRole[]) =>
    order.media.filter(({ role, url }) => roles.includes(role) && url !== '').map(({ url }) => url);
  const [source] = urls('source_video');
  const frames = urls('first_frame', 'last_frame');
  const images = order.kind === 'start-end' ? frames : urls('reference_image');
  const videos = urls('reference_video');
  return {
    ...(order.kind === 'i2v' && frames[0] !== undefined && { image_url: frames[0] }),
    ...(source !== undefined && { video_url: source }),
    ...(images.length > 0 && { image_list: images }),
    ...(videos.length > 0 && { video_list: videos }),
    ...(order.inputMillis !== undefined && { input_seconds: order.inputMillis / 1000 }),
  };
}
