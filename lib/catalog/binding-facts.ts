import type { Model, ModelOf } from '../domain/model';
import type { VideoBinding } from '../domain/video';
import type { VideoFacts } from '../domain/video';

// A model's facts are the union over its bindings; a pin, or a key that may use some providers only, leaves fewer. The
// narrowed model is again a model, so the validator, the price and the catalog need to know nothing about pins.

/** The model as these bindings serve it: their tiers, parameters and audio. The same object when they are all it has. */
export function withBindings<M extends Model>(model: M, bindings: M['bindings']): M {
  if (bindings.length === model.bindings.length) return model;
  // Only a video model has facts that depend on who serves it. Safe: the bindings are a model's own, so of its capability.
  if (model.capability === 'video')
    return { ...model, bindings, video: factsOf(model.video, bindings as ModelOf<'video'>['bindings']) };
  return { ...model, bindings };
}

/** What of a request decides which bindings may serve it. */
export interface VideoNeeds {
  readonly resolution: string;
  /** Parameters that the caller set to something else than their default. */
  readonly choices: readonly string[];
}

/**
 * The bindings that may serve a request, in the given order. Each serves the resolution. The first takes as many of the
 * caller's choices as any of them does, and the others take the same ones, so that a fallback ignores nothing else than the
 * answer to the submission named.
 */
export function bindingsFor(
  bindings: readonly VideoBinding[],
  { resolution, choices }: VideoNeeds,
): readonly VideoBinding[] {
  const able = bindings.filter(({ resolutions }) => resolutions?.includes(resolution) ?? true);
  const taken = able.map(({ parameters }) => choices.filter((name) => parameters.includes(name)));
  const most = taken.find(({ length }) => taken.every((other) => other.length <= length)) ?? [];
  return able.filter(({ parameters }) => most.every((name) => parameters.includes(name)));
}

function factsOf(facts: VideoFacts, bindings: readonly VideoBinding[]): VideoFacts {
  const resolutions = facts.resolutions.filter((tier) =>
    bindings.some((binding) => binding.resolutions?.includes(tier) ?? true),
  );
  const parameters = facts.parameters.filter((name) => bindings.some((binding) => binding.parameters.includes(name)));
  const [only] = bindings;
  return {
    ...facts,
    resolutions,
    defaultResolution: resolutions.includes(facts.defaultResolution)
      ? facts.defaultResolution
      : (resolutions[0] ?? facts.defaultResolution),
    parameters,
    fps: parameters.includes('fps') ? facts.fps : { default: facts.fps.default },
    audio: bindings.length === 1 ? (only?.audio ?? facts.audio) : facts.audio,
  };
}
