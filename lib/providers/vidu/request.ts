import type { Fields } from '../../domain/json';
import { requestNameOf } from '../../domain/video';
import type { VideoKind, VideoStart } from '../../domain/video';
import type { MediaByRole } from '../kit/video/order-media';
import { wantsWatermark } from '../kit/video/watermark';

// The request for a video: a path for each kind, with nearly the same fields. Everything that changes the result or the
// price is stated.

const paths: Readonly<Partial<Record<VideoKind, string>>> = {
  t2v: '/ent/v2/text2video',
  i2v: '/ent/v2/img2video',
  'start-end': '/ent/v2/start-end2video',
  r2v: '/ent/v2/reference2video',
};

const kindsByModel: Readonly<Record<string, readonly VideoKind[]>> = {
  'viduq4-preview': ['i2v', 'r2v'],
  'viduq3-pro': ['t2v', 'i2v', 'start-end'],
  'viduq3-pro-fast': ['i2v'],
  'viduq3-turbo': ['t2v', 'i2v', 'start-end', 'r2v'],
  viduq3: ['r2v'],
  'viduq3-mix': ['r2v'],
  viduq2: ['t2v', 'r2v'],
  'viduq2-pro': ['i2v', 'start-end', 'r2v'],
  'viduq2-pro-fast': ['i2v', 'start-end'],
  'viduq2-turbo': ['i2v', 'start-end'],
  viduq1: ['t2v', 'i2v', 'start-end', 'r2v'],
  'viduq1-classic': ['i2v', 'start-end'],
  'vidu2.0': ['i2v', 'start-end', 'r2v'],
};

export function isKnownModel(modelName: string): boolean {
  return Object.hasOwn(kindsByModel, modelName);
}

/** Returns the path; undefined if the model is unknown or does not make this kind of videos. */
export function pathFor(modelName: string, kind: VideoKind): string | undefined {
  return kindsByModel[modelName]?.includes(kind) ? paths[kind] : undefined;
}

/** The tiers whose names Vidu writes differently. */
const names: Readonly<Record<string, string>> = { '2k': '2K', '4k': '4K' };

/** Returns the body, without the URL for callbacks. */
export function makeBody(
  { videoId, order, binding }: Pick<VideoStart, 'videoId' | 'order' | 'binding'>,
  { first_frame, last_frame, reference_image, reference_video }: MediaByRole<'https' | 'data'>,
): Fields {
  const { kind, prompt, seconds, resolution, aspectRatio, seed, parameters } = order;
  const images = [...first_frame, ...last_frame, ...reference_image].map(({ url }) => url);
  return {
    model: binding.modelName,
    ...(images.length > 0 && { images }),
    ...(reference_video.length > 0 && { videos: reference_video.map(({ url }) => url) }),
    prompt,
    duration: seconds,
    ...(seed !== undefined && { seed }),
    resolution: names[resolution] ?? resolution,
    // With frames, these decide the ratio.
    ...((kind === 't2v' || kind === 'r2v') && { aspect_ratio: aspectRatio }),
    ...soundOf(requestNameOf(binding), order.audio),
    // `sounds` takes recordings of voices.
    ...(parameters.reference_voice !== undefined && { sounds: [parameters.reference_voice] }),
    // Off-peak work is cheaper, but may take two days.
    off_peak: false,
    watermark: wantsWatermark(order),
    // Vidu only repeats this value. It helps operators to find the video in Vidu's own lists.
    payload: videoId,
  };
}

/** Models since Q3 make speech and sounds; older ones can only add music, and have a setting for the movement. */
function soundOf(modelName: string, audio: boolean): Fields {
  if (modelName.startsWith('viduq4')) return { audio };
  if (!modelName.startsWith('viduq3')) return { bgm: audio, movement_amplitude: 'auto' };
  return { audio, ...(audio && { audio_type: 'all' }) };
}
