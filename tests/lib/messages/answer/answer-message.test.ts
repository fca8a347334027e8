import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MessageRow } from '../../../../lib/db/messages';
import { upstreamFailed } from '../../../../lib/domain/errors';
import type { MessagesProvider } from '../../../../lib/domain/messages';
import { createAnswerMessage } from '../../../../lib/messages/answer/answer-message';
import type { AnswerDeps } from '../../../../lib/messages/answer/message-run';
import { createProviderHealth } from '../../../../lib/routing/provider-health';
import { createTestClock } from '../../../support/clock';
import { makeGateway, type TestGateway } from '../../../support/gateway';
import { recordLog } from '../../../support/log';
import { messagesInput } from '../../../support/messages-input';

// What a client that disconnects before it has an answer is charged.

let test: TestGateway;
beforeAll(async () => void (test = await makeGateway()));
afterAll(() => test.close());

const soon = () => new Promise((resolve) => setImmediate(resolve));

/** Asks one provider for a short answer that is not streamed. */
async function ask(complete: NonNullable<MessagesProvider['complete']>) {
  const settled: MessageRow[] = [];
  const clock = createTestClock();
  const binding = test.gateway.catalog().find('sandbox-text')?.bindings[0];
  const route = { providerId: 'sandbox', healthKey: 'sandbox', binding, provider: { native: true, complete } };
  const deps = {
    clock,
    log: recordLog(),
    catalog: () => test.gateway.catalog(),
    router: { routes: () => [route], isTestProvider: () => false },
    providers: { servedBy: () => ({}) },
    health: createProviderHealth({ clock, credentials: { accepted() {}, refused() {} } }),
    estimator: { quick: () => 10, learn() {} },
    reservations: {
      reserve: () => ({
        settle: (cost: bigint, rowFor: (charged: bigint) => MessageRow) => void settled.push(rowFor(cost)),
      }),
    },
    random: () => 0,
  };
  const input = messagesInput({ model: 'sandbox-text', max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }] });
  // Safe: a message that one provider answers without a stream uses nothing else.
  const answer = createAnswerMessage(deps as unknown as AnswerDeps)(await test.caller('live'), input);
  answer.catch(() => {});
  await soon();
  return { answer, settled, leave: () => input.abort(new Error('the caller left')) };
}

describe('a client that disconnects', () => {
  it('while a provider generates its answer is charged for the input', async () => {
    const { answer, settled, leave } = await ask(
      (_request, _binding, { signal }) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
    );
    leave();
    await expect(answer).rejects.toThrow('the caller left');
    expect(settled).toMatchObject([{ code: 'caller_left', outcome: 'partial', inputTokens: 10, estimated: true }]);
  });

  it('while a refused call waits to be repeated is charged nothing', async () => {
    const { answer, settled, leave } = await ask(() =>
      Promise.reject(upstreamFailed({ retry: 'later', started: 'no' }, 'The upstream answered 503.')),
    );
    leave();
    await expect(answer).rejects.toThrow('the caller left');
    expect(settled).toMatchObject([{ code: 'caller_left', outcome: 'failed', inputTokens: 0, costNanoUsd: '0' }]);
  });
});
