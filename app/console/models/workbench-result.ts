import { allOf } from '../../../lib/domain/phrases';
import type { QuoteJson } from '../../../lib/contract/quotes';
import { billsInput } from '../../../lib/billing/quote';
import type { ProviderId } from '../../../lib/domain/ids';
import type { VideoModel } from '../../../lib/domain/model';
import type { Mode, VideoBinding, VideoFacts } from '../../../lib/domain/video';
import { videoParameters } from '../../../lib/videos/video-parameters';
import type { CodeSample } from '../components/code/code-request';
import { codeSamples } from '../components/code/code-samples';
import { printJson } from '../components/code/print-value';
import type { ShownModel, VideoForm } from '../components/video-form/form';
import { requestOf, settingsOf, type RequestBody } from '../components/video-form/form-request';
import { pinnedModel } from '../components/video-form/pinned-model';
import { switchProvider } from '../components/video-form/switch-model';
import { withCombination } from './combination';
import { printForm, readForm } from './form-query';
import { priceOf } from './form-price';
import { codeBody, withSampleMedia } from './sample-form';

// What the page of a video model shows for one set of settings. The functions that validate and charge submissions
// compute the prices, and are most of the code of the page. So the server computes the first result, and the browser
// loads this file before the first setting changes.

export interface WorkbenchResult {
  /** The model as the chosen provider serves it. */
  readonly pinned: VideoModel;
  /** The price, or why there is none. */
  readonly price:
    { readonly quote: QuoteJson; readonly provider: ProviderId; readonly note: string } | { readonly error: string };
  /** The price of each combination that the model supports, in US dollars, by resolution and then by length. */
  readonly combinations: Readonly<Record<string, Readonly<Record<number, string>>>>;
  readonly samples: readonly CodeSample[];
  /** The settings, as the URL of the playground takes them. */
  readonly playgroundRequest: string;
  /** Input seconds are billed too. */
  readonly billsInput: boolean;
}

/** The first result, made of plain data that the server can send to the browser. */
export interface FirstResult {
  readonly form: VideoForm;
  readonly result: WorkbenchResult;
}

export interface WorkbenchSubject {
  readonly shown: ShownModel;
  readonly mode: Mode;
  readonly baseUrl: string;
}

/** Reads the settings of a URL, and computes what the page shows for them. */
export function firstResult(
  subject: WorkbenchSubject,
  query: URLSearchParams,
  pin: ProviderId | undefined,
): FirstResult {
  const form = readForm(subject.shown.model, query, pin);
  return { form, result: workbenchResult(form, subject) };
}

export function workbenchResult(form: VideoForm, { shown, mode, baseUrl }: WorkbenchSubject): WorkbenchResult {
  const { model } = shown;
  const body = requestOf(form, model, { defaults: 'frame' });
  const { quote, binding, error } = priceOf(form, shown, mode);
  const pinned = pinnedModel(model, form.provider);
  return {
    pinned,
    price:
      quote && binding && !error
        ? { quote, provider: binding.providerId, note: ignoredWords(binding, body) }
        : { error: error?.message ?? 'No provider of this model supports this combination.' },
    combinations: combinationsOf(form, shown, mode, pinned.video),
    samples: codeSamples({ baseUrl, method: 'POST', path: '/v1/videos', body: codeBody(body), mode }),
    playgroundRequest: playgroundRequest(form, body),
    billsInput: billsInput(pinned.bindings, true),
  };
}

function combinationsOf(
  form: VideoForm,
  shown: ShownModel,
  mode: Mode,
  { resolutions, seconds }: VideoFacts,
): WorkbenchResult['combinations'] {
  return Object.fromEntries(
    resolutions.map((resolution) => [
      resolution,
      Object.fromEntries(
        seconds.flatMap((length) => {
          const combined = withCombination(form, shown.model, length, resolution);
          const quote = combined && priceOf(combined, shown, mode).quote;
          return quote ? [[length, quote.total]] : [];
        }),
      ),
    ]),
  );
}

/** Returns the settings for the playground, without the prompt, media and input length of the sample. */
function playgroundRequest(form: VideoForm, body: RequestBody): string {
  const { input_seconds: _sample, ...settings } = settingsOf(body);
  return printJson({ ...(form.provider !== undefined && { model: body.model }), ...settings });
}

/** Returns a sentence that names the settings that this provider ignores; empty if there are none. */
function ignoredWords(binding: VideoBinding, body: RequestBody): string {
  const ignored = Object.keys(body).filter(
    (name) => videoParameters[name] !== undefined && !binding.parameters.includes(name),
  );
  return ignored.length === 0 ? '' : `This provider ignores ${allOf(ignored)}. `;
}

/** Returns the form with another provider, or with automatic routing if it is undefined. */
export function withProvider(form: VideoForm, model: VideoModel, provider: ProviderId | undefined): VideoForm {
  return withSampleMedia(switchProvider(form, model, provider).form, model, form.videos.length > 0);
}

export { printForm, withCombination, withSampleMedia };
