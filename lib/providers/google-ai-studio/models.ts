import type { VideoBinding } from '../../domain/video';

// What this API can make, by model. It takes fewer parameters than Vertex AI: no seed, and no video without sound.

const UP_TO_4K = ['720p', '1080p', '4k'] as const;
const UP_TO_1080P = ['720p', '1080p'] as const;

const resolutionsByModel: Readonly<Record<string, readonly string[]>> = {
  'veo-3.1-generate-preview': UP_TO_4K,
  'veo-3.1-fast-generate-preview': UP_TO_4K,
  'veo-3.1-lite-generate-preview': UP_TO_1080P,
  'veo-3.1-generate-001': UP_TO_4K,
};

const PARAMETERS: readonly string[] = ['negative_prompt'];

/** Is the model known, and can every statement of the binding be ordered? */
export function canOrder({ modelName, resolutions = [], audio = 'always', parameters }: VideoBinding): boolean {
  const offered = resolutionsByModel[modelName];
  return (
    offered !== undefined &&
    audio === 'always' &&
    resolutions.every((resolution) => offered.includes(resolution)) &&
    parameters.every((parameter) => PARAMETERS.includes(parameter))
  );
}
