import { bindingKey, providersOf } from '../domain/binding';
import type { Model, VideoModel } from '../domain/model';
import type { MediaRule, VideoBinding, VideoFacts, VideoKind } from '../domain/video';
import { servesResolution, unionOfFacts } from './binding-facts';
import { createChecks, type CatalogIssue, type FieldIssue } from './catalog-issue';
import { allOf, anyOf } from '../domain/phrases';
import { missingRate } from './missing-rate';
import { expectPrice, priceBounds } from './price-bounds';
import { messagesIssues } from './validate-messages-model';
import { sttIssues, ttsIssues } from './validate-speech-model';
import { isRatio, isTier, allowedSeconds, ratiosAt } from '../domain/video-tiers';

// The catalog is edited by hand, and a mistake costs money. So it is validated as a whole, and all errors are reported
// together: those of this project's data by a test, those of CATALOG_FILE before it is used.

/** The parameters of the specification that a model may have. */
export const parameterNames: readonly string[] = [
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

/** The errors of a list of models with their places; empty if there are none. */
export function catalogIssues(models: readonly Model[]): CatalogIssue[] {
  const ids = new Map(models.map((model) => [model.id, model]));
  return [
    ...nameIssues(models),
    ...models.flatMap((model) => modelIssues(model, ids).map((issue) => ({ modelId: model.id, ...issue }))),
  ];
}

function nameIssues(models: readonly Model[]): CatalogIssue[] {
  const issues: CatalogIssue[] = [];
  const seen = new Set<string>();
  for (const { id: modelId, aliases } of models) {
    const named = [[modelId, ['id']] as const, ...aliases.map((alias, at) => [alias, ['aliases', at]] as const)];
    for (const [name, path] of named) {
      if (seen.has(name))
        issues.push({
          modelId,
          path,
          reason: `the name "${name}" is used twice, so an alias could lead elsewhere or in a circle.`,
        });
      if (!/^[a-z0-9][a-z0-9.-]*$/.test(name))
        issues.push({
          modelId,
          path,
          reason: `the name "${name}" has characters other than a-z, 0-9, "." and "-".`,
        });
      seen.add(name);
    }
  }
  return issues;
}

function modelIssues(model: Model, models: ReadonlyMap<string, Model>): readonly FieldIssue[] {
  const { issues, expect } = createChecks();
  expect(model.name !== '' && model.description !== '', ['name'], 'name or description is empty.');
  expect(
    Number.isSafeInteger(model.created) && model.created > 0,
    ['created'],
    'created is not a Unix time in seconds.',
  );
  for (const field of ['deprecatedAt', 'deactivatedAt'] as const) {
    const date = model[field];
    expect(date === undefined || !Number.isNaN(Date.parse(date)), [field], 'a date is not an ISO instant.');
  }
  for (const [at, id] of (model.replacements ?? []).entries()) {
    const replacement = models.get(id);
    expect(
      replacement !== undefined && replacement.deactivatedAt === undefined,
      ['replacements', at],
      `the replacement ${id} is not an active model.`,
    );
  }
  expect(model.bindings.length > 0, ['bindings'], 'no provider serves it.');
  expect(
    new Set(model.bindings.map(bindingKey)).size === model.bindings.length,
    ['bindings'],
    'a provider has two bindings with the same upstream model.',
  );
  expect(
    model.capability === 'video' || providersOf(model.bindings).length === model.bindings.length,
    ['bindings'],
    'a provider serves it twice.',
  );
  for (const [index, { providerId, modelName }] of model.bindings.entries()) {
    const at = ['bindings', index];
    expect(
      /^[a-z0-9][a-z0-9-]*$/.test(providerId),
      [...at, 'providerId'],
      `${providerId}: the provider id is not plain.`,
    );
    expect(modelName !== '', [...at, 'modelName'], `${providerId}: the upstream name is empty.`);
  }
  return [...issues, ...factIssues(model)];
}

function factIssues(model: Model): readonly FieldIssue[] {
  switch (model.capability) {
    case 'video':
      return videoIssues(model);
    case 'messages':
      return messagesIssues(model);
    case 'stt':
      return sttIssues(model);
    case 'tts':
      return ttsIssues(model);
  }
}

function videoIssues(model: VideoModel): readonly FieldIssue[] {
  const { video } = model;
  const { issues, expect } = createChecks();
  expect(
    kindSuffixes[video.kind].some((suffix) => model.id.endsWith(suffix)),
    ['id'],
    `the id of a ${video.kind} model must end in ${anyOf(kindSuffixes[video.kind])}.`,
  );
  expect(mediaFit(video.kind, video.media), ['media'], `the media rule does not fit the kind ${video.kind}.`);
  expect(isAscending(video.seconds), ['seconds'], 'seconds are not whole, positive and ascending.');
  expect(
    (video.defaultSeconds === undefined) === (video.kind === 'video-edit'),
    ['defaultSeconds'],
    'a default length belongs to every kind but edits.',
  );
  expect(
    video.defaultSeconds === undefined || video.seconds.includes(video.defaultSeconds),
    ['defaultSeconds'],
    'the default length is not allowed.',
  );
  expect(
    video.resolutions.length > 0 && video.resolutions.every(isTier),
    ['resolutions'],
    'a resolution is not a known tier.',
  );
  expect(
    video.resolutions.includes(video.defaultResolution),
    ['defaultResolution'],
    'the default resolution is not allowed.',
  );
  const silent = video.silentResolutions ?? [];
  expect(
    silent.every((tier) => video.resolutions.includes(tier)) && (silent.length === 0 || video.audio === 'toggle'),
    ['silentResolutions'],
    'a silent resolution is one of the resolutions of a model whose sound can be chosen.',
  );
  expect(
    !video.silentWithVideo || video.audio === 'toggle',
    ['silentWithVideo'],
    'only a model whose sound can be chosen is silent with a reference video.',
  );
  expect(
    video.aspectRatios.every((ratio) => isRatio(ratio) || ratio === 'adaptive'),
    ['aspectRatios'],
    'an aspect ratio is not W:H.',
  );
  expect(
    video.parameters.every((name) => parameterNames.includes(name)),
    ['parameters'],
    `unknown parameters: ${allOf(video.parameters.filter((name) => !parameterNames.includes(name)))}.`,
  );
  const { min, max } = video.fps;
  expect(
    (min !== undefined && max !== undefined) === video.parameters.includes('fps'),
    ['fps'],
    'a range of fps needs the parameter fps, and the parameter needs a range.',
  );
  expect(
    (min ?? video.fps.default) <= video.fps.default && video.fps.default <= (max ?? video.fps.default),
    ['fps', 'default'],
    'the default fps is out of range.',
  );
  const [first] = model.bindings;
  if (first) {
    expect(
      servesAll(video, model.bindings),
      ['bindings'],
      'a value of the model is supported by none of its bindings.',
    );
    const alone = unionOfFacts(video, [first]);
    expect(
      alone.defaultResolution === video.defaultResolution && alone.defaultSeconds === video.defaultSeconds,
      ['bindings', 0],
      'the first binding, which gives the price in test mode, must support the defaults of the model.',
    );
  }
  return [
    ...issues,
    ...video.resolutions.flatMap((tier) => tierIssues(model, tier)),
    ...model.bindings.flatMap((binding, index) =>
      bindingIssues(binding, model).map(({ path, reason }) => ({
        path: ['bindings', index, ...path],
        reason: `${binding.providerId}: ${reason}`,
      })),
    ),
  ];
}

/** Is everything that the model offers at one resolution made by a binding? */
function tierIssues(model: VideoModel, tier: string): readonly FieldIssue[] {
  const { video } = model;
  const { issues, expect } = createChecks();
  for (const provider of providersOf(model.bindings)) {
    const serving = model.bindings.filter(
      (binding) => binding.providerId === provider && servesResolution(binding, tier),
    );
    expect(serving.length <= 1, ['bindings'], `${provider} serves ${tier} with two bindings.`);
  }
  const allowed = allowedSeconds(video, tier);
  expect(allowed.length > 0, ['rules'], `the rules leave no length at ${tier}.`);
  const served = model.bindings
    .filter((binding) => servesResolution(binding, tier))
    .map((binding) => unionOfFacts(video, [binding]));
  const isMade = (test: (facts: VideoFacts) => boolean) => model.bindings.length === 0 || served.some(test);
  for (const length of allowed)
    expect(
      isMade((facts) => allowedSeconds(facts, tier).includes(length)),
      ['bindings'],
      `no binding makes ${length} seconds at ${tier}.`,
    );
  for (const ratio of ratiosAt(video, tier))
    expect(
      isMade(({ aspectRatios }) => aspectRatios.includes(ratio)),
      ['bindings'],
      `no binding makes ${ratio} at ${tier}.`,
    );
  // Without media, nothing else determines the shape.
  expect(
    video.kind !== 't2v' || video.aspectRatios.length === 0 || ratiosAt(video, tier).some(isRatio),
    ['bindings'],
    `no binding makes any of the aspect ratios at ${tier}.`,
  );
  expect(
    tier !== video.defaultResolution || video.defaultSeconds === undefined || allowed.includes(video.defaultSeconds),
    ['rules'],
    'the defaults break a rule.',
  );
  return issues;
}

/** Whether the limits of the model, apart from its durations and sizes, are those of its bindings together. */
function servesAll(facts: VideoFacts, bindings: readonly VideoBinding[]): boolean {
  const together = unionOfFacts(facts, bindings);
  return (['media', 'promptCharacters', 'sourceSeconds', 'maxSeed', 'negativePromptCharacters'] as const).every(
    (fact) => JSON.stringify(together[fact]) === JSON.stringify(facts[fact]),
  );
}

function bindingIssues(binding: VideoBinding, model: VideoModel): readonly FieldIssue[] {
  const { video } = model;
  const tiers = binding.resolutions ?? video.resolutions;
  const { issues, expect } = createChecks();
  for (const tier of tiers)
    expect(video.resolutions.includes(tier), ['resolutions'], `${tier} is not a tier of the model.`);
  const isSubset = <T>(some: readonly T[] | undefined, all: readonly T[]) => some?.every((each) => all.includes(each));
  expect(
    isSubset(binding.parameters, video.parameters) !== false,
    ['parameters'],
    'a parameter is missing from the model.',
  );
  expect(isSubset(binding.seconds, video.seconds) !== false, ['seconds'], 'a duration is missing from the model.');
  expect(
    isSubset(binding.aspectRatios, video.aspectRatios) !== false,
    ['aspectRatios'],
    'an aspect ratio is missing from the model.',
  );
  // `generate_audio_switch` is the only switch that is off unless it is sent.
  const isSilent = video.audio === 'none' || video.parameters.includes('generate_audio_switch');
  expect(
    binding.audio !== 'none' || isSilent,
    ['audio'],
    'its videos are silent, and those of the model have sound unless a request turns it off.',
  );
  const alone = unionOfFacts(video, [binding]);
  expect(mediaFit(video.kind, alone.media), ['media'], `the number of its media does not fit the kind ${video.kind}.`);
  for (const tier of tiers)
    expect(allowedSeconds(alone, tier).length > 0, ['seconds'], `the rules leave none of its durations at ${tier}.`);
  for (const kind of ['images', 'videos'] as const)
    expect(binding.mediaForms?.[kind]?.length !== 0, ['mediaForms', kind], `${kind} have no form.`);
  const { sourceSeconds, outputFollowsSource, cutsSource } = binding;
  expect(
    (sourceSeconds === undefined && !outputFollowsSource && !cutsSource) || video.kind === 'video-edit',
    [sourceSeconds !== undefined ? 'sourceSeconds' : outputFollowsSource ? 'outputFollowsSource' : 'cutsSource'],
    'only edits have a source.',
  );
  expect(
    sourceSeconds === undefined || sourceSeconds.min <= sourceSeconds.max,
    ['sourceSeconds'],
    'the durations of the source are none.',
  );
  return [
    ...issues,
    ...priceIssues(binding, alone, tiers).map(({ path, reason }) => ({ path: ['price', ...path], reason })),
  ];
}

/** `facts` are those of the binding alone. */
function priceIssues(binding: VideoBinding, facts: VideoFacts, tiers: readonly string[]): readonly FieldIssue[] {
  const { price } = binding;
  const { issues, expect } = createChecks();
  expect(price.source !== '', ['source'], 'the price does not say where it comes from.');
  for (const [at, { usd }] of price.rates.entries()) expectPrice(expect, ['rates', at, 'usd'], priceBounds.rate, usd);
  for (const [at, { free, usd }] of (price.extras ?? []).entries()) {
    expectPrice(expect, ['extras', at, 'usd'], priceBounds.image, usd);
    expect(
      Number.isInteger(free) && free >= 0,
      ['extras', at, 'free'],
      'the number of free images is not a whole number.',
    );
  }
  for (const tier of tiers) {
    const missing = missingRate(binding, facts, tier);
    expect(missing === undefined, ['rates'], `there is no rate for ${missing}.`);
  }
  return issues;
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
