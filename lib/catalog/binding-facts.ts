import type { Model, ModelOf, VideoBinding } from '../domain/model';
import type { VideoFacts, VideoOrder } from '../domain/video';

// A model's facts are the union over its bindings; a pin, or a key that may use some providers only, leaves fewer. The
// narrowed model is again a model, so the validator, the price and the catalog need to know nothing about pins.

/** The model as these bindings serve it: their tiers, parameters and audio. The same object when they are all it has. */
export function withBindings<M extends Model>(model: M, bindings: M['bindings']): M {
  if (bindings.length === model.bindings.length) return model;
  // Only a video model has facts that depend on who serves it. Safe: the bindings are a model's own, so of its capability.
  if (model.capability === 'video') return { ...model, bindings, video: factsOf(model.video, bindings as ModelOf<'video'>['bindings']) };
  return { ...model, bindings };
}

/** Can this binding serve the order? Other parameters that it lacks are dropped, but tiers and outputs are what is paid for. */
export function servesOrder(binding: VideoBinding, order: Pick<VideoOrder, 'resolution' | 'count'>): boolean {
  if (binding.resolutions && !binding.resolutions.includes(order.resolution)) return false;
  return order.count === 1 || binding.parameters.includes('num_videos');
}

function factsOf(facts: VideoFacts, bindings: readonly VideoBinding[]): VideoFacts {
  const resolutions = facts.resolutions.filter((tier) => bindings.some((binding) => binding.resolutions?.includes(tier) ?? true));
  const parameters = facts.parameters.filter((name) => bindings.some((binding) => binding.parameters.includes(name)));
  const [only] = bindings;
  return {
    ...facts,
    resolutions,
    defaultResolution: resolutions.includes(facts.defaultResolution) ? facts.defaultResolution : (resolutions[0] ?? facts.defaultResolution),
    parameters,
    fps: parameters.includes('fps') ? facts.fps : { default: facts.fps.default },
    audio: bindings.length === 1 ? (only?.audio ?? facts.audio) : facts.audio,
  };
}
