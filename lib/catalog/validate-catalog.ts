import { bindingKey, providersOf } from '../domain/binding';
import type { Model, VideoModel } from '../domain/model';
import type { MediaRule, VideoBinding, VideoFacts, VideoKind, VideoPrice } from '../domain/video';
import { servesResolution, unionOfFacts } from './binding-facts';
import { messagesErrors } from './validate-messages-model';
import { sttErrors, ttsErrors } from './validate-speech-model';
import { isRatio, isTier } from '../domain/video-tiers';
import { allowedSeconds } from './video-seconds';

// The catalog is edited by hand, and a mistake costs money. It is validated as a whole when it is created, so that an
// invalid one never serves a request; all errors are reported together.

const parameterNames = [
  'quality',
  'options',
  'thinking_type',
  'generate_audio',
  'sound',
  'keep_original_sound',
  'audio',
  'generate_audio_switch',
  'go_fast',
  'remove_watermark',
  'multi_clip',
  'generate_multi_clip_switch',
  'bgm',
  'seed',
  'fps',
  'prompt_extend',
  'negative_prompt',
  'watermark',
  'reference_voice',
];

/** The end of an id names its kind, so that callers know the required media from the name. */
const kindSuffixes: Readonly<Record<VideoKind, readonly string[]>> = {
  t2v: ['-t2v'],
  i2v: ['-i2v'],
  r2v: ['-r2v', 'reference-to-video'],
  'video-edit': ['-video-edit'],
  'start-end': ['-start-end', '-transition'],
};

/** Far above any published price of a second or a clip; catches a misplaced decimal point. Dollars × 10¹⁸. */
const HIGHEST_PRICE = 10n * 10n ** 18n;

/** The errors of a list of models, one sentence each; empty if there are none. */
export function validateCatalog(models: readonly Model[]): string[] {
  return [
    ...nameErrors(models),
    ...models.flatMap((model) => modelErrors(model, models).map((error) => `${model.id}: ${error}`)),
  ];
}

function nameErrors(models: readonly Model[]): string[] {
  const errors: string[] = [];
  const seen = new Set<string>();
  for (const name of models.flatMap((model) => [model.id, ...model.aliases])) {
    if (seen.has(name))
      errors.push(`the name "${name}" is used twice, so an alias could lead elsewhere or in a circle.`);
    if (!/^[a-z0-9][a-z0-9.-]*$/.test(name))
      errors.push(`the name "${name}" has characters other than a-z, 0-9, "." and "-".`);
    seen.add(name);
  }
  return errors;
}

function modelErrors(model: Model, models: readonly Model[]): string[] {
  const errors: string[] = [];
  const expect = (holds: boolean, error: string) => void (holds || errors.push(error));
  expect(model.name !== '' && model.description !== '', 'name or description is empty.');
  expect(Number.isSafeInteger(model.created) && model.created > 0, 'created is not a Unix time in seconds.');
  for (const date of [model.deprecatedAt, model.deactivatedAt])
    expect(date === undefined || !Number.isNaN(Date.parse(date)), 'a date is not an ISO instant.');
  for (const id of model.replacements ?? [])
    expect(
      models.some((other) => other.id === id && other.deactivatedAt === undefined),
      `the replacement ${id} is not an active model.`,
    );
  expect(model.bindings.length > 0, 'no provider serves it.');
  expect(
    new Set(model.bindings.map(bindingKey)).size === model.bindings.length,
    'a provider has two bindings with the same upstream model.',
  );
  expect(
    model.capability === 'video' || providersOf(model.bindings).length === model.bindings.length,
    'a provider serves it twice.',
  );
  for (const { providerId, modelName } of model.bindings) {
    expect(/^[a-z0-9][a-z0-9-]*$/.test(providerId), `${providerId}: the provider id is not plain.`);
    expect(modelName !== '', `${providerId}: the upstream name is empty.`);
  }
  switch (model.capability) {
    case 'video':
      return [...errors, ...videoErrors(model)];
    case 'messages':
      return [...errors, ...messagesErrors(model)];
    case 'stt':
      return [...errors, ...sttErrors(model)];
    case 'tts':
      return [...errors, ...ttsErrors(model)];
  }
}

function videoErrors(model: VideoModel): string[] {
  const { video } = model;
  const errors: string[] = [];
  const expect = (holds: boolean, error: string) => void (holds || errors.push(error));
  expect(
    kindSuffixes[video.kind].some((suffix) => model.id.endsWith(suffix)),
    `the id does not end as a ${video.kind} model must.`,
  );
  expect(mediaFit(video.kind, video.media), `the media rule does not fit the kind ${video.kind}.`);
  expect(isAscending(video.seconds), 'seconds are not whole, positive and ascending.');
  expect(
    (video.defaultSeconds === undefined) === (video.kind === 'video-edit'),
    'a default length belongs to every kind but edits.',
  );
  expect(
    video.defaultSeconds === undefined || video.seconds.includes(video.defaultSeconds),
    'the default length is not allowed.',
  );
  expect(video.resolutions.length > 0 && video.resolutions.every(isTier), 'a resolution is not a known tier.');
  expect(video.resolutions.includes(video.defaultResolution), 'the default resolution is not allowed.');
  expect(
    video.aspectRatios.every((ratio) => isRatio(ratio) || ratio === 'adaptive'),
    'an aspect ratio is not W:H.',
  );
  for (const tier of video.resolutions) {
    for (const provider of providersOf(model.bindings)) {
      const serving = model.bindings.filter(
        (binding) => binding.providerId === provider && servesResolution(binding, tier),
      );
      expect(serving.length <= 1, `${provider} serves ${tier} with two bindings.`);
    }
    const allowed = allowedSeconds(video, tier);
    expect(allowed.length > 0, `the rules leave no length at ${tier}.`);
    expect(
      tier !== video.defaultResolution || video.defaultSeconds === undefined || allowed.includes(video.defaultSeconds),
      'the defaults break a rule.',
    );
  }
  expect(
    video.parameters.every((name) => parameterNames.includes(name)),
    'a parameter is not of the specification.',
  );
  const { min, max } = video.fps;
  expect(
    (min !== undefined && max !== undefined) === video.parameters.includes('fps'),
    'a range of fps and the parameter fps go together.',
  );
  expect(
    (min ?? video.fps.default) <= video.fps.default && video.fps.default <= (max ?? video.fps.default),
    'the default fps is out of range.',
  );
  expect(
    model.bindings.slice(0, 1).every((first) => servesAll(video, first)),
    'the first binding, which gives the price in test mode, must support every value of the model.',
  );
  return [
    ...errors,
    ...model.bindings.flatMap((binding) =>
      bindingErrors(binding, model).map((error) => `${binding.providerId}: ${error}`),
    ),
  ];
}

/** Whether the model's facts are those of this binding, apart from its parameters and its audio. */
function servesAll(facts: VideoFacts, binding: VideoBinding): boolean {
  const alone = unionOfFacts(facts, [binding]);
  return (
    [
      'seconds',
      'resolutions',
      'aspectRatios',
      'media',
      'promptCharacters',
      'sourceSeconds',
      'maxSeed',
      'negativePromptCharacters',
    ] as const
  ).every((fact) => JSON.stringify(alone[fact]) === JSON.stringify(facts[fact]));
}

function bindingErrors(binding: VideoBinding, model: VideoModel): string[] {
  const { video } = model;
  const tiers = binding.resolutions ?? video.resolutions;
  const errors = tiers
    .filter((tier) => !video.resolutions.includes(tier))
    .map((tier) => `${tier} is not a tier of the model.`);
  const expect = (holds: boolean, error: string) => void (holds || errors.push(error));
  const isSubset = <T>(some: readonly T[] | undefined, all: readonly T[]) => some?.every((each) => all.includes(each));
  expect(isSubset(binding.parameters, video.parameters) !== false, 'a parameter is missing from the model.');
  expect(isSubset(binding.seconds, video.seconds) !== false, 'a duration is missing from the model.');
  expect(isSubset(binding.aspectRatios, video.aspectRatios) !== false, 'an aspect ratio is missing from the model.');
  const alone = unionOfFacts(video, [binding]);
  expect(mediaFit(video.kind, alone.media), `the number of its media does not fit the kind ${video.kind}.`);
  for (const tier of tiers)
    expect(allowedSeconds(alone, tier).length > 0, `the rules leave none of its durations at ${tier}.`);
  for (const kind of ['images', 'videos'] as const)
    expect(binding.mediaForms?.[kind]?.length !== 0, `${kind} have no form.`);
  const { sourceSeconds, outputFollowsSource } = binding;
  expect(
    (sourceSeconds === undefined && !outputFollowsSource) || video.kind === 'video-edit',
    'only edits have a source.',
  );
  expect(
    sourceSeconds === undefined || sourceSeconds.min <= sourceSeconds.max,
    'the durations of the source are none.',
  );
  return [...errors, ...priceErrors(binding.price, tiers)];
}

function priceErrors(price: VideoPrice, tiers: readonly string[]): string[] {
  const errors: string[] = [];
  if (price.source === '') errors.push('the price does not say where it comes from.');
  if (price.rates.some((rate) => rate.usd <= 0n || rate.usd > HIGHEST_PRICE))
    errors.push('a rate is not between $0 and $10.');
  if (price.extras?.some(({ free, usd }) => !Number.isInteger(free) || free < 0 || usd <= 0n || usd > HIGHEST_PRICE))
    errors.push('an extra is not between $0 and $10, or has no number of free pictures.');
  for (const tier of tiers) {
    if (!price.rates.some((rate) => rate.resolution === undefined || rate.resolution === tier))
      errors.push(`there is no rate for ${tier}.`);
  }
  return errors;
}

function mediaFit(kind: VideoKind, media: MediaRule): boolean {
  const { images, videos, sourceVideo, eitherRequired } = media;
  if ([images, videos].some((count) => count && (count.min < 0 || count.max < Math.max(1, count.min)))) return false;
  switch (kind) {
    case 't2v':
      return !images && !videos && !sourceVideo;
    case 'i2v':
      return images?.min === 1 && !videos && !sourceVideo;
    case 'r2v':
      return !sourceVideo && (eitherRequired ? Boolean(images && videos) : Boolean(images?.min ?? videos?.min));
    case 'video-edit':
      return sourceVideo === true && !videos && (images?.min ?? 0) === 0;
    case 'start-end':
      return images?.min === 2 && images.max === 2 && !videos && !sourceVideo;
  }
}

function isAscending(seconds: readonly number[]): boolean {
  return (
    seconds.length > 0 &&
    seconds.every((length, index) => Number.isInteger(length) && length > (seconds[index - 1] ?? 0))
  );
}
