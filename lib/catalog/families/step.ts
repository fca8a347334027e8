import type { MessagesModel } from '../../domain/model';
import { messagesModel } from '../messages-entry';
import { firstEdition } from '../model-entry';

export const stepModels: readonly MessagesModel[] = [
  messagesModel({
    id: 'step-3.7-flash',
    name: 'Step 3.7 Flash',
    description: 'Quick and inexpensive; sees images. How much it thinks can be chosen.',
    family: 'step',
    created: firstEdition,
    inputModalities: ['text', 'image'],
    facts: {
      contextTokens: 262_144,
      // The vendor publishes no output limit; this one is safe.
      maxOutputTokens: 65_536,
      tokenizer: { encoding: 'o200k', multiplier: 1.1 },
      sampling: true,
      forcedTools: true,
      prefill: false,
      thinkingTypes: ['enabled', 'adaptive'],
      efforts: ['low', 'medium', 'high'],
      structuredOutputs: false,
      imageMaxEdgePixels: 1_568,
    },
    bindings: [
      {
        providerId: 'stepfun',
        modelName: 'step-3.7-flash',
        price: {
          input: '0.2',
          output: '1.15',
          cacheRead: '0.04',
          source: 'Published price lists of September 2026.',
          verified: true,
        },
      },
    ],
  }),
];
