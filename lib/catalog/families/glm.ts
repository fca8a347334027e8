import type { MessagesFacts } from '../../domain/messages';
import type { MessagesModel } from '../../domain/model';
import { messagesModel } from '../messages-entry';
import { firstEdition } from '../model-entry';

const source = 'Published price lists of September 2026.';

const facts = {
  contextTokens: 204_800,
  maxOutputTokens: 131_072,
  tokenizer: { encoding: 'o200k', multiplier: 1.1 },
  sampling: true,
  forcedTools: true,
  prefill: false,
  thinkingTypes: ['enabled', 'adaptive', 'disabled'],
  efforts: [],
  structuredOutputs: false,
} as const satisfies MessagesFacts;

export const glmModels: readonly MessagesModel[] = [
  messagesModel({
    id: 'glm-5.3',
    name: 'GLM-5.3',
    description: 'A large model with a long context that always thinks before it answers.',
    family: 'glm',
    created: firstEdition,
    facts: {
      ...facts,
      contextTokens: 1_000_000,
      thinkingTypes: ['enabled', 'adaptive'],
      efforts: ['low', 'high', 'max'],
    },
    bindings: [
      {
        providerId: 'zai',
        modelName: 'glm-5.3',
        price: { input: '1.4', output: '4.4', cacheRead: '0.26', source, verified: true },
      },
    ],
  }),
  messagesModel({
    id: 'glm-5.2',
    name: 'GLM-5.2',
    description: 'The large model of the generation before; it always thinks before it answers.',
    family: 'glm',
    created: firstEdition,
    // The limits of the family's smaller models: this model's own are not published.
    facts: { ...facts, thinkingTypes: ['enabled', 'adaptive'], efforts: ['high', 'max'] },
    bindings: [
      {
        providerId: 'zai',
        modelName: 'glm-5.2',
        price: { input: '1.4', output: '4.4', cacheRead: '0.26', source, verified: true },
      },
    ],
  }),
  messagesModel({
    id: 'glm-5.3-flash',
    name: 'GLM-5.3 Flash',
    description: 'Quick and inexpensive; sees images.',
    family: 'glm',
    created: firstEdition,
    inputModalities: ['text', 'image'],
    // The limits of the family's smaller models: this model's own are not published.
    facts: { ...facts, imageMaxEdgePixels: 1_568 },
    bindings: [
      {
        providerId: 'zai',
        modelName: 'glm-5.3-flash',
        price: { input: '0.15', output: '0.5', cacheRead: '0.03', source, verified: true },
      },
    ],
  }),
  messagesModel({
    id: 'glm-4.7',
    name: 'GLM-4.7',
    description: 'An earlier model of its family whose thinking can be turned on and off.',
    family: 'glm',
    created: Date.UTC(2025, 11, 22) / 1_000,
    facts,
    bindings: [
      {
        providerId: 'zai',
        modelName: 'glm-4.7',
        price: { input: '0.6', output: '2.2', cacheRead: '0.11', source, verified: true },
      },
    ],
  }),
];
