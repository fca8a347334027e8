import { allowedSeconds } from '../../../lib/domain/video-tiers';
import type { VideoModel } from '../../../lib/domain/model';
import { withSeconds, withSize, type VideoForm } from '../components/video-form/form';
import { pinnedModel } from '../components/video-form/pinned-model';

/** Returns the form with another length and resolution; undefined if the model does not support them together. */
export function withCombination(
  form: VideoForm,
  model: VideoModel,
  seconds: number,
  resolution: string,
): VideoForm | undefined {
  const facts = pinnedModel(model, form.provider).video;
  if (!facts.resolutions.includes(resolution) || !allowedSeconds(facts, resolution).includes(seconds)) return undefined;
  return withSize(withSeconds(form, facts, seconds), { resolution });
}
