import { ratiosAt } from '../../../../lib/domain/video-tiers';
import type { VideoModel } from '../../../../lib/domain/model';
import type { MediaRule, SecondsRange, VideoFacts } from '../../../../lib/domain/video';

// Combines several models into one form, which offers only what all of them support.

/**
 * Returns a model that supports what all of these models support; undefined without a model. A default of the first
 * model is kept if all others support the value. The models must be of the same kind.
 */
export function sharedModel(models: readonly VideoModel[]): VideoModel | undefined {
  const [first, ...others] = models;
  if (!first || others.length === 0) return first;
  return {
    ...first,
    bindings: models.flatMap(({ bindings }) => bindings),
    video: others.reduce((facts, { video }) => intersection(facts, video), first.video),
  };
}

/** Returns why these models cannot share a form; undefined if they can. */
export function whyNotShared({
  video: { seconds, resolutions, media, defaultSeconds },
}: VideoModel): string | undefined {
  if (resolutions.length === 0) return 'These models have no resolution in common.';
  if (seconds.length === 0 && defaultSeconds !== undefined) return 'These models have no length in common.';
  for (const kind of ['images', 'videos'] as const) {
    const range = media[kind];
    if (range && range.min > range.max) return `These models take different numbers of ${kind}.`;
  }
  return undefined;
}

function intersection(one: VideoFacts, other: VideoFacts): VideoFacts {
  const seconds = common(one.seconds, other.seconds);
  const resolutions = common(one.resolutions, other.resolutions);
  const parameters = common(one.parameters, other.parameters);
  const { defaultSeconds, sourceSeconds: _source, outputFollowsSource, ...facts } = one;
  const sourceSeconds = bothRanges(one.sourceSeconds, other.sourceSeconds);
  return {
    ...facts,
    seconds,
    ...(defaultSeconds !== undefined &&
      other.defaultSeconds !== undefined && {
        defaultSeconds: seconds.find((length) => length >= defaultSeconds) ?? seconds.at(-1) ?? defaultSeconds,
      }),
    resolutions,
    defaultResolution: resolutions.includes(one.defaultResolution)
      ? one.defaultResolution
      : (resolutions[0] ?? one.defaultResolution),
    aspectRatios: common(one.aspectRatios, other.aspectRatios),
    ratiosOfTiers: Object.fromEntries(
      resolutions.map((tier) => [tier, common(ratiosAt(one, tier), ratiosAt(other, tier))]),
    ),
    fps: parameters.includes('fps') ? bothFps(one.fps, other.fps) : { default: one.fps.default },
    media: bothMedia(one.media, other.media),
    parameters,
    // Every rule restricts further, so the rules of all models together leave only what each of them allows.
    rules: [...one.rules, ...other.rules],
    deadlineSeconds: Math.max(one.deadlineSeconds, other.deadlineSeconds),
    promptCharacters: Math.min(one.promptCharacters, other.promptCharacters),
    negativePromptCharacters: Math.min(one.negativePromptCharacters, other.negativePromptCharacters),
    maxSeed: Math.min(one.maxSeed, other.maxSeed),
    ...(sourceSeconds && { sourceSeconds }),
    ...(outputFollowsSource && other.outputFollowsSource && { outputFollowsSource }),
  };
}

function common<Value>(one: readonly Value[], other: readonly Value[]): readonly Value[] {
  return one.filter((value) => other.includes(value));
}

/** Returns the intersection of two ranges. An absent range has no limits. */
function bothRanges(one: SecondsRange | undefined, other: SecondsRange | undefined): SecondsRange | undefined {
  if (!one || !other) return one ?? other;
  return { min: Math.max(one.min, other.min), max: Math.min(one.max, other.max) };
}

function bothFps(one: VideoFacts['fps'], other: VideoFacts['fps']): VideoFacts['fps'] {
  const min = Math.max(one.min ?? one.default, other.min ?? other.default);
  const max = Math.min(one.max ?? one.default, other.max ?? other.default);
  return { default: Math.max(min, Math.min(max, one.default)), min, max };
}

function bothMedia(one: MediaRule, other: MediaRule): MediaRule {
  const { images: _images, videos: _videos, eitherRequired, ...rules } = one;
  const both = (kind: 'images' | 'videos') =>
    one[kind] && other[kind] ? bothRanges(one[kind], other[kind]) : undefined;
  const images = both('images');
  const videos = both('videos');
  return {
    ...rules,
    ...(images && { images }),
    ...(videos && { videos }),
    ...((eitherRequired || other.eitherRequired) && { eitherRequired: true }),
  };
}
