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

// Requests and answers for tests of messages providers.

export interface RequestChange extends Partial<Omit<MessagesRequest, 'body'>> {
  readonly body?: Readonly<Record<string, unknown>>;
}

/** Creates a request with one user turn; `body` adds or replaces fields, also with invalid ones. */
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

/** Creates a request whose last user text selects a scenario of a fake. */
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
  readonly chunks: number;
  /** The reason with which the iteration rejected. */
  readonly error: unknown;
}

/** Reads an answer to its end, however it ends. */
export async function readOutcome(stream: ReturnType<MessagesProvider['stream']>): Promise<Outcome> {
  const events: MessageEvent[] = [];
  let chunks = 0;
  try {
    for await (const chunk of stream) {
      chunks++;
      events.push(...chunk.events);
    }
  } catch (error) {
    return { events, chunks, error };
  }
  return { events, chunks, error: undefined };
}

/** The signer of an installation with this master key. */
export const thinkingSigner = createThinkingSigner('the master key of the tests of providers');

/** The dependencies that a messages provider may use; any other throws when it is accessed. */
export function makeProviderDeps(
  settings: Readonly<Record<string, string>>,
  change: Partial<ProviderDeps> = {},
): ProviderDeps & { log: RecordedLog } {
  const log = recordLog();
  const unexpected = () => {
    throw new Error('A messages provider needs no such dependency.');
  };
  return {
    settings,
    dataDir: '/nowhere',
    clock: systemClock,
    cores: 1,
    media: { read: unexpected, as: unexpected },
    files: { open: unexpected, upload: unexpected },
    probe: unexpected,
    thinkingSigner,
    startWorker: unexpected,
    ...change,
    log,
  };
}
