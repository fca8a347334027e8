import type { MessagesFacts } from '../../domain/messages';
import type { MessagesModel } from '../../domain/model';
import { messagesModel } from '../messages-entry';
import { firstEdition } from '../model-entry';

// The vendor halves its prices outside peak hours; the peak price is shown and charged.

const source = 'api-docs.deepseek.com pricing, peak hours, October 2026.';

const facts = {
  contextTokens: 1_000_000,
  maxOutputTokens: 384_000,
  tokenizer: { encoding: 'o200k', multiplier: 1 },
  sampling: true,
  forcedTools: true,
  prefill: false,
  thinkingTypes: ['enabled', 'adaptive', 'disabled'],
  efforts: ['low', 'high', 'max'],
  structuredOutputs: false,
} as const satisfies MessagesFacts;

export const deepseekModels: readonly MessagesModel[] = [
  messagesModel({
    id: 'deepseek-flash',
    name: 'DeepSeek V4.1 Flash',
    description: 'Quick and inexpensive, with a long context. Thinks unless thinking is disabled.',
    family: 'deepseek',
    created: firstEdition,
    facts,
    bindings: [
      {
        providerId: 'deepseek',
        modelName: 'deepseek-flash',
        thinkingReplay: true,
        price: { input: '0.3', output: '1.2', cacheRead: '0.006', source, verified: true },
      },
    ],
  }),
  messagesModel({
    id: 'deepseek-v4-pro',
    name: 'DeepSeek V4 Pro',
    description: 'The large model of its family. Thinks unless thinking is disabled.',
    family: 'deepseek',
    created: Date.UTC(2026, 3, 24) / 1_000,
    facts,
    bindings: [
      {
        providerId: 'deepseek',
        modelName: 'deepseek-v4-pro',
        thinkingReplay: true,
        price: { input: '1.32', output: '3.96', cacheRead: '0.044', source, verified: true },
      },
    ],
  }),
];
