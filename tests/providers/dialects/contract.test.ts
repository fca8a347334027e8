import type { ProviderDefinition } from '../../../lib/domain/provider';
import type { MessagesBinding } from '../../../lib/domain/messages';
import { alibaba } from '../../../lib/providers/alibaba/index';
import { anthropic } from '../../../lib/providers/anthropic/index';
import { deepseek } from '../../../lib/providers/deepseek/index';
import { minimax } from '../../../lib/providers/minimax/index';
import { moonshot } from '../../../lib/providers/moonshot/index';
import { openaiCompatible } from '../../../lib/providers/openai-compatible/index';
import { xiaomi } from '../../../lib/providers/xiaomi/index';
import { zai } from '../../../lib/providers/zai/index';
import { recordLog } from '../../support/log';
import { startFakeChatUpstream } from '../../support/upstreams/fake-chat-upstream';
import { startFakeCompatibleVendor } from '../../support/upstreams/fake-compatible-vendor';
import { startFakeMessagesVendor } from '../../support/upstreams/fake-messages-vendor';
import type { FakeUpstream } from '../../support/upstreams/fake-upstream';
import { messagesContract, type MessagesContractOptions, type MessagesSubject } from '../contract/messages';
import { askFor, makeMessagesBinding, makeProviderDeps } from '../support/messages';

// Every provider of texts before the fake of its dialect, with the data of its own folder.

async function makeSubject(
  definition: ProviderDefinition,
  variables: string,
  start: () => Promise<FakeUpstream & { readonly apiKey: string }>,
  change: { readonly below?: string; readonly binding?: Partial<MessagesBinding> } = {},
): Promise<MessagesSubject> {
  const upstream = await start();
  const provider = definition.create(makeProviderDeps({ [`${variables}_API_KEY`]: upstream.apiKey, [`${variables}_BASE_URL`]: upstream.baseUrl + (change.below ?? '') }));
  const tools = [{ name: 'get_weather', input_schema: { type: 'object', properties: { city: { type: 'string' } } } }];
  return {
    provider: provider.messages!,
    binding: makeMessagesBinding({ providerId: definition.id, ...change.binding }),
    log: recordLog(),
    makeRequest: ({ text = '' } = {}) => askFor('text', { body: { messages: [{ role: 'user', content: `${text} [[fake:text]]` }] } }),
    makeLongRequest: () => askFor('long count=1500 delay=5'),
    makeToolRequest: () => askFor('tool', { body: { tools } }),
    makeFaultyRequest: (fault) => askFor(fault),
    makeHangingRequest: () => askFor('hang'),
    upstreamClosed: () => upstream.last('long').closed,
    received: () => JSON.stringify(upstream.requests.map(({ headers, raw }) => [headers, raw.toString()])),
    async dispose() {
      await provider.close?.();
      await upstream.close();
    },
  };
}

const has: MessagesContractOptions['has'] = ['hanging', 'upstream'];

messagesContract('anthropic', () => makeSubject(anthropic, 'ANTHROPIC', startFakeMessagesVendor), {
  has,
  faults: { overloaded: 'elsewhere', 'server-error': 'later', unavailable: 'later', 'html-ok': 'later', unauthorized: 'elsewhere', 'too-long': 'never', reset: 'later', 'text drop=4': 'later', 'text errorAt=4': 'elsewhere' },
});

const compatible = [
  { definition: deepseek, variables: 'DEEPSEEK', quirks: { replay: true }, binding: { thinkingReplay: true as const } },
  { definition: zai, variables: 'ZAI', quirks: { strictResults: true } },
  { definition: minimax, variables: 'MINIMAX', quirks: {} },
  { definition: alibaba, variables: 'ALIBABA', quirks: {} },
  { definition: xiaomi, variables: 'XIAOMI', quirks: {} },
];
for (const { definition, variables, quirks, binding } of compatible) {
  messagesContract(definition.id, () => makeSubject(definition, variables, () => startFakeCompatibleVendor(quirks), binding ? { binding } : {}), {
    has,
    faults: { html: 'later', garbage: 'later', 'text drop=3': 'later', 'error-coded': 'never', 'no-message-delta': 'later' },
  });
}

const chatFaults = { quota: 'elsewhere', overloaded: 'elsewhere', 'context-length': 'never', 'json-body': 'later', 'error-first': 'elsewhere', cut: 'later', 'gave-up': 'later' } as const;
messagesContract('moonshot', () => makeSubject(moonshot, 'MOONSHOT', () => startFakeChatUpstream({ replay: true }), { binding: { modelName: 'kimi-k2.6', thinkingReplay: true } }), {
  has,
  faults: chatFaults,
});
messagesContract('openai-compatible', () => makeSubject(openaiCompatible, 'OPENAI_COMPATIBLE', startFakeChatUpstream, { below: '/v1' }), { has, faults: chatFaults });
