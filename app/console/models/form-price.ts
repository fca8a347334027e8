import type { Mode } from '../../../lib/domain/video';
import { estimateOf, type Estimate } from '../components/video-form/estimate';
import { offeredBindings, type ShownModel, type VideoForm } from '../components/video-form/form';
import { pinnedModel } from '../components/video-form/pinned-model';

/**
 * Returns the price in this mode. If none of the chosen providers serves live requests here, returns the price in test
 * mode, so that a model can be evaluated before it is set up.
 */
export function priceOf(form: VideoForm, shown: ShownModel, mode: Mode): Estimate {
  const chosen = pinnedModel(shown.model, form.provider).bindings;
  const offered = offeredBindings(shown);
  return estimateOf(form, shown, chosen.some((binding) => offered.includes(binding)) ? mode : 'test');
}
