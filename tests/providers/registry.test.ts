import { describe, expect, it } from 'vitest';
import { providerDefinitions } from '../../lib/providers/registry';
import { makeProviderDeps } from './support/messages';

describe('every provider definition', () => {
  it.each(providerDefinitions.map((definition) => [definition.id, definition] as const))(
    '%s creates exactly the capabilities that it declares',
    async (_id, definition) => {
      const settings = Object.fromEntries(
        definition.settings
          .filter(({ required }) => required)
          .map(({ name }) => [name, name.endsWith('_URL') ? 'https://example.com' : 'a-key']),
      );
      const provider = definition.create(makeProviderDeps(settings));
      const created = (['video', 'messages', 'stt', 'tts'] as const).filter((name) => provider[name] !== undefined);
      expect(created.toSorted()).toEqual(definition.capabilities.toSorted());
      await provider.close?.();
    },
  );
});
