import { requestNameOf } from '../../domain/video';
import type { VideoProvider } from '../../domain/video';
import { isOmni } from './models';
import { createGeminiOmni, isInteraction } from './omni';
import { createResultFiles, type GeminiDeps } from './result-file';
import { createGeminiVeo } from './veo';

// The Gemini API has two ways to make videos: operations for Veo, and interactions for Gemini Omni. The model decides
// about the start, and the receipt about what follows.

export function createGeminiVideo(deps: GeminiDeps): VideoProvider {
  const files = createResultFiles(deps);
  const veo = createGeminiVeo(deps, files);
  const omni = createGeminiOmni(deps, files);
  return {
    ...veo,
    start: (start, call) => (isOmni(requestNameOf(start.binding)) ? omni : veo).start(start, call),
    check: (running, call) => (isInteraction(running.receipt) ? omni : veo).check(running, call),
    // Operations cannot be cancelled. Veo is recognised by the prefix of its names, because CATALOG_FILE may add
    // models.
    cancels: (modelName) => !modelName.startsWith('veo-'),
    cancel: async (running, call) => (isInteraction(running.receipt) ? omni.cancel(running, call) : 'unsupported'),
  };
}
