import type { Effort, MessagesFacts } from '../../domain/messages';
import type { MessagesModel } from '../../domain/model';
import { messagesModel, type MessagesPriceEntry } from '../messages-entry';
import { firstEdition } from '../model-entry';

// The vendor of the messages API. What a model refuses is declared here and nowhere in code: the vendor answers 400 to
// sampling parameters, forced tools or a thinking budget, for different models.

const docs = 'platform.claude.com pricing, October and November 2026.';
const allEfforts: readonly Effort[] = ['low', 'medium', 'high', 'xhigh', 'max'];

// The tokens that the vendor adds for tools: platform.claude.com/docs/en/agents-and-tools/tool-use/overview, its table
// of November 2026. Models that are not in it are assumed to equal the newest that are.
const current5 = { free: 286, forced: 406 };
const current48 = { free: 290, forced: 410 };
const sonnet5 = { free: 354, forced: 474 };
const sonnet46 = { free: 497, forced: 589 };
const earlier45 = { free: 496, forced: 588 };

/**
 * Models since 4.7: larger images, no sampling parameters, and a tokenizer that produces about 30 % more tokens for
 * code and for languages in Latin script, and as many as before for others (measured:
 * sol.ava.dev/writings/2026-04-17-opus-4-7-tokenizer.html).
 */
const current = {
  contextTokens: 1_000_000,
  maxOutputTokens: 128_000,
  tokenizer: { encoding: 'claude', multiplier: 1.3, otherScriptsMultiplier: 1, toolPreambleTokens: current5 },
  sampling: false,
  forcedTools: true,
  prefill: false,
  thinkingTypes: ['adaptive'],
  efforts: allEfforts,
  structuredOutputs: true,
  imageMaxEdgePixels: 2_576,
} as const satisfies MessagesFacts;

const earlier = {
  contextTokens: 200_000,
  maxOutputTokens: 64_000,
  tokenizer: { encoding: 'claude', multiplier: 1, toolPreambleTokens: earlier45 },
  sampling: true,
  forcedTools: true,
  prefill: true,
  thinkingTypes: ['enabled', 'disabled'],
  efforts: [],
  structuredOutputs: true,
  imageMaxEdgePixels: 1_568,
} as const satisfies MessagesFacts;

interface ClaudeEntry {
  readonly id: string;
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly description: string;
  readonly created?: number;
  readonly facts: MessagesFacts;
  readonly price: Omit<MessagesPriceEntry, 'webSearch' | 'source' | 'verified'> & {
    readonly source?: string;
    readonly verified?: false;
  };
}

function claude({ id, name, aliases, description, created, facts, price }: ClaudeEntry): MessagesModel {
  return messagesModel({
    id,
    name,
    ...(aliases && { aliases }),
    description,
    family: 'anthropic',
    created: created ?? firstEdition,
    inputModalities: ['text', 'image'],
    facts,
    bindings: [
      {
        providerId: 'anthropic',
        modelName: id,
        webSearch: true,
        price: { source: docs, verified: true, ...price, webSearch: '0.01' },
      },
    ],
  });
}

const day = (year: number, month: number, date: number) => Date.UTC(year, month - 1, date) / 1_000;

export const claudeModels: readonly MessagesModel[] = [
  claude({
    id: 'claude-fable-5-2',
    name: 'Claude Fable 5.2',
    description: 'The largest of its family, for long and difficult work. Thinks as much as the task asks for.',
    created: day(2026, 11, 9),
    facts: { ...current, forcedTools: false },
    price: {
      input: '10',
      output: '50',
      cacheRead: '0.25',
      cacheWrite5m: '12.5',
      cacheWrite1h: '20',
      source: 'As of Fable 5.1; not confirmed for 5.2, for which a reseller quotes less (8 and 40), 2026-11-10.',
      verified: false,
    },
  }),
  claude({
    id: 'claude-fable-5-1',
    name: 'Claude Fable 5.1',
    description: 'For long and difficult work. Thinks as much as the task asks for.',
    facts: { ...current, forcedTools: false },
    price: { input: '10', output: '50', cacheRead: '0.25', cacheWrite5m: '12.5', cacheWrite1h: '20' },
  }),
  claude({
    id: 'claude-opus-5-5',
    name: 'Claude Opus 5.5',
    description: 'For code and demanding reasoning. Thinks as much as the task asks for.',
    facts: { ...current, forcedTools: false },
    price: { input: '4', output: '20', cacheRead: '0.2', cacheWrite5m: '5', cacheWrite1h: '8' },
  }),
  claude({
    id: 'claude-opus-5',
    name: 'Claude Opus 5',
    description: 'For code and demanding reasoning, of the generation before.',
    facts: { ...current, thinkingTypes: ['adaptive', 'disabled'] },
    price: { input: '5', output: '25', cacheRead: '0.5', cacheWrite5m: '6.25', cacheWrite1h: '10' },
  }),
  claude({
    id: 'claude-opus-4-8',
    name: 'Claude Opus 4.8',
    description: 'For code and demanding reasoning; thinking can be turned off.',
    created: day(2026, 5, 28),
    facts: {
      ...current,
      tokenizer: { ...current.tokenizer, toolPreambleTokens: current48 },
      thinkingTypes: ['adaptive', 'disabled'],
    },
    price: { input: '5', output: '25', cacheRead: '0.5', cacheWrite5m: '6.25', cacheWrite1h: '10' },
  }),
  claude({
    id: 'claude-opus-4-5',
    name: 'Claude Opus 4.5',
    aliases: ['claude-opus-4-5-20251101'],
    description: 'An earlier model for reasoning, with sampling parameters and a thinking block budget.',
    created: day(2025, 11, 24),
    facts: { ...earlier, efforts: ['low', 'medium', 'high'] },
    price: { input: '5', output: '25', cacheRead: '0.5', cacheWrite5m: '6.25', cacheWrite1h: '10' },
  }),
  claude({
    id: 'claude-sonnet-5-5',
    name: 'Claude Sonnet 5.5',
    aliases: ['claude-sonnet-latest'],
    description: 'Fast general and coding model.',
    facts: { ...current, forcedTools: false, thinkingTypes: ['adaptive', 'between_tools'] },
    price: { input: '2', output: '10', cacheRead: '0.1', cacheWrite5m: '2.5', cacheWrite1h: '4' },
  }),
  claude({
    id: 'claude-sonnet-5',
    name: 'Claude Sonnet 5',
    description: 'Fast general and coding model of the generation before; thinking can be turned off.',
    created: day(2026, 6, 30),
    facts: {
      ...current,
      tokenizer: { ...current.tokenizer, toolPreambleTokens: sonnet5 },
      thinkingTypes: ['adaptive', 'disabled'],
    },
    price: { input: '2', output: '10', cacheRead: '0.2', cacheWrite5m: '2.5', cacheWrite1h: '4' },
  }),
  claude({
    id: 'claude-sonnet-4-6',
    name: 'Claude Sonnet 4.6',
    description: 'General and coding model that still takes sampling parameters.',
    created: day(2026, 2, 17),
    facts: {
      ...earlier,
      tokenizer: { ...earlier.tokenizer, toolPreambleTokens: sonnet46 },
      contextTokens: 1_000_000,
      maxOutputTokens: 128_000,
      prefill: false,
      thinkingTypes: ['enabled', 'adaptive', 'disabled'],
      efforts: ['low', 'medium', 'high', 'max'],
    },
    price: { input: '3', output: '15', cacheRead: '0.3', cacheWrite5m: '3.75', cacheWrite1h: '6' },
  }),
  claude({
    id: 'claude-haiku-5-5',
    name: 'Claude Haiku 5.5',
    aliases: ['claude-haiku-latest'],
    description: 'Small and quick. A request of more than 100,000 input tokens costs five times as much, all of it.',
    created: day(2026, 10, 7),
    facts: { ...current, thinkingTypes: ['adaptive', 'disabled'] },
    price: {
      input: '0.1',
      output: '0.5',
      cacheRead: '0.01',
      cacheWrite5m: '0.125',
      cacheWrite1h: '0.2',
      longer: [
        {
          fromInputTokens: 100_001,
          input: '0.5',
          output: '2.5',
          cacheRead: '0.05',
          cacheWrite5m: '0.625',
          cacheWrite1h: '1',
        },
      ],
    },
  }),
  claude({
    id: 'claude-haiku-4-5',
    name: 'Claude Haiku 4.5',
    aliases: ['claude-haiku-4-5-20251001'],
    description: 'An earlier small model, with sampling parameters and a thinking block budget.',
    created: day(2025, 10, 15),
    facts: earlier,
    price: { input: '1', output: '5', cacheRead: '0.1', cacheWrite5m: '1.25', cacheWrite1h: '2' },
  }),
];
