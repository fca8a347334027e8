import type { Command } from 'commander';
import type { InternalModelJson } from '../contract/models';
import { parsePrice, priceText } from '../domain/money';
import { makeCommand, option } from './command';
import { ask } from './http';
import { connectionOptions, findConnection, type ConnectionOptions } from './login';
import { table } from './table';
import type { Terminal } from './terminal';

// `models`: lists the catalog as the key sees it.

interface Options extends ConnectionOptions {
  readonly type?: string;
  readonly provider?: string;
  readonly available?: boolean;
}

export function modelsCommand(terminal: Terminal): Command {
  return makeCommand<Options>(terminal, {
    name: 'models [text]',
    description: 'List the models of the catalog, with their prices.',
    examples: ['patchbay models', 'patchbay models kling --type video', 'patchbay models --available --json'],
    options: [
      ...connectionOptions,
      option('--type <type>', 'only these: video, messages, stt or tts').choices(['video', 'messages', 'stt', 'tts']),
      option('--provider <id>', 'only those that this provider serves'),
      option('--available', 'only those that serve live requests now'),
    ],
    more: 'The text is searched in ids, aliases, names and families.',
    run: async (options, text = '') => {
      const { json } = await ask(findConnection(terminal, options), 'GET', '/internal/models');
      const { data } = json as { readonly data: readonly InternalModelJson[] }; // Safe: what this path answers with success.
      const models = data.filter((model) => matches(model, text.toLowerCase(), options));
      return { text: modelsTable(models), json: { object: 'list', data: models } };
    },
  });
}

function matches(model: InternalModelJson, text: string, { type, provider, available }: Options): boolean {
  if (type !== undefined && model.type !== type) return false;
  if (provider !== undefined && !model.providers.some(({ providerId }) => providerId === provider)) return false;
  if (available && !model.available) return false;
  return [model.id, ...model.aliases, model.name, model.family].some((each) => each.toLowerCase().includes(text));
}

function modelsTable(models: readonly InternalModelJson[]): string {
  if (models.length === 0) return 'No model matches.\n';
  return table([
    ['model', 'kind', 'price', 'live', 'providers'],
    ...models.map((model) => [
      model.id,
      model.kind,
      priceOf(model),
      model.available ? 'yes' : 'no',
      model.providers.map(({ providerId }) => providerId).join(', '),
    ]),
  ]);
}

const MILLION = 1_000_000n;
const videoUnits = { output_second: 'second', input_plus_output_second: 'second in and out', clip: 'clip' } as const;

/** Returns the main prices of the model. Prices that depend on the request are in `--json`. */
function priceOf(model: InternalModelJson): string {
  const { pricing } = model;
  const million = (price: string | undefined) => `$${priceText(parsePrice(price ?? '0') * MILLION)}`;
  switch (model.type) {
    case 'video': {
      const rates = model.video_pricing?.rates ?? [];
      const prices = rates.map(({ usd }) => usd).toSorted((one, other) => Number(one) - Number(other));
      const [lowest] = prices;
      if (lowest === undefined) return '';
      const span = lowest === prices.at(-1) ? `$${lowest}` : `$${lowest} to $${prices.at(-1)}`;
      return `${span} per ${videoUnits[model.video_pricing?.per ?? 'output_second']}`;
    }
    case 'messages':
      return `${million(pricing.prompt)} in, ${million(pricing.completion)} out per 1M tokens`;
    case 'stt':
      return `$${pricing.audio_minute ?? '0'} per minute`;
    case 'tts':
      return `${million(pricing.character)} per 1M characters`;
  }
}
