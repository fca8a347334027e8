import type { MessagesFacts } from '../../domain/messages';
import type { MessagesModel } from '../../domain/model';
import { messagesModel } from '../messages-entry';
import { firstEdition } from '../model-entry';

const source = 'Published price lists of September 2026.';

const facts = {
  contextTokens: 262_144,
  maxOutputTokens: 262_144,
  tokenizer: { encoding: 'o200k', multiplier: 1.05 },
  sampling: true,
  forcedTools: true,
  prefill: false,
  thinkingTypes: ['enabled', 'adaptive', 'disabled'],
  efforts: [],
  structuredOutputs: false,
  imageMaxEdgePixels: 1_568,
} as const satisfies MessagesFacts;

export const kimiModels: readonly MessagesModel[] = [
  messagesModel({
    id: 'kimi-k3',
    name: 'Kimi K3',
    description: 'A large model with a long context that always thinks before it answers.',
    family: 'kimi',
    created: firstEdition,
    inputModalities: ['text', 'image'],
    facts: {
      ...facts,
      contextTokens: 1_048_576,
      maxOutputTokens: 131_072,
      thinkingTypes: ['enabled', 'adaptive'],
      efforts: ['low', 'high', 'max'],
    },
    bindings: [
      {
        providerId: 'moonshot',
        modelName: 'kimi-k3',
        thinkingReplay: true,
        price: { input: '3', output: '15', cacheRead: '0.3', source, verified: true },
      },
    ],
  }),
  messagesModel({
    id: 'kimi-k2.7-code',
    name: 'Kimi K2.7 Code',
    description: 'A model for code that always thinks before it answers.',
    family: 'kimi',
    created: firstEdition,
    inputModalities: ['text', 'image'],
    facts: { ...facts, thinkingTypes: ['enabled', 'adaptive'] },
    bindings: [
      {
        providerId: 'moonshot',
        modelName: 'kimi-k2.7-code',
        thinkingReplay: true,
        price: { input: '0.95', output: '4', cacheRead: '0.19', source, verified: true },
      },
    ],
  }),
  messagesModel({
    id: 'kimi-k2.6',
    name: 'Kimi K2.6',
    description: 'A general model whose thinking can be turned on and off.',
    family: 'kimi',
    created: Date.UTC(2026, 3, 21) / 1_000,
    inputModalities: ['text', 'image'],
    facts,
    bindings: [
      {
        providerId: 'moonshot',
        modelName: 'kimi-k2.6',
        thinkingReplay: true,
        price: { input: '0.95', output: '4', cacheRead: '0.16', source, verified: true },
      },
    ],
  }),
];
