import type { ProviderDefinition } from '../../domain/provider';
import { createSandboxMessages } from './messages';
import { createSandboxVideo } from './video';

// The provider that needs nobody: it does the work on this machine, so that everything can be tried without an account.

export const sandbox: ProviderDefinition = {
  id: 'sandbox',
  name: 'Patchbay sandbox',
  settings: [],
  create(deps) {
    const video = createSandboxVideo(deps);
    return { id: 'sandbox', video, messages: createSandboxMessages(deps), close: () => video.close() };
  },
};
