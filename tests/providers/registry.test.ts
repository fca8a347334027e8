import { describe, expect, it } from 'vitest';
import { providerDefinitions } from '../../lib/providers/registry';
import { videoModels } from '../lib/catalog/video-models';
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

  it.each(providerDefinitions.filter(({ knows }) => knows).map((definition) => [definition.id, definition] as const))(
    '%s knows no model by the name of a property that every object has',
    (providerId, { knows }) => {
      const [known] = videoModels.flatMap(({ bindings }) => bindings).filter((each) => each.providerId === providerId);
      if (!known) throw new Error(`${providerId} serves no video model.`);
      for (const modelName of ['constructor', 'toString', '__proto__'])
        expect([modelName, knows?.({ ...known, modelName })]).toEqual([modelName, false]);
    },
  );
});
