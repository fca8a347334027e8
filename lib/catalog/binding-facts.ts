import type { Model, ModelOf } from '../domain/model';
import type { VideoBinding } from '../domain/video';
import type { VideoFacts } from '../domain/video';

// A model's facts are the union over its bindings; a pin, or a key that is restricted to some providers, leaves fewer
// bindings. The narrowed model is again a model, so that validation, pricing and the catalog need no special case for
// pins.

/**
 * The model as these bindings serve it: their tiers, parameters and audio. Returns the same object if they are all of
 * its bindings.
 */
export function withBindings<M extends Model>(model: M, bindings: M['bindings']): M {
  if (bindings.length === model.bindings.length) return model;
  // Only a video model's facts depend on the binding. Safe: the bindings are the model's own, so they have its
  // capability.
  if (model.capability === 'video')
    return { ...model, bindings, video: factsOf(model.video, bindings as ModelOf<'video'>['bindings']) };
  return { ...model, bindings };
}

/** The parts of a request that decide which bindings may serve it. */
export interface VideoNeeds {
  readonly resolution: string;
  /** Parameters that the caller set to a value other than the default. */
  readonly choices: readonly string[];
}

/** Does the binding serve this resolution? Without a list it serves every resolution of the model. */
export function servesResolution({ resolutions }: VideoBinding, resolution: string): boolean {
  return resolutions?.includes(resolution) ?? true;
}

/**
 * The bindings that may serve a request, in the given order. Each serves the resolution. The first supports the most of
 * the caller's parameters, and the others support the same ones, so that a fallback ignores only the parameters that
 * the response to the submission listed.
 */
export function bindingsFor(
  bindings: readonly VideoBinding[],
  { resolution, choices }: VideoNeeds,
): readonly VideoBinding[] {
  const able = bindings.filter((binding) => servesResolution(binding, resolution));
  const taken = able.map(({ parameters }) => choices.filter((name) => parameters.includes(name)));
  const most = taken.find(({ length }) => taken.every((other) => other.length <= length)) ?? [];
  return able.filter(({ parameters }) => most.every((name) => parameters.includes(name)));
}

function factsOf(facts: VideoFacts, bindings: readonly VideoBinding[]): VideoFacts {
  const resolutions = facts.resolutions.filter((tier) => bindings.some((binding) => servesResolution(binding, tier)));
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
