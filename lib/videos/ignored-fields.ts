import type { IgnoredField } from '../contract/videos';
import type { VideoModel } from '../domain/model';
import type { VideoBinding } from '../domain/video';
import { audioSwitches, videoParameters } from './video-parameters';

// Explains why a field of a request had no effect, so that its sender does not look for the error in the video.

const OTHER_PARAMETERS = ['fps', 'seed', 'num_videos'];
const MEDIA_FIELDS = [
  'image_url',
  'image_list',
  'video_url',
  'video_list',
  'reference_videos',
  'input_reference',
  'input_seconds',
];

/**
 * Returns the fields of a stored request that had no effect. `ignored` lists those that its response named; `binding`
 * is the binding that set its price, which may not support all parameters of the model.
 */
export function ignoredFields(
  request: Readonly<Record<string, unknown>>,
  ignored: readonly string[],
  model: VideoModel | undefined,
  binding: VideoBinding | undefined,
): IgnoredField[] {
  const name = model?.id ?? 'This model';
  return Object.keys(request).flatMap((field) => {
    const takenByModel = model?.video.parameters.includes(field) ?? false;
    if (takenByModel && binding && !binding.parameters.includes(field)) {
      return [{ name: field, reason: `${binding.providerId} does not take it for ${name}.` }];
    }
    if (field === 'seconds' && (binding?.outputFollowsSource || ignored.includes(field)))
      return [{ name: field, reason: 'The video is as long as its source.' }];
    if (!ignored.includes(field)) return [];
    return [{ name: field, reason: takenByModel ? reasonOfTaken(field, name, binding) : reasonOf(field, name) }];
  });
}

/** Returns why a parameter that the model supports had no effect on this video. */
function reasonOfTaken(field: string, model: string, binding: VideoBinding | undefined): string {
  if (field === 'reference_voice') return 'The video has no sound.';
  if (audioSwitches.includes(field)) return `${model} makes no sound at this size or with these media.`;
  // The binding supports it, but an organisation's own account may take fewer parameters.
  return `${binding?.providerId ?? 'The provider'} does not take it for ${model}.`;
}

function reasonOf(field: string, model: string): string {
  if (Object.hasOwn(videoParameters, field) || OTHER_PARAMETERS.includes(field)) return `${model} does not take it.`;
  if (MEDIA_FIELDS.includes(field)) return `${model} does not use this kind of media.`;
  return 'Not a parameter of this API.';
}
