import type { MessagesFacts } from '../../domain/messages';
import type { MessagesModel } from '../../domain/model';
import { messagesModel } from '../messages-entry';

const source = 'Published price lists of September 2026.';

const facts = {
  contextTokens: 204_800,
  maxOutputTokens: 131_072,
  tokenizer: { encoding: 'o200k', multiplier: 1.1 },
  sampling: true,
  forcedTools: true,
  prefill: false,
  thinkingTypes: ['enabled', 'adaptive'],
  efforts: [],
  structuredOutputs: false,
} as const satisfies MessagesFacts;

export const minimaxTextModels: readonly MessagesModel[] = [
  messagesModel({
    id: 'minimax-m3',
    name: 'MiniMax-M3',
    description:
      'A model with a long context that sees images. From 512,000 input tokens on a request costs twice as much, all of it.',
    family: 'minimax',
    created: Date.UTC(2026, 5, 1) / 1_000,
    inputModalities: ['text', 'image'],
    facts: {
      ...facts,
      contextTokens: 1_000_000,
      maxOutputTokens: 128_000,
      thinkingTypes: ['enabled', 'adaptive', 'disabled'],
      imageMaxEdgePixels: 1_568,
    },
    bindings: [
      {
        providerId: 'minimax',
        modelName: 'MiniMax-M3',
        price: {
          input: '0.3',
          output: '1.2',
          cacheRead: '0.06',
          longer: [{ fromInputTokens: 512_000, input: '0.6', output: '2.4', cacheRead: '0.12' }],
          source,
          verified: true,
        },
      },
    ],
  }),
  messagesModel({
    id: 'minimax-m2.7',
    name: 'MiniMax-M2.7',
    description: 'A model for code and agents that always thinks before it answers.',
    family: 'minimax',
    created: Date.UTC(2026, 2, 18) / 1_000,
    facts,
    bindings: [
      {
        providerId: 'minimax',
        modelName: 'MiniMax-M2.7',
        price: { input: '0.3', output: '1.2', cacheRead: '0.06', cacheWrite5m: '0.375', source, verified: true },
      },
    ],
  }),
];
