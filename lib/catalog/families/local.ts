import type { MessagesModel } from '../../domain/model';
import { messagesModel } from '../messages-entry';
import { firstEdition } from '../model-entry';

// The operator's own server may run any model, so the limits are generous. The price is nominal, so that usage shows in
// the account.

export const localModels: readonly MessagesModel[] = [
  messagesModel({
    id: 'local-text',
    name: 'Local model',
    description: 'The model of the server at OPENAI_COMPATIBLE_BASE_URL, whatever it is. Its own limits hold.',
    family: 'local',
    created: firstEdition,
    inputModalities: ['text', 'image'],
    facts: {
      contextTokens: 131_072,
      maxOutputTokens: 32_768,
      tokenizer: { encoding: 'o200k', multiplier: 1.1 },
      sampling: true,
      forcedTools: true,
      prefill: false,
      thinkingTypes: ['enabled', 'adaptive', 'disabled'],
      efforts: ['low', 'medium', 'high'],
      structuredOutputs: true,
      imageMaxEdgePixels: 1_568,
    },
    bindings: [
      {
        providerId: 'openai-compatible',
        modelName: 'default',
        price: {
          input: '0.01',
          output: '0.01',
          source: 'Set by this project: one cent for a million tokens.',
          verified: true,
        },
      },
    ],
  }),
];
