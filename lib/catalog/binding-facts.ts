import type { Model, ModelOf } from '../domain/model';
import type { MediaRule, SecondsRange, VideoBinding, VideoFacts, VideoRule } from '../domain/video';
import { allowedSeconds } from '../domain/video-tiers';

// A model's facts are the union over its bindings. A pin, or a key that is restricted to some providers, leaves fewer
// bindings. The narrowed model is a model like any other, so that validation, pricing and the catalog need no special
// case for pins.

/**
 * Returns the model as these bindings serve it: its facts are what at least one of them supports. Returns the same
 * object if they are all of its bindings.
 */
export function withBindings<M extends Model>(model: M, bindings: M['bindings']): M {
  if (bindings.length === model.bindings.length) return model;
  // Only a video model's facts depend on the binding. Safe: the bindings are the model's own, so they have its
  // capability.
  if (model.capability === 'video')
    return { ...model, bindings, video: unionOfFacts(model.video, bindings as ModelOf<'video'>['bindings']) };
  return { ...model, bindings };
}

/** Maps the bindings of video models. A model with a new binding gets the facts of its new bindings. */
export function mapVideoBindings(
  models: readonly Model[],
  change: (binding: VideoBinding, model: ModelOf<'video'>) => VideoBinding,
): readonly Model[] {
  return models.map((model) => {
    if (model.capability !== 'video') return model;
    const bindings = model.bindings.map((binding) => change(binding, model));
    return bindings.every((binding, index) => binding === model.bindings[index])
      ? model
      : { ...model, bindings, video: unionOfFacts(model.video, bindings) };
  });
}

/** Adds the data region of its provider to each binding that has one. */
export function withRegions(models: readonly Model[], regions: Readonly<Record<string, string>>): readonly Model[] {
  return models.map((model) => {
    const bindings = model.bindings.map((binding) => {
      const region = regions[binding.providerId];
      return region === undefined ? binding : { ...binding, region };
    });
    // Safe: nothing else of a binding changes.
    return { ...model, bindings } as Model;
  });
}

/** Whether the binding serves this resolution. A binding without a list serves every resolution of the model. */
export function servesResolution({ resolutions }: VideoBinding, resolution: string): boolean {
  return resolutions?.includes(resolution) ?? true;
}

/** Returns what at least one of these bindings supports. A binding without a fact of its own has that of `facts`. */
export function unionOfFacts(facts: VideoFacts, bindings: readonly VideoBinding[]): VideoFacts {
  const any = (test: (binding: VideoBinding) => boolean) => bindings.some(test);
  const takersOf = (parameter: string) => bindings.filter(({ parameters }) => parameters.includes(parameter));
  const served = facts.resolutions.filter((tier) => any((binding) => servesResolution(binding, tier)));
  // If no binding serves any resolution, for example because the credentials rule the model out, the request is still
  // parsed; the binding then refuses it.
  const resolutions = served.length > 0 ? served : facts.resolutions;
  const seconds = facts.seconds.filter((length) => any((binding) => binding.seconds?.includes(length) ?? true));
  const parameters = facts.parameters.filter((name) => any((binding) => binding.parameters.includes(name)));
  const [audio, ...otherAudio] = new Set(bindings.map((binding) => binding.audio ?? facts.audio));
  const {
    defaultSeconds,
    sourceSeconds: modelSource,
    outputFollowsSource: _follows,
    ratiosOfTiers: _ratios,
    ...others
  } = facts;
  const aspectRatios = facts.aspectRatios.filter((ratio) =>
    any((binding) => binding.aspectRatios?.includes(ratio) ?? true),
  );
  const ratiosOfTiers = limitedTiers(resolutions, aspectRatios, bindings);
  const sourceSeconds = unionOfRanges(bindings.map((binding) => binding.sourceSeconds ?? modelSource));
  return {
    ...others,
    seconds,
    ...(defaultSeconds !== undefined && {
      defaultSeconds: seconds.find((length) => length >= defaultSeconds) ?? seconds.at(-1) ?? defaultSeconds,
    }),
    resolutions,
    defaultResolution: resolutions.includes(facts.defaultResolution)
      ? facts.defaultResolution
      : (resolutions[0] ?? facts.defaultResolution),
    aspectRatios,
    ...(ratiosOfTiers && { ratiosOfTiers }),
    fps: parameters.includes('fps') ? facts.fps : { default: facts.fps.default },
    rules: unionOfRules({ ...facts, seconds, resolutions }, bindings),
    audio: audio !== undefined && otherAudio.length === 0 ? audio : facts.audio,
    media: unionOfMedia(facts.media, bindings),
    parameters,
    promptCharacters: largestOf(bindings, 'promptCharacters', facts),
    negativePromptCharacters: largestOf(takersOf('negative_prompt'), 'negativePromptCharacters', facts),
    maxSeed: largestOf(takersOf('seed'), 'maxSeed', facts),
    ...(sourceSeconds && { sourceSeconds }),
    ...(bindings.every((binding) => binding.outputFollowsSource) && { outputFollowsSource: true }),
  };
}

/**
 * Returns the ratios of each resolution that the bindings make in only some of these ratios; undefined if there is
 * none.
 */
function limitedTiers(
  resolutions: readonly string[],
  aspectRatios: readonly string[],
  bindings: readonly VideoBinding[],
): VideoFacts['ratiosOfTiers'] {
  const limited = resolutions.flatMap((tier) => {
    const serving = bindings.filter((binding) => servesResolution(binding, tier));
    const made = aspectRatios.filter((ratio) =>
      serving.some((binding) => binding.aspectRatios?.includes(ratio) ?? true),
    );
    return serving.length === 0 || made.length === aspectRatios.length ? [] : [[tier, made] as const];
  });
  return limited.length === 0 ? undefined : Object.fromEntries(limited);
}

/** Returns the rules that limit a resolution to the durations that at least one binding makes there. */
function unionOfRules(facts: VideoFacts, bindings: readonly VideoBinding[]): readonly VideoRule[] {
  if (bindings.every(({ rules }) => rules === undefined)) return facts.rules;
  return facts.resolutions.flatMap((tier): VideoRule[] => {
    const made = bindings
      .filter((binding) => servesResolution(binding, tier))
      .flatMap(({ seconds = facts.seconds, rules = facts.rules }) => allowedSeconds({ seconds, rules }, tier));
    const seconds = facts.seconds.filter((length) => made.includes(length));
    return seconds.length === facts.seconds.length ? [] : [{ resolutions: [tier], seconds }];
  });
}

function largestOf(
  bindings: readonly VideoBinding[],
  fact: 'promptCharacters' | 'negativePromptCharacters' | 'maxSeed',
  facts: VideoFacts,
): number {
  return bindings.length === 0 ? facts[fact] : Math.max(...bindings.map((binding) => binding[fact] ?? facts[fact]));
}

function unionOfMedia(media: MediaRule, bindings: readonly VideoBinding[]): MediaRule {
  const counts = (kind: 'images' | 'videos') =>
    unionOfRanges(bindings.flatMap((binding) => (binding.media ?? media)[kind] ?? []));
  const { images: _images, videos: _videos, eitherRequired, ...others } = media;
  const images = counts('images');
  const videos = counts('videos');
  return {
    ...others,
    ...(images && { images }),
    ...(videos && { videos }),
    ...(eitherRequired && images && videos && { eitherRequired }),
  };
}

/**
 * Returns the range from the smallest minimum to the largest maximum; undefined if there is none, or if one of them is
 * unlimited.
 */
function unionOfRanges(ranges: readonly (SecondsRange | undefined)[]): SecondsRange | undefined {
  const limited = ranges.filter((range) => range !== undefined);
  if (limited.length === 0 || limited.length < ranges.length) return undefined;
  return { min: Math.min(...limited.map(({ min }) => min)), max: Math.max(...limited.map(({ max }) => max)) };
}
