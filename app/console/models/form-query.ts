import type { ProviderId } from '../../../lib/domain/ids';
import type { VideoModel } from '../../../lib/domain/model';
import type { VideoForm } from '../components/video-form/form';
import { requestOf, settingsOf } from '../components/video-form/form-request';
import { importRequest } from '../components/video-form/import-request';
import { pricedParameters } from '../components/video-form/parameters';
import { queryFields } from '../components/video-form/query-fields';
import { sampleForm, withSampleMedia } from './sample-form';

// The settings on the page of a model are in its URL, so that a price can be shared. They have the names of the request
// fields, as in the URL of the playground. Default values are omitted.

/** Returns the names of the settings that the URL of a model's page may contain. */
function settingNames(model: VideoModel): readonly string[] {
  return ['seconds', 'size', 'input_seconds', ...pricedParameters(model)];
}

/** Reads the form from a URL. Invalid values are ignored. `pin` is the provider if the URL names none. */
export function readForm(model: VideoModel, query: URLSearchParams, pin: ProviderId | undefined): VideoForm {
  const provider = model.bindings.find(({ providerId }) => providerId === query.get('provider'))?.providerId ?? pin;
  const sample = sampleForm(model, provider);
  const names = settingNames(model);
  const fields = queryFields([...query].filter(([name]) => names.includes(name)));
  const body = { ...fields, model: provider === undefined ? model.id : `${provider}/${model.id}` };
  const { form } = importRequest(body, [{ model }], { model });
  const reference = query.get('reference');
  return withSampleMedia(
    { ...form, prompt: sample.prompt },
    model,
    reference === null ? sample.videos.length > 0 : reference === 'video',
  );
}

/** Returns the query string with `?`; empty for default settings. Other parameters of `query` are kept. */
export function printForm(
  model: VideoModel,
  form: VideoForm,
  query: URLSearchParams,
  pin: ProviderId | undefined,
): string {
  const sample = sampleForm(model, form.provider);
  const next = new URLSearchParams(query);
  for (const name of [...settingNames(model), 'provider', 'reference']) next.delete(name);
  if (form.provider !== undefined && form.provider !== pin) next.set('provider', form.provider);
  const { input_seconds: inputSeconds, ...settings } = settingsOf(requestOf(form, model));
  for (const [name, value] of Object.entries(settings)) next.set(name, String(value));
  const isVideo = form.videos.length > 0;
  if (isVideo !== sample.videos.length > 0) next.set('reference', isVideo ? 'video' : 'image');
  const usual = withSampleMedia({ ...form, inputSeconds: '' }, model, isVideo).inputSeconds;
  if (inputSeconds !== undefined && String(inputSeconds) !== usual) next.set('input_seconds', String(inputSeconds));
  return next.size > 0 ? `?${next}` : '';
}
