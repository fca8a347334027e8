import { withBindings } from '../catalog/binding-facts';
import { parseVideoSize, checkSeconds } from '../catalog/video-dimensions';
import type { VideoField } from '../contract/videos';
import { GatewayError } from '../domain/errors';
import { shownIgnoredParams } from '../domain/json';
import type { VideoModel } from '../domain/model';
import type { MediaRole, VideoBinding, VideoFacts, VideoOrder, Mode } from '../domain/video';
import { quoteVideo } from '../billing/quote';
import type { MediaReach, VideoNeeds } from '../catalog/binding-fit';
import { findRate } from '../domain/video-tiers';
import { RequestFields } from './request-fields';
import { parseInputMillis, parseMedia, type AskedMedia } from './video-media';
import { audioParameters, defaultParameters, factsFor, hasAudio, isSilent, parseParameters } from './video-parameters';

// Parses a request body into an order: every field that the model supports is validated and made explicit; all others
// are not read. Pure: no database, clock or network.

export interface VideoRequest {
  readonly order: VideoOrder;
  /** The order's media with the names of their fields. */
  readonly media: readonly AskedMedia[];
  readonly webhook?: string;
  /** Names of parameters that were sent with a value other than the default. */
  readonly choices: readonly string[];
  /** The names in `choices` that concern audio. */
  readonly audioChoices: readonly string[];
  /** Whether a size was sent. */
  readonly hasSize: boolean;
  /**
   * Parameters that were sent and that the model supports, and `seconds`; a provider may still not support some of them
   * (see `ignoredBy`).
   */
  readonly sentParameters: readonly string[];
  /** Names of fields that were sent but not read. */
  readonly ignoredParams: readonly string[];
}

/** Reads the `model` of a body, which decides how the rest is parsed. */
export function parseModelName(body: Readonly<Record<string, unknown>>): string {
  const name = new RequestFields<VideoField>(body, false).text('model', 200);
  if (name === undefined || name === '') {
    throw new GatewayError(
      'missing_required_parameter',
      'model is missing: the id of a video model, such as sandbox-t2v. GET /v1/models lists them.',
      { param: 'model' },
    );
  }
  return name;
}

/**
 * Parses a body for a model and the bindings that may serve it: all of the model's, or those left by a pin and the
 * key's policy. Throws a GatewayError of status 400 that names the field.
 */
export function parseVideoRequest(
  body: Readonly<Record<string, unknown>>,
  textOnly: boolean,
  model: VideoModel,
  bindings: readonly VideoBinding[],
): VideoRequest {
  const { id: ofModel, video } = withBindings(model, bindings);
  const fields = new RequestFields<VideoField>(body, textOnly);
  // A pinned request is validated against its provider, so a refusal names the provider.
  const isPinned = String(fields.raw('model')).includes('/');
  const id = isPinned && bindings[0] ? `${bindings[0].providerId}/${ofModel}` : ofModel;

  const prompt = fields.text('prompt', video.promptCharacters);
  if (prompt === undefined || prompt.trim() === '') {
    throw new GatewayError('missing_required_parameter', 'prompt is missing: a description of the video.', {
      param: 'prompt',
    });
  }
  const size = parseVideoSize(
    video,
    { size: fields.raw('size'), width: fields.raw('width'), height: fields.raw('height') },
    id,
  );
  const media = parseMedia(fields, video, id);
  const facts = factsFor(video, { resolution: size.resolution, media });
  // The length of the source is required for an edit, and for references if the tariff bills it.
  const brings = (role: MediaRole) => media.some((piece) => piece.role === role);
  const states = brings('source_video') || (brings('reference_video') && fields.has('input_seconds'));
  const inputMillis = states ? parseInputMillis(fields, id) : undefined;
  if (inputMillis !== undefined && brings('source_video')) checkSource(facts, inputMillis, id);
  // If every output is as long as its source, the value has no effect.
  const requested = fields.raw('seconds');
  const seconds = checkSeconds(facts, facts.outputFollowsSource ? undefined : requested, {
    modelId: id,
    resolution: size.resolution,
    ...(inputMillis === undefined ? {} : { inputMillis }),
  });
  const supports = (name: string) => facts.parameters.includes(name);
  const fps = supports('fps')
    ? fields.integer('fps', facts.fps.min ?? facts.fps.default, facts.fps.max ?? facts.fps.default)
    : undefined;
  const seed = supports('seed') ? fields.integer('seed', 0, facts.maxSeed) : undefined;
  const parameters = parseParameters(fields, facts);
  const webhook = fields.text('webhook', 2_048);
  const sentParameters = facts.parameters.filter((name) => fields.sent(name));
  const values: Readonly<Record<string, unknown>> = { ...parameters, fps, seed };
  const defaults: Readonly<Record<string, unknown>> = { ...defaultParameters, fps: facts.fps.default };
  const choices = sentParameters.filter((name) => values[name] !== defaults[name]);

  return {
    choices,
    audioChoices: choices.filter((name) => audioParameters.includes(name)),
    hasSize: ['size', 'width'].some((name) => fields.sent(name)),
    sentParameters: [...sentParameters, ...(fields.sent('seconds') ? ['seconds'] : [])],
    order: {
      kind: facts.kind,
      prompt,
      seconds,
      ...size,
      fps: fps ?? facts.fps.default,
      ...(seed === undefined ? {} : { seed }),
      audio: hasAudio(facts.audio, parameters),
      media: media.map(({ role, url }) => ({ role, url })),
      ...(inputMillis === undefined ? {} : { inputMillis }),
      parameters,
    },
    media,
    ...(webhook === undefined ? {} : { webhook }),
    ignoredParams: fields.ignored(),
  };
}

function checkSource({ sourceSeconds }: VideoFacts, inputMillis: number, modelId: string): void {
  if (!sourceSeconds) return;
  const { min, max } = sourceSeconds;
  if (inputMillis >= min * 1000 && inputMillis <= max * 1000) return;
  throw new GatewayError(
    'unsupported_value',
    `input_seconds must be between ${min} and ${max} for ${modelId}; got ${inputMillis / 1000}.`,
    { param: 'input_seconds', details: { min, max } },
  );
}

/** Returns the names of all sent fields that have no effect if this binding serves the request; at most 32. */
export function ignoredBy(
  request: Pick<VideoRequest, 'order' | 'sentParameters' | 'ignoredParams'>,
  model: VideoModel,
  binding: VideoBinding,
): string[] {
  const { audio, outputFollowsSource } = orderFor(request.order, model, binding);
  const takes = (name: string) =>
    name === 'seconds' ? !outputFollowsSource : binding.parameters.includes(name) && (audio || name !== VOICE);
  return shownIgnoredParams([...request.sentParameters.filter((name) => !takes(name)), ...request.ignoredParams]);
}

/** Returns whether the output is as long as the source, so that `seconds` has no effect. Not if the source is cut. */
function followsSource(
  { seconds, inputMillis }: VideoOrder,
  { outputFollowsSource, cutsSource }: VideoBinding,
): boolean {
  if (inputMillis === undefined) return false;
  return outputFollowsSource === true || (cutsSource === true && seconds * 1_000 > inputMillis);
}

/** Left out for a silent video, on which it has no effect: some providers charge extra for it. */
const VOICE = 'reference_voice';

/**
 * Returns the order for this binding: only the parameters that it supports, with its own rule for sound, without the
 * voice for a silent video, and with the duration of the source if the output follows it.
 */
export function orderFor(order: VideoOrder, model: VideoModel, binding: VideoBinding): VideoOrder {
  const takes = (name: string) => binding.parameters.includes(name);
  const { seed, ...rest } = order;
  const audio = !isSilent(model.video, order) && hasAudio(binding.audio ?? model.video.audio, order.parameters);
  return {
    ...rest,
    ...(seed !== undefined && takes('seed') ? { seed } : {}),
    fps: takes('fps') ? order.fps : model.video.fps.default,
    parameters: Object.fromEntries(
      Object.entries(order.parameters).filter(([name]) => takes(name) && (audio || name !== VOICE)),
    ),
    audio,
    ...(order.inputMillis !== undefined && followsSource(order, binding)
      ? {
          seconds: Math.min(
            Math.ceil(order.inputMillis / 1000),
            (binding.seconds ?? model.video.seconds).at(-1) ?? Infinity,
          ),
          outputFollowsSource: true,
        }
      : {}),
  };
}

/** The sandbox reads the media, in any form. */
const testMediaReach: MediaReach = { publishes: true, reaches: () => true };

/** Returns what a parsed request needs of a binding. `liveReach` states which media providers can read in live mode. */
export function needsOf(
  { order, choices, audioChoices, hasSize }: Pick<VideoRequest, 'order' | 'choices' | 'audioChoices' | 'hasSize'>,
  model: VideoModel,
  mode: Mode,
  liveReach: MediaReach,
): VideoNeeds {
  return {
    order,
    choices,
    audioChoices,
    hasSize,
    mediaReach: mode === 'test' ? testMediaReach : liveReach,
    awaitsConfirmation: (binding) =>
      mode === 'live' && findRate(orderFor(order, model, binding), binding.price)?.unverified === true,
    costAt: (binding) => quoteVideo(orderFor(order, model, binding), binding.price).total,
  };
}
