import type { MessagesModel } from '../../domain/model';
import { messagesModel } from '../messages-entry';

export const mimoModels: readonly MessagesModel[] = [
  messagesModel({
    id: 'mimo-v2.5-pro',
    name: 'MiMo V2.5 Pro',
    description: 'A model with a long context whose thinking can be turned on and off.',
    family: 'mimo',
    created: Date.UTC(2026, 3, 22) / 1_000,
    facts: {
      contextTokens: 1_048_576,
      maxOutputTokens: 131_072,
      tokenizer: { encoding: 'o200k', multiplier: 1.05 },
      sampling: true,
      forcedTools: true,
      prefill: false,
      thinkingTypes: ['enabled', 'adaptive', 'disabled'],
      efforts: [],
      structuredOutputs: false,
    },
    bindings: [
      { providerId: 'xiaomi', modelName: 'mimo-v2.5-pro', price: { input: '0.435', output: '0.87', cacheRead: '0.0036', source: 'Published price lists of July and September 2026.', verified: true } },
    ],
  }),
];
