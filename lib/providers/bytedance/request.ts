import { GatewayError } from '../../domain/errors';
import type { Fields } from '../../domain/json';
import type { VideoKind, VideoOrder } from '../../domain/video';
import type { MediaByRole } from '../kit/video/order-media';
import { wantsWatermark } from '../kit/video/watermark';

// The models of ModelArk, and the body of a request for a video. Everything that changes the result or the price is
// stated, because the API has its own defaults: sound, and the resolution of the model.

export interface ArkModel {
  readonly kinds: readonly VideoKind[];
  /** Whether the model takes `generate_audio`. */
  readonly hasSound: boolean;
  /** Whether the model takes `output_format` and `omni_reference_task_type`, and can therefore also edit. */
  readonly hasOutputFormat: boolean;
}

const frames: readonly VideoKind[] = ['t2v', 'i2v', 'start-end'];
const seedance2: ArkModel = { kinds: [...frames, 'r2v'], hasSound: true, hasOutputFormat: false };

const models: Readonly<Record<string, ArkModel>> = {
  'dreamina-seedance-2-5-260628': { ...seedance2, kinds: [...seedance2.kinds, 'video-edit'], hasOutputFormat: true },
  'dreamina-seedance-2-0-260128': seedance2,
  'dreamina-seedance-2-0-fast-260128': seedance2,
  'dreamina-seedance-2-0-mini-260615': seedance2,
  'seedance-1-5-pro-251215': { ...seedance2, kinds: frames },
  'seedance-1-0-pro-250528': { kinds: frames, hasSound: false, hasOutputFormat: false },
  'seedance-1-0-lite-t2v-250428': { kinds: ['t2v'], hasSound: false, hasOutputFormat: false },
  'seedance-1-0-lite-i2v-250428': { kinds: ['i2v', 'start-end', 'r2v'], hasSound: false, hasOutputFormat: false },
  'seedance-1-0-pro-fast-251015': { kinds: ['t2v', 'i2v'], hasSound: false, hasOutputFormat: false },
};

export function modelOf(modelName: string): ArkModel | undefined {
  return Object.hasOwn(models, modelName) ? models[modelName] : undefined;
}

/** Returns the body of a submit, without the URL for callbacks. */
export function makeRequest(
  order: VideoOrder,
  modelName: string,
  model: ArkModel,
  media: MediaByRole<'https' | 'data'>,
): Fields {
  const { kind, prompt, seconds, resolution, aspectRatio, seed, audio } = order;
  const { reference_voice: voice } = order.parameters;
  const isEdit = kind === 'video-edit';
  return {
    model: modelName,
    content: [
      { type: 'text', text: prompt },
      // A single first frame may have no role; with its role it cannot be taken for a reference.
      ...(['first_frame', 'last_frame', 'reference_image'] as const).flatMap((role) =>
        media[role].map(({ url }) => ({ type: 'image_url', image_url: { url }, role })),
      ),
      ...[...media.source_video, ...media.reference_video].map(({ url }) => ({
        type: 'video_url',
        video_url: { url },
        role: 'reference_video',
      })),
      ...(voice === undefined ? [] : [{ type: 'audio_url', audio_url: { url: voice }, role: 'reference_audio' }]),
    ],
    resolution,
    // An edit keeps the shape and the length of its source, and no other values are accepted.
    ratio: isEdit ? 'adaptive' : aspectRatio,
    duration: isEdit ? -1 : seconds,
    ...(seed !== undefined && { seed }),
    ...(model.hasSound && { generate_audio: audio }),
    watermark: wantsWatermark(order),
    // The other tier is cheaper, but its work may begin a day later.
    service_tier: 'default',
    ...(model.hasOutputFormat && { output_format: 'mp4' }),
    // Otherwise the model may treat a reference video as the source of an edit and keep its duration and ratio.
    ...(model.hasOutputFormat && kind === 'r2v' && { omni_reference_task_type: 'reference' }),
    // Stated, so that a request that cannot be an edit is refused at once, and not after work has begun.
    ...(isEdit && { omni_reference_task_type: 'edit' }),
  };
}

const PROMPT_OPTION =
  /(?:^|\s)--(resolution|rs|ratio|rt|duration|dur|frames|framespersecond|fps|seed|camera_?fixed|cf|watermark|wm)\b/i;

/**
 * ModelArk still reads the options of its first API at the end of a prompt. Which value wins over a field of the body
 * is not documented, and a longer duration would cost us more than the caller has paid.
 */
export function refusePromptOptions(prompt: string): void {
  const [, option] = PROMPT_OPTION.exec(prompt) ?? [];
  if (option === undefined) return;
  throw new GatewayError(
    'upstream_rejected',
    `The provider reads --${option.toLowerCase()} in a prompt as an option. Leave it out of the prompt; use seconds, size, seed and the other fields of the request.`,
    { param: 'prompt', upstream: { retry: 'never', started: 'no' } },
  );
}
