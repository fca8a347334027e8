import { startServer, type TestServer } from '../support/server';
import type { TestGatewayOptions } from '../support/gateway';
import { startFakeChatUpstream, type FakeChatUpstream } from '../support/upstreams/fake-chat-upstream';
import { startFakeCompatibleVendor, type FakeCompatibleVendor } from '../support/upstreams/fake-compatible-vendor';
import { startFakeMessagesVendor, type FakeMessagesVendor } from '../support/upstreams/fake-messages-vendor';

// The product on a real port with three upstreams behind it: the vendor of the dialect, one that imitates it, and one
// with chat completions.

export interface World {
  readonly server: TestServer;
  readonly baseUrl: string;
  readonly key: string;
  readonly native: FakeMessagesVendor;
  readonly compatible: FakeCompatibleVendor;
  readonly chat: FakeChatUpstream;
  /** The rows of messages, newest last, after all are charged. */
  rows(): Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
}

export const nativeModel = 'claude-haiku-4-5';
export const compatibleModel = 'minimax-m3';
export const chatModel = 'local-text';

export async function startWorld(options: TestGatewayOptions = {}): Promise<World> {
  const [native, compatible, chat] = await Promise.all([
    startFakeMessagesVendor(),
    startFakeCompatibleVendor(),
    startFakeChatUpstream(),
  ]);
  const server = await startServer({
    // The shortest pause between two attempts.
    random: () => 0,
    ...options,
    env: {
      ANTHROPIC_API_KEY: native.apiKey,
      ANTHROPIC_BASE_URL: native.baseUrl,
      MINIMAX_API_KEY: compatible.apiKey,
      MINIMAX_BASE_URL: compatible.baseUrl,
      OPENAI_COMPATIBLE_BASE_URL: `${chat.baseUrl}/v1`,
      OPENAI_COMPATIBLE_API_KEY: chat.apiKey,
      ...options.env,
    },
  });
  return {
    server,
    baseUrl: server.baseUrl,
    key: server.firstRun.keys.live,
    native,
    compatible,
    chat,
    async rows() {
      await server.gateway.messages.settled();
      return (await server.db.query('select * from messages order by created_at, id')).rows;
    },
    async close() {
      await server.close();
      await Promise.all([native.close(), compatible.close(), chat.close()]);
    },
  };
}

export const say = (scenario: string) => `Hello [[fake:${scenario}]]`;
