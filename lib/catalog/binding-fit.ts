import type { ErrorCode } from '../domain/error-rules';
import { GatewayError } from '../domain/errors';
import type { NanoUsd } from '../domain/money';
import { maxInputSeconds } from '../domain/video';
import type { MediaForm, VideoBinding, VideoOrder } from '../domain/video';
import { anyOf } from '../domain/phrases';
import { isHttpUrl } from '../domain/url';
import { rangeWords } from './video-dimensions';

// Decides which bindings of a video model serve a request, and in which order. The request was already validated
// against the union of their facts, so only the facts that a binding states itself are compared here. Also runs in the
// browser, where the form shows the price of the first binding.

/** The parts of a request that decide which bindings may serve it. */
export interface VideoNeeds {
  readonly order: Pick<
    VideoOrder,
    'prompt' | 'seconds' | 'resolution' | 'aspectRatio' | 'seed' | 'media' | 'inputMillis' | 'parameters'
  >;
  /** Parameters that the caller set to a value other than the default. */
  readonly choices: readonly string[];
  /** The `choices` about audio. They take precedence over all others. */
  readonly audioChoices: readonly string[];
  /** Whether the caller chose the size. If not, a binding whose ratio follows the media serves the request too. */
  readonly hasSize: boolean;
  readonly mediaReach: MediaReach;
  /** The price of the order at this binding, in billionths of a dollar. */
  costAt(binding: VideoBinding): NanoUsd;
  /** Whether the order needs a price that the operator has not confirmed. Always false in test mode. */
  awaitsConfirmation(binding: VideoBinding): boolean;
}

/** What a provider can read that takes media only as https URLs. */
export interface MediaReach {
  /** Whether this installation publishes the bytes of a data URL for it. */
  readonly publishes: boolean;
  /** Whether the provider can read this URL, or we publish this data URL for it. */
  reaches(url: string): boolean;
}

/** A value of the request that a binding does not support. */
export interface Unsupported {
  readonly code: ErrorCode;
  readonly param: string;
  /** For the caller, without a full stop: `seconds must be 6 or 10`. */
  readonly text: string;
  /** The resolutions that the binding has, if the requested resolution is not among them. */
  readonly resolutions?: readonly string[];
}

/** Returns the first value of the request that this binding does not support; undefined if it supports all values. */
export function unsupportedBy(binding: VideoBinding, needs: VideoNeeds): Unsupported | undefined {
  const { order, hasSize } = needs;
  const { resolutions, seconds, aspectRatios, rules } = binding;
  if (resolutions?.length === 0) return unsupported('model', 'the credentials cannot order the model');
  if (resolutions && !resolutions.includes(order.resolution)) return otherSize(resolutions);
  if (seconds && !binding.outputFollowsSource && !seconds.includes(order.seconds))
    return unsupported('seconds', `seconds must be ${rangeWords(seconds)}`);
  const broken = rules?.find(
    (rule) => rule.resolutions.includes(order.resolution) && !rule.seconds.includes(order.seconds),
  );
  if (broken && !binding.outputFollowsSource)
    return unsupported('seconds', `seconds must be ${rangeWords(broken.seconds)} at ${order.resolution}`);
  if (aspectRatios && order.aspectRatio !== undefined && !aspectRatios.includes(order.aspectRatio)) {
    // Without a size, the model's default is requested, such as the shape of the media.
    if (aspectRatios.length > 0)
      return unsupported(
        'size',
        `${hasSize ? 'the aspect ratio of size must be' : 'size is required, with the aspect ratio'} ${anyOf(aspectRatios)}`,
      );
    if (hasSize) return unsupported('size', 'the aspect ratio follows the media; leave size out');
  }
  return (
    tooLong('prompt', order.prompt, binding.promptCharacters, binding.promptBytes) ??
    unsupportedMedia(binding, needs) ??
    unsupportedReferences(binding, needs) ??
    unsupportedSource(binding, needs) ??
    unsupportedParameter(binding, needs) ??
    unconfirmedPrice(binding, needs)
  );
}

/**
 * Returns the bindings that can serve a request, in the order in which they are tried while all are healthy: those that
 * honour the most of the caller's parameters, then stable ones first, then by price if `byPrice`.
 */
export function bindingsFor(
  bindings: readonly VideoBinding[],
  needs: VideoNeeds,
  { byPrice }: { readonly byPrice: boolean },
): readonly VideoBinding[] {
  const able = bindings.filter((binding) => unsupportedBy(binding, needs) === undefined);
  return takingMost(byPrice ? able.toSorted(byPreference(needs)) : able, needs);
}

/** Compares bindings by the catalog's preference (stable, beta, experimental), then by the price of the order. */
export function byPreference(needs: VideoNeeds): (one: VideoBinding, other: VideoBinding) => number {
  return (one, other) => {
    const preference = stabilities.indexOf(one.stability) - stabilities.indexOf(other.stability);
    if (preference !== 0) return preference;
    const difference = needs.costAt(one) - needs.costAt(other);
    return difference < 0n ? -1 : difference > 0n ? 1 : 0;
  };
}

const stabilities: readonly VideoBinding['stability'][] = ['stable', 'beta', 'experimental'];

/**
 * Returns the first binding that takes the most of the caller's parameters, and all others that take the same ones. So
 * a fallback ignores only the parameters that the response to the submission listed. A request for silence or for sound
 * counts more than all other parameters, because it changes the price and cannot be overlooked in the result.
 */
export function takingMost(
  bindings: readonly VideoBinding[],
  { choices, audioChoices }: VideoNeeds,
): readonly VideoBinding[] {
  return bindingsTakingMost(bindingsTakingMost(bindings, audioChoices), choices);
}

function bindingsTakingMost(bindings: readonly VideoBinding[], names: readonly string[]): readonly VideoBinding[] {
  const taken = bindings.map(({ parameters }) => names.filter((name) => parameters.includes(name)));
  const most = taken.find(({ length }) => taken.every((other) => other.length <= length)) ?? [];
  return bindings.filter(({ parameters }) => most.every((name) => parameters.includes(name)));
}

const NOT_SERVED = {
  not_set_up: 'not set up in this installation',
  not_confirmed: 'its price is not confirmed in this installation',
} as const;

/** A binding that cannot serve the request, and the reason. */
export interface Refusal {
  readonly provider: string;
  readonly reason: Unsupported | keyof typeof NOT_SERVED;
}

const MAX_MESSAGE_CHARS = 500;

/**
 * Creates the error of a request that no configured binding can serve. At least one of the reasons is a value of the
 * request. `details.providers` has the reason of each binding.
 */
export function unsupportedRequest(modelId: string, refusals: readonly Refusal[]): GatewayError {
  const shown = withoutOtherSizes(refusals);
  const values = shown.flatMap(({ reason }) => (typeof reason === 'string' ? [] : [reason]));
  const [first, ...others] = values;
  const isSame = (field: 'code' | 'param') => others.every((value) => value[field] === first?.[field]);
  // The bindings of one provider often have the same reason, and so may all providers.
  const sentences = [...new Set(shown.map(({ provider, reason }) => `${provider}: ${wordsOf(reason)}.`))];
  const message = `No provider of ${modelId} can serve this request. ${sentences.join(' ')}`;
  return new GatewayError(
    first && isSame('code') ? first.code : 'unsupported_value',
    message.length > MAX_MESSAGE_CHARS ? `${message.slice(0, MAX_MESSAGE_CHARS - 1)}…` : message,
    {
      param: first && isSame('param') ? first.param : 'model',
      details: { providers: refusals.map(({ provider, reason }) => ({ provider, reason: wordsOf(reason) })) },
    },
  );
}

const wordsOf = (reason: Refusal['reason']) => (typeof reason === 'string' ? NOT_SERVED[reason] : reason.text);

/**
 * Merges the reasons of bindings that differ in their resolutions, because a provider may have one binding for each. If
 * one of them has the requested resolution, the others are not reported. If none has it, they are reported as one
 * reason.
 */
function withoutOtherSizes(refusals: readonly Refusal[]): readonly Refusal[] {
  const sizesOf = ({ reason }: Refusal) => (typeof reason === 'string' ? undefined : reason.resolutions);
  return [...new Set(refusals.map(({ provider }) => provider))].flatMap((provider) => {
    const own = refusals.filter((refusal) => refusal.provider === provider);
    const ofTheSize = own.filter((refusal) => sizesOf(refusal) === undefined);
    if (ofTheSize.length > 0) return ofTheSize;
    return [{ provider, reason: otherSize([...new Set(own.flatMap((refusal) => sizesOf(refusal) ?? []))]) }];
  });
}

function otherSize(resolutions: readonly string[]): Unsupported {
  return { ...unsupported('size', `size must be ${anyOf(resolutions)}`), resolutions };
}

function unsupported(param: string, text: string, code: ErrorCode = 'unsupported_value'): Unsupported {
  return { code, param, text };
}

/** Undefined limits do not apply. */
function tooLong(
  param: string,
  text: string,
  characters: number | undefined,
  bytes: number | undefined,
): Unsupported | undefined {
  const refusal = (most: number, units: string) =>
    unsupported(param, `${param} may have at most ${most.toLocaleString('en')} ${units}`, 'string_too_long');
  if (characters !== undefined && text.length > characters) return refusal(characters, 'characters');
  if (bytes === undefined) return undefined;
  const length = new TextEncoder().encode(text).length;
  if (length <= bytes) return undefined;
  return refusal(
    bytes,
    `bytes in UTF-8; it has ${length.toLocaleString('en')}, because not every character is one byte`,
  );
}

function unsupportedMedia(
  { media, mediaForms }: VideoBinding,
  { order, mediaReach }: VideoNeeds,
): Unsupported | undefined {
  const counts = media ? wrongCounts(media, order.media) : [];
  const [first] = counts;
  if (first) return unsupported(first.field, counts.map(({ text }) => text).join('; '), 'invalid_media_count');
  for (const kind of ['images', 'videos'] as const) {
    const pieces = order.media.filter(({ role }) => kindOf(role) === kind);
    const field = mediaField(kind, order.media);
    const forms: readonly MediaForm[] | undefined = mediaForms?.[kind];
    if (forms && !forms.some((form) => form !== 'https') && !pieces.every(({ url }) => mediaReach.reaches(url)))
      return unsupported(
        field,
        mediaReach.publishes
          ? `${field} must be a data URL or an https URL on the public internet`
          : `${field} must be an https URL on the public internet; data URLs and links of this installation need a PUBLIC_BASE_URL that is a public https URL, which its operator can set`,
      );
  }
  return undefined;
}

/**
 * Returns the lists with too few or too many media for the binding. The list of videos comes first: a request with
 * videos alone lacks images only if the binding takes no videos.
 */
function wrongCounts(
  media: NonNullable<VideoBinding['media']>,
  sent: VideoOrder['media'],
): { readonly field: string; readonly text: string }[] {
  return (['videos', 'images'] as const).flatMap((kind) => {
    const { min, max } = media[kind] ?? { min: 0, max: 0 };
    const count = sent.filter(({ role }) => role !== 'source_video' && kindOf(role) === kind).length;
    if (count >= min && count <= max) return [];
    const field = mediaField(kind, sent);
    const takes = `takes ${countWords(min, max)} ${max === 1 ? kind.slice(0, -1) : kind}`;
    return [{ field, text: `${field} ${max === 0 ? 'is not supported' : takes}` }];
  });
}

/** Checks the limits on references that span both lists, images and videos. */
function unsupportedReferences(
  { references = {}, price }: VideoBinding,
  { order: { media, inputMillis } }: VideoNeeds,
): Unsupported | undefined {
  const count = (role: string) => media.filter((one) => one.role === role).length;
  const images = count('reference_image');
  const videos = count('reference_video');
  const { together = Infinity, imagesBesideVideo = Infinity } = references;
  if (images + videos > together)
    return unsupported(
      'image_list',
      `image_list and video_list take at most ${together} items together`,
      'invalid_media_count',
    );
  if (videos > 0 && images > imagesBesideVideo)
    return unsupported(
      'image_list',
      `image_list takes at most ${imagesBesideVideo} images beside video_list`,
      'invalid_media_count',
    );
  if (videos === 0) return undefined;
  const [maxSeconds] = price.rates.flatMap((rate) => maxInputSeconds(rate, videos) ?? []);
  return maxSeconds !== undefined && (inputMillis ?? 0) > maxSeconds * 1000
    ? unsupported('input_seconds', `input_seconds must be at most ${maxSeconds}`)
    : undefined;
}

const countWords = (min: number, max: number) => (min === max ? `exactly ${max}` : `${min} to ${max}`);

function kindOf(role: VideoOrder['media'][number]['role']): 'images' | 'videos' {
  return role === 'reference_video' || role === 'source_video' ? 'videos' : 'images';
}

/** Returns the field of the request that has the media of this kind. */
function mediaField(kind: 'images' | 'videos', media: VideoOrder['media']): string {
  if (kind === 'videos') return media.some(({ role }) => role === 'source_video') ? 'video_url' : 'video_list';
  const isSingleFrame =
    media.some(({ role }) => role === 'first_frame') && !media.some(({ role }) => role === 'last_frame');
  return isSingleFrame ? 'image_url' : 'image_list';
}

function unsupportedSource({ sourceSeconds }: VideoBinding, { order }: VideoNeeds): Unsupported | undefined {
  if (!sourceSeconds || order.inputMillis === undefined) return undefined;
  if (!order.media.some(({ role }) => role === 'source_video')) return undefined;
  const { min, max } = sourceSeconds;
  return order.inputMillis < min * 1000 || order.inputMillis > max * 1000
    ? unsupported('input_seconds', `input_seconds must be between ${min} and ${max}`)
    : undefined;
}

/** Checked last, because an order that the binding does not take has no price there. */
function unconfirmedPrice(binding: VideoBinding, needs: VideoNeeds): Unsupported | undefined {
  return needs.awaitsConfirmation(binding)
    ? unsupported('size', `its price at ${needs.order.resolution} is not confirmed in this installation`)
    : undefined;
}

/**
 * Returns a parameter value that this binding does not take. A parameter that the binding does not have at all is
 * ignored and not refused.
 */
function unsupportedParameter(
  { parameters, maxSeed, negativePromptCharacters, promptBytes, voiceNames }: VideoBinding,
  { order }: VideoNeeds,
): Unsupported | undefined {
  if (maxSeed !== undefined && order.seed !== undefined && order.seed > maxSeed && parameters.includes('seed'))
    return unsupported('seed', `seed must be at most ${maxSeed.toLocaleString('en')}`);
  const voice = order.parameters.reference_voice;
  if (voice !== undefined && parameters.includes('reference_voice') && !voiceNames && !isHttpUrl(String(voice)))
    return unsupported('reference_voice', 'reference_voice must be the URL of a recording');
  const negative = order.parameters.negative_prompt;
  if (typeof negative !== 'string' || !parameters.includes('negative_prompt')) return undefined;
  return tooLong('negative_prompt', negative, negativePromptCharacters, promptBytes);
}
