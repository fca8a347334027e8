import type { VideoBinding } from '../../domain/video';

// What Vertex AI can make.

/** cloud.google.com, "Veo on Vertex AI video generation API", 2026. */
const MODELS: readonly string[] = ['veo-3.1-generate-001', 'veo-3.1-fast-generate-001'];
const RESOLUTIONS: readonly string[] = ['720p', '1080p', '4k'];
const PARAMETERS: readonly string[] = ['negative_prompt', 'generate_audio', 'seed', 'quality'];

/** Is the model known, and can every statement of the binding be ordered? */
export function canOrder({ modelName, resolutions = [], parameters }: VideoBinding): boolean {
  return (
    MODELS.includes(modelName) &&
    resolutions.every((resolution) => RESOLUTIONS.includes(resolution)) &&
    parameters.every((parameter) => PARAMETERS.includes(parameter))
  );
}
