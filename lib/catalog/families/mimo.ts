import type { MessagesFacts } from '../../domain/messages';
import type { MessagesModel } from '../../domain/model';
import { messagesModel } from '../messages-entry';
import { firstEdition } from '../model-entry';

const facts = {
  contextTokens: 1_048_576,
  maxOutputTokens: 131_072,
  tokenizer: { encoding: 'o200k', multiplier: 1.05 },
  sampling: true,
  forcedTools: true,
  prefill: false,
  thinkingTypes: ['enabled', 'adaptive', 'disabled'],
  efforts: [],
  structuredOutputs: false,
} as const satisfies MessagesFacts;
const source = 'Published price lists of July and September 2026.';

export const mimoModels: readonly MessagesModel[] = [
  messagesModel({
    id: 'mimo-v2.6-pro',
    name: 'MiMo V2.6 Pro',
    description: 'A model with a long context that sees images and whose thinking can be turned on and off.',
    family: 'mimo',
    created: firstEdition,
    inputModalities: ['text', 'image'],
    facts: { ...facts, imageMaxEdgePixels: 1_568 },
    bindings: [
      {
        providerId: 'xiaomi',
        modelName: 'mimo-v2.6-pro',
        price: { input: '0.435', output: '0.87', cacheRead: '0.0036', source, verified: true },
      },
    ],
  }),
  messagesModel({
    id: 'mimo-v2.6-flash',
    name: 'MiMo V2.6 Flash',
    description: 'The quick and inexpensive model of its family.',
    family: 'mimo',
    created: firstEdition,
    facts,
    bindings: [
      {
        providerId: 'xiaomi',
        modelName: 'mimo-v2.6-flash',
        price: { input: '0.14', output: '0.28', cacheRead: '0.0028', source, verified: true },
      },
    ],
  }),
];

// mimo.mi.com/docs/en-US/updates/deprecate: announced by 2026-09-22; its id is invalid since 2026-10-21, 10:00 in Beijing.
export const retiredMimoModels: readonly MessagesModel[] = [
  messagesModel({
    id: 'mimo-v2.5-pro',
    name: 'MiMo V2.5 Pro (retired)',
    description: 'A model with a long context whose thinking could be turned on and off.',
    family: 'mimo',
    created: Date.UTC(2026, 3, 22) / 1_000,
    deprecatedAt: '2026-09-22T00:00:00Z',
    deactivatedAt: '2026-10-21T02:00:00Z',
    replacements: ['mimo-v2.6-pro'],
    facts,
    bindings: [
      {
        providerId: 'xiaomi',
        modelName: 'mimo-v2.5-pro',
        price: { input: '0.435', output: '0.87', cacheRead: '0.0036', source, verified: true },
      },
    ],
  }),
];
