import { quoteVideo, presentQuote } from '../../../../lib/billing/quote';
import {
  bindingsFor,
  unsupportedBy,
  unsupportedRequest,
  type MediaReach,
  type VideoNeeds,
} from '../../../../lib/catalog/binding-fit';
import { withoutPrice } from '../../../../lib/catalog/free-binding';
import { bindingKey } from '../../../../lib/domain/binding';
import { isGatewayError } from '../../../../lib/domain/errors';
import type { VideoModel } from '../../../../lib/domain/model';
import type { QuoteJson } from '../../../../lib/contract/quotes';
import type { Mode, VideoBinding } from '../../../../lib/domain/video';
import { orderFor, parseVideoRequest, needsOf } from '../../../../lib/videos/video-request';
import { PLACEHOLDER_URL, withPlaceholders } from '../../../../lib/videos/with-placeholders';
import { pinnedModel } from './pinned-model';
import { offeredBindings, type MediaPiece, type VideoForm, type ShownModel } from './form';
import { requestOf } from './form-request';

// The price and the first validation error of a form, computed by the functions that validate and charge submissions.
// They run in the browser, so the price updates immediately.

export interface Estimate {
  /** Absent while the price is unknown, for example for an edit without the length of its source. */
  readonly quote?: QuoteJson;
  /** The binding whose price this is. */
  readonly binding?: VideoBinding;
  /** The first validation error of a submission. */
  readonly error?: FieldError;
}

export interface FieldError {
  /** The request's field, such as `image_list[0]`. */
  readonly param?: string;
  readonly message: string;
}

/**
 * Returns the price and the first error of a form. In live mode only providers that serve the organisation count;
 * without one there is an error and no price.
 */
export function estimateOf(form: VideoForm, shown: ShownModel, mode: Mode): Estimate {
  const model = pinnedModel(shown.model, form.provider);
  const { bindings } = model;
  const body = requestOf(form, shown.model, { urlOf: placeholder });
  // A missing or invalid prompt, image or video does not change the price.
  const priceable = () =>
    withPlaceholders(model.video, {
      ...requestOf(form, shown.model, { urlOf: () => PLACEHOLDER_URL }),
      prompt: '-',
    });
  const parsed = attempt(() => parseVideoRequest(body, false, model, bindings));
  const priced = 'error' in parsed ? attempt(() => parseVideoRequest(priceable(), false, model, bindings)) : parsed;
  if ('error' in priced) return { error: 'error' in parsed ? parsed.error : priced.error };
  const { order } = priced.value;
  const needs = needsOf(priced.value, model, mode, mediaReachOf(shown));

  const offered = mode === 'test' ? bindings : bindings.filter((binding) => offeredBindings(shown).includes(binding));
  // As in the router: a request that an own account can serve goes only there.
  const own = mode === 'test' ? [] : offered.filter((each) => shown.own?.includes(bindingKey(each)));
  const [ownBinding] = bindingsFor(own.map(withoutPrice), needs, { byPrice: true });
  const [binding] = ownBinding ? [ownBinding] : bindingsFor(offered, needs, { byPrice: mode === 'live' });
  const error = 'error' in parsed ? parsed.error : urlError(form, model);
  if (!binding) return { error: offered.length === 0 ? notSetUp(shown) : unsupportedError(model, offered, needs) };
  const quoted = attempt(() => presentQuote(quoteVideo(orderFor(order, model, binding), binding.price)));
  if ('error' in quoted) return { error: error ?? quoted.error };
  return { quote: quoted.value, binding, ...(error && { error }) };
}

function notSetUp({ model, implemented, unconfirmed }: ShownModel): FieldError {
  const message = unconfirmed
    ? `The operator has not confirmed the price of ${model.id}. Try it in test mode, or ask the operator.`
    : implemented
      ? `No provider of ${model.id} is set up in this installation. Try it in test mode, or ask the operator.`
      : `${model.id} is not available in live mode yet: this version has no adapter for its providers. Try it in test mode.`;
  return { param: 'model', message };
}

/** Returns the error that a submission would get, because no configured provider supports one of its values. */
function unsupportedError(model: VideoModel, bindings: readonly VideoBinding[], needs: VideoNeeds): FieldError {
  const { message, extra } = unsupportedRequest(
    model.id,
    bindings.flatMap((binding) => {
      const reason = unsupportedBy(binding, needs);
      return reason ? [{ provider: binding.providerId, reason }] : [];
    }),
  );
  return { ...(extra.param !== undefined && { param: extra.param }), message };
}

/** Files are sent as data URLs. Only the server can check whether a URL is public. */
function mediaReachOf({ publishesMedia: publishes }: ShownModel): MediaReach {
  return { publishes, reaches: (url) => publishes || !/^data:/i.test(url) };
}

type Attempt<T> = { readonly value: T } | { readonly error: FieldError };

function attempt<T>(run: () => T): Attempt<T> {
  try {
    return { value: run() };
  } catch (error) {
    if (!isGatewayError(error)) throw error;
    const { param } = error.extra;
    return { error: { ...(param !== undefined && { param }), message: error.message } };
  }
}

/** Replaces the data of a file, which does not affect the price and may be 33 MB. */
function placeholder(piece: MediaPiece): string {
  return piece.kind === 'file' ? 'data:' : piece.url.trim();
}

/** Returns an error for an obviously invalid URL. The full check happens on the server. */
function urlError(form: VideoForm, { video: { kind } }: VideoModel): FieldError | undefined {
  const pieces: readonly [string, MediaPiece | null][] = [
    ...form.images.map((piece, index): [string, MediaPiece | null] => [
      kind === 'i2v' ? 'image_url' : `image_list[${index}]`,
      piece,
    ]),
    ...form.videos.map((piece, index): [string, MediaPiece | null] => [`video_list[${index}]`, piece]),
    ['video_url', form.source],
  ];
  const wrong = pieces.find(
    ([, piece]) => piece !== null && piece.kind !== 'file' && piece.url.trim() !== '' && !isUrl(piece.url),
  );
  return wrong && { param: wrong[0], message: 'This is not a URL. It must begin with https://.' };
}

function isUrl(text: string): boolean {
  return URL.canParse(text.trim()) && /^(?:https?|data):/i.test(text.trim());
}
