import type { Mode } from '../../../lib/domain/video';
import { estimateOf, type Estimate } from '../components/video-form/estimate';
import type { ShownModel, VideoForm } from '../components/video-form/form';

/** The price in this mode. If no provider is set up for live mode, that of the model's first provider. */
export function priceOf(form: VideoForm, shown: ShownModel, mode: Mode): Estimate {
  const estimate = estimateOf(form, shown, mode);
  return estimate.quote ? estimate : estimateOf(form, shown, 'test');
}
