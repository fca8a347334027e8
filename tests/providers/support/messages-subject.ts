import type { MessagesBinding } from '../../../lib/domain/messages';
import type { ProviderDefinition } from '../../../lib/domain/provider';
import { recordLog } from '../../support/log';
import type { FakeUpstream } from '../../support/upstreams/fake-upstream';
import type { MessagesContractOptions, MessagesSubject } from '../contract/messages';
import { askFor, makeMessagesBinding, makeProviderDeps } from './messages';

// Creates a messages provider, with the data of its own folder, in front of the fake of its dialect.

/** The optional parts that such a subject has. */
export const has: MessagesContractOptions['has'] = ['hanging', 'upstream'];

/** Error → the retry that may follow it, for the fakes of each dialect. */
export const compatibleErrors = {
  html: 'later',
  garbage: 'later',
  'text drop=3': 'later',
  'error-coded': 'never',
  'no-message-delta': 'later',
} as const;
export const chatErrors = {
  quota: 'elsewhere',
  overloaded: 'elsewhere',
  'context-length': 'never',
  'json-body': 'later',
  'error-first': 'elsewhere',
  cut: 'later',
  'gave-up': 'later',
} as const;

/** `variables` is the prefix of the provider's variables; `below` is appended to the fake's URL. */
export async function makeMessagesSubject(
  definition: ProviderDefinition,
  variables: string,
  start: () => Promise<FakeUpstream & { readonly apiKey: string }>,
  change: { readonly below?: string; readonly binding?: Partial<MessagesBinding> } = {},
): Promise<MessagesSubject> {
  const upstream = await start();
  const provider = definition.create(
    makeProviderDeps({
      [`${variables}_API_KEY`]: upstream.apiKey,
      [`${variables}_BASE_URL`]: upstream.baseUrl + (change.below ?? ''),
    }),
  );
  const tools = [{ name: 'get_weather', input_schema: { type: 'object', properties: { city: { type: 'string' } } } }];
  return {
    provider: provider.messages!,
    definition,
    binding: makeMessagesBinding({ providerId: definition.id, ...change.binding }),
    log: recordLog(),
    makeRequest: ({ text = '' } = {}) =>
      askFor('text', { body: { messages: [{ role: 'user', content: `${text} [[fake:text]]` }] } }),
    makeLongRequest: () => askFor('long count=1500 delay=5'),
    makeToolRequest: () => askFor('tool', { body: { tools } }),
    makeFailingRequest: (error) => askFor(error),
    makeHangingRequest: () => askFor('hang'),
    upstreamClosed: () => upstream.last('long').closed,
    received: () => JSON.stringify(upstream.requests.map(({ headers, raw }) => [headers, raw.toString()])),
    async dispose() {
      await provider.close?.();
      await upstream.close();
    },
  };
}
