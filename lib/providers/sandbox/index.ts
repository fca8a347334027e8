import type { ProviderDefinition } from '../../domain/provider';
import { createSandboxMessages } from './messages';
import { createSandboxStt } from './stt';
import { createSandboxTts } from './tts';
import { createSandboxVideo } from './video';

// The test provider: it does all work on this machine, so that everything can be tried without a vendor account.

export const sandbox: ProviderDefinition = {
  id: 'sandbox',
  name: 'Patchbay sandbox',
  capabilities: ['video', 'messages', 'stt', 'tts'],
  settings: [],
  create(deps) {
    const video = createSandboxVideo(deps);
    const stt = createSandboxStt(deps);
    const tts = createSandboxTts(deps);
    return {
      id: 'sandbox',
      video,
      messages: createSandboxMessages(deps),
      stt,
      tts,
      close: async () => {
        await Promise.all([video.close(), stt.close(), tts.close()]);
      },
    };
  },
};
