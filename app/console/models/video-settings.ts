import { billsInput, presentQuote, quoteVideo } from '../../../lib/billing/quote';
import { bindingsFor } from '../../../lib/catalog/binding-facts';
import { allowedSeconds } from '../../../lib/catalog/video-seconds';
import { canonicalSize } from '../../../lib/catalog/video-size';
import { isGatewayError } from '../../../lib/domain/errors';
import type { VideoModel } from '../../../lib/domain/model';
import type { ProviderId } from '../../../lib/domain/ids';
import type { QuoteJson } from '../../../lib/contract/quotes';
import type { Mode, VideoFacts, VideoBinding } from '../../../lib/domain/video';
import { videoParameters } from '../../../lib/videos/video-parameters';
import { orderFor, parseVideoRequest } from '../../../lib/videos/video-request';
import { EnvironmentText, type CodeValue } from '../components/code/code-request';
import { aspectRatiosOf } from '../components/video-form/aspect-ratios';
import { audioParameters } from '../components/video-form/audio-parameters';
import { pinnedModel } from '../components/video-form/pinned-model';
import { SAMPLE_PICTURE } from './sample-picture';

// The settings on the page of a video model. Price and code are derived from them, with the functions that validate and
// price real requests.

export interface VideoSettings {
  /** Absent: automatic routing. */
  readonly provider?: ProviderId | undefined;
  readonly seconds: number;
  readonly resolution: string;
  /** Empty if the media determine it. */
  readonly ratio: string;
  readonly audio: boolean;
  /** A value of the parameter `options`, if the price depends on it. */
  readonly option?: string | undefined;
  /** Length of the source or reference video, in seconds. */
  readonly inputSeconds: number;
  /** Uses a reference video instead of an image. */
  readonly withVideo: boolean;
}

const PROMPT = 'A paper boat on a quiet lake';
/** Environment variable of the code sample with the URL of the input video. */
const SOURCE = 'SOURCE_VIDEO_URL';

export function defaultSettings(model: VideoModel, provider?: ProviderId): VideoSettings {
  const facts = pinnedModel(model, provider).video;
  const allowed = allowedSeconds(facts, facts.defaultResolution);
  const inputSeconds = allowed.find((seconds) => seconds >= 5) ?? allowed[0] ?? 5;
  return {
    ...(provider !== undefined && { provider }),
    seconds: facts.defaultSeconds ?? inputSeconds,
    resolution: facts.defaultResolution,
    ratio: aspectRatiosOf(facts)[0] ?? '',
    audio: facts.audio !== 'none',
    ...(pricedOptions(model).length > 0 && { option: pricedOptions(model)[0] }),
    inputSeconds,
    withVideo: facts.media.videos !== undefined && facts.media.images === undefined,
  };
}

/** Adjusts the settings to the nearest values that this model and provider support. */
export function fitSettings(model: VideoModel, wanted: VideoSettings): VideoSettings {
  const facts = pinnedModel(model, wanted.provider).video;
  const resolution = facts.resolutions.includes(wanted.resolution) ? wanted.resolution : facts.defaultResolution;
  const allowed = allowedSeconds(facts, resolution);
  const ratios = aspectRatiosOf(facts);
  return {
    ...wanted,
    resolution,
    seconds: allowed.find((seconds) => seconds >= wanted.seconds) ?? allowed.at(-1) ?? wanted.seconds,
    ratio: ratios.includes(wanted.ratio) ? wanted.ratio : (ratios[0] ?? ''),
    audio: soundSwitch(facts) === undefined ? facts.audio !== 'none' : wanted.audio,
  };
}

/** The parameter that switches audio, if there is one. */
export function soundSwitch(facts: VideoFacts): string | undefined {
  return audioParameters.find((name) => facts.parameters.includes(name));
}

/** The values of `options` with different prices. */
export function pricedOptions(model: VideoModel): readonly string[] {
  if (!model.video.parameters.includes('options')) return [];
  return [...new Set(model.bindings.flatMap(({ price }) => price.rates.flatMap(({ option }) => option ?? [])))];
}

/** Whether the length of an input video is a setting: edits require it, references only if it is billed. */
export function hasInputSeconds(
  model: VideoModel,
  { provider, withVideo }: Pick<VideoSettings, 'provider' | 'withVideo'>,
): boolean {
  const { video, bindings } = pinnedModel(model, provider);
  return video.media.sourceVideo === true || (withVideo && billsInput(bindings, true));
}

/** The body of `POST /v1/videos`. */
export function videoBody(model: VideoModel, settings: VideoSettings): Readonly<Record<string, CodeValue>> {
  const facts = pinnedModel(model, settings.provider).video;
  const { media } = facts;
  const sound = soundSwitch(facts);
  const source = new EnvironmentText(SOURCE);
  const soundIsStandard =
    (videoParameters[sound ?? ''] as { readonly standard?: boolean } | undefined)?.standard ?? true; // Safe: the switches of the sound are booleans.
  return {
    model: settings.provider === undefined ? model.id : `${settings.provider}/${model.id}`,
    prompt: PROMPT,
    ...(facts.kind === 'i2v' && { image_url: SAMPLE_PICTURE }),
    ...(facts.kind === 'start-end' && { image_list: [SAMPLE_PICTURE, SAMPLE_PICTURE] }),
    ...(facts.kind === 'r2v' &&
      (settings.withVideo ? { video_list: [source] } : media.images ? { image_list: [SAMPLE_PICTURE] } : {})),
    ...(media.sourceVideo && { video_url: source }),
    ...(hasInputSeconds(model, settings) && { input_seconds: settings.inputSeconds }),
    seconds: settings.seconds,
    size: canonicalSize(settings.resolution, settings.ratio || '16:9').join('x'),
    ...(sound !== undefined && settings.audio !== soundIsStandard && { [sound]: settings.audio }),
    ...(settings.option !== undefined && { options: settings.option }),
  };
}

/** Whether the code sample needs the URL of a video. */
export function needsSource(body: Readonly<Record<string, CodeValue>>): boolean {
  return Object.values(body).some(
    (value) =>
      value instanceof EnvironmentText ||
      (Array.isArray(value) && value.some((each) => each instanceof EnvironmentText)),
  );
}

export type VideoPriceAnswer =
  { readonly quote: QuoteJson; readonly binding: VideoBinding } | { readonly error: string };

/**
 * The price of the settings in this mode, or the validation error. `offered` are the providers that serve live requests
 * here.
 */
export function priceSettings(
  model: VideoModel,
  settings: VideoSettings,
  mode: Mode,
  offered: readonly ProviderId[],
): VideoPriceAnswer {
  const narrowed = pinnedModel(model, settings.provider);
  try {
    const { order, needs } = parseVideoRequest(
      withAddresses(videoBody(model, settings)),
      false,
      narrowed,
      narrowed.bindings,
    );
    const served = mode === 'live' ? narrowed.bindings.filter(({ providerId }) => offered.includes(providerId)) : [];
    const binding = bindingsFor(served, needs)[0] ?? bindingsFor(narrowed.bindings, needs)[0];
    if (!binding) return { error: 'No provider of this model supports this combination.' };
    return { quote: presentQuote(quoteVideo(orderFor(order, narrowed, binding), binding.price)), binding };
  } catch (error) {
    if (!isGatewayError(error)) throw error;
    return { error: error.message };
  }
}

/**
 * The price for a length and a resolution with the other settings unchanged; undefined if the combination is not
 * available.
 */
export function priceOf(
  model: VideoModel,
  settings: VideoSettings,
  seconds: number,
  resolution: string,
  mode: Mode,
  offered: readonly ProviderId[],
): string | undefined {
  const facts = pinnedModel(model, settings.provider).video;
  if (!facts.resolutions.includes(resolution) || !allowedSeconds(facts, resolution).includes(seconds)) return undefined;
  const answer = priceSettings(model, { ...settings, seconds, resolution }, mode, offered);
  return 'quote' in answer ? answer.quote.total : undefined;
}

/** Replaces environment variables by a placeholder URL; the price does not depend on it. */
function withAddresses(body: Readonly<Record<string, CodeValue>>): Readonly<Record<string, unknown>> {
  const address = (value: CodeValue): unknown =>
    value instanceof EnvironmentText
      ? 'https://example.com/source.mp4'
      : Array.isArray(value)
        ? value.map(address)
        : value;
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, address(value)]));
}

/** The part of a body for the playground form, without the sample's media and prompt. */
export function playgroundBody(body: Readonly<Record<string, CodeValue>>): Readonly<Record<string, CodeValue>> {
  const media = ['prompt', 'image_url', 'image_list', 'video_url', 'video_list', 'input_seconds'];
  return Object.fromEntries(Object.entries(body).filter(([name]) => !media.includes(name)));
}
