import { allowedSeconds } from '../../../lib/catalog/video-seconds';
import type { Mode } from '../../../lib/domain/video';
import { estimateOf, type Estimate } from '../components/video-form/estimate';
import { withSeconds, withSize, type ShownModel, type VideoForm } from '../components/video-form/form';
import { pinnedModel } from '../components/video-form/pinned-model';

/** The price in this mode. If no provider is set up for live mode, that of the model's first provider. */
export function priceOf(form: VideoForm, shown: ShownModel, mode: Mode): Estimate {
  const estimate = estimateOf(form, shown, mode);
  return estimate.quote ? estimate : estimateOf(form, shown, 'test');
}

/** The form with another length and resolution; undefined if the model does not support them together. */
export function withCombination(
  form: VideoForm,
  shown: ShownModel,
  seconds: number,
  resolution: string,
): VideoForm | undefined {
  const facts = pinnedModel(shown.model, form.provider).video;
  if (!facts.resolutions.includes(resolution) || !allowedSeconds(facts, resolution).includes(seconds)) return undefined;
  return withSize(withSeconds(form, facts, seconds), { resolution });
}
