import type { VideoBinding } from '../../domain/video';

// What each model of this API can make. The API takes fewer parameters than Vertex AI: it has no seed and cannot make
// silent videos.

const UP_TO_4K = ['720p', '1080p', '4k'] as const;
const UP_TO_1080P = ['720p', '1080p'] as const;
const FROM_360P = ['360p', ...UP_TO_4K] as const;

interface GeminiModel {
  readonly resolutions: readonly string[];
  readonly parameters: readonly string[];
}

const veo = (resolutions: readonly string[]): GeminiModel => ({ resolutions, parameters: ['negative_prompt'] });
const omni: GeminiModel = { resolutions: FROM_360P, parameters: [] };

const models: Readonly<Record<string, GeminiModel>> = {
  'veo-3.1-generate-preview': veo(UP_TO_4K),
  'veo-3.1-fast-generate-preview': veo(UP_TO_4K),
  'veo-3.1-lite-generate-preview': veo(UP_TO_1080P),
  'veo-3.1-generate-001': veo(UP_TO_4K),
  'gemini-omni-1.2-flash': omni,
  'gemini-omni-1.1-flash': omni,
};

/** Returns whether this is a model of Gemini Omni and not of Veo. */
export function isOmni(modelName: string): boolean {
  return models[modelName] === omni;
}

/** Returns whether the model is known and supports everything that the binding states. */
export function canOrder({ modelName, resolutions = [], audio = 'always', parameters }: VideoBinding): boolean {
  const model = Object.hasOwn(models, modelName) ? models[modelName] : undefined;
  return (
    model !== undefined &&
    audio === 'always' &&
    resolutions.every((resolution) => model.resolutions.includes(resolution)) &&
    parameters.every((parameter) => model.parameters.includes(parameter))
  );
}
