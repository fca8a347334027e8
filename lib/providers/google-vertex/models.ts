import type { VideoBinding } from '../../domain/video';

// What Vertex AI can make.

const UP_TO_4K: readonly string[] = ['720p', '1080p', '4k'];

/** The resolutions of each model: cloud.google.com, "Veo on Vertex AI video generation API", 2026. */
const MODELS: Readonly<Record<string, readonly string[]>> = {
  'veo-3.1-generate-001': UP_TO_4K,
  'veo-3.1-fast-generate-001': UP_TO_4K,
  // docs.litellm.ai/docs/providers/vertex_ai/videos, 2026-10-09.
  'veo-3.1-lite-generate-001': ['720p', '1080p'],
};
const PARAMETERS: readonly string[] = ['negative_prompt', 'generate_audio', 'seed', 'quality'];

/** Returns whether the model is known and supports everything that the binding states. */
export function canOrder({ modelName, resolutions = [], parameters }: VideoBinding): boolean {
  const made = Object.hasOwn(MODELS, modelName) ? MODELS[modelName] : undefined;
  return (
    made !== undefined &&
    resolutions.every((resolution) => made.includes(resolution)) &&
    parameters.every((parameter) => PARAMETERS.includes(parameter))
  );
}
