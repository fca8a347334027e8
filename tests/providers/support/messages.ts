import { parsePrice } from '../../../lib/domain/money';
import type {
  MessageEvent,
  MessagesBinding,
  MessagesBody,
  MessagesProvider,
  MessagesRequest,
} from '../../../lib/domain/messages';
import type { ProviderDeps } from '../../../lib/domain/provider';
import { systemClock } from '../../../lib/domain/clock';
import { createThinkingSigner } from '../../../lib/providers/kit/messages/thinking-signature';
import { recordLog, type RecordedLog } from '../../support/log';

// Requests and answers for tests of providers of the messages API.

export interface RequestChange extends Partial<Omit<MessagesRequest, 'body'>> {
  readonly body?: Readonly<Record<string, unknown>>;
}

/** A request of one user turn; `body` adds or replaces fields, also with what no caller of ours could have got through. */
export function makeMessagesRequest({ body, ...change }: RequestChange = {}): MessagesRequest {
  const whole = {
    model: 'claude-sonnet-5-5',
    max_tokens: 1_000,
    messages: [{ role: 'user', content: 'Hello' }],
    ...body,
  };
  return {
    body: whole as unknown as MessagesBody,
    source: Buffer.from(JSON.stringify(whole)),
    changed: [],
    version: '2023-06-01',
    betas: [],
    messageId: 'msg_ours',
    estimatedInputTokens: 99,
    ...change,
  };
}

/** A request whose last user text asks a fake for that scenario. */
export function askFor(scenario: string, change: RequestChange = {}): MessagesRequest {
  return makeMessagesRequest({
    ...change,
    body: { messages: [{ role: 'user', content: `Hello [[fake:${scenario}]]` }], ...change.body },
  });
}

export function makeMessagesBinding(
  change: Partial<MessagesBinding> & Pick<MessagesBinding, 'providerId'>,
): MessagesBinding {
  return {
    modelName: 'claude-sonnet-5-5',
    stability: 'stable',
    price: {
      tiers: [{ fromInputTokens: 0, input: parsePrice('0.000003'), output: parsePrice('0.000015') }],
      source: 'A test.',
      verified: true,
    },
    parallelTools: true,
    webSearch: false,
    ...change,
  };
}

export interface Outcome {
  readonly events: readonly MessageEvent[];
  readonly batches: number;
  /** What the iteration rejected with. */
  readonly error: unknown;
}

/** Reads an answer to its end, whatever that is. */
export async function readOutcome(stream: ReturnType<MessagesProvider['stream']>): Promise<Outcome> {
  const events: MessageEvent[] = [];
  let batches = 0;
  try {
    for await (const batch of stream) {
      batches++;
      events.push(...batch);
    }
  } catch (error) {
    return { events, batches, error };
  }
  return { events, batches, error: undefined };
}

/** Of an installation with this master key. */
export const thinkingSigner = createThinkingSigner('the master key of the tests of providers');

/** Everything from outside that a provider of texts may use; the rest throws when it is touched. */
export function makeProviderDeps(
  settings: Readonly<Record<string, string>>,
  change: Partial<ProviderDeps> = {},
): ProviderDeps & { log: RecordedLog } {
  const log = recordLog();
  const unexpected = () => {
    throw new Error('A provider of texts needs no such thing.');
  };
  return {
    settings,
    dataDir: '/nowhere',
    clock: systemClock,
    cores: 1,
    media: { read: unexpected },
    thinkingSigner,
    startWorker: unexpected,
    ...change,
    log,
  };
}
