import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MessageRow } from '../../../../lib/db/messages';
import { noTelemetry } from '../../../../lib/domain/telemetry';
import { beginMessage, type AnswerDeps, type MessageRun } from '../../../../lib/messages/answer/message-run';
import type { Answering } from '../../../../lib/messages/credit/rolling-hold';
import { createTokenUsage } from '../../../../lib/messages/credit/token-usage';
import { makeGateway, type TestGateway } from '../../../support/gateway';
import { recordLog } from '../../../support/log';
import { messagesInput } from '../../../support/messages-input';

// The end of a message, whatever fails while it is charged and recorded: the client waits for it.

let test: TestGateway;
beforeAll(async () => void (test = await makeGateway()));
afterAll(() => test.close());

async function begin() {
  const settled: MessageRow[] = [];
  const log = recordLog();
  const model = test.gateway.catalog().find('sandbox-text');
  const route = { providerId: 'sandbox', binding: model?.bindings[0], provider: { native: true } };
  const deps = {
    clock: test.clock,
    log,
    catalog: () => test.gateway.catalog(),
    router: { routes: () => [route], isTestProvider: () => false },
    providers: { servedBy: () => ({}) },
    health: { telemetry: noTelemetry },
    estimator: {
      quick: () => 10,
      learn() {
        throw new Error('It cannot learn.');
      },
    },
    reservations: {
      reserve: () => ({
        settle: (cost: bigint, rowFor: (charged: bigint) => MessageRow) => void settled.push(rowFor(cost)),
      }),
    },
  };
  const values = { model: 'sandbox-text', max_tokens: 100, messages: [{ role: 'user', content: 'Hello' }] };
  // Safe: a message that is only begun and settled uses nothing else.
  const run: MessageRun = await beginMessage(
    deps as unknown as AnswerDeps,
    await test.caller('live'),
    messagesInput(values),
  );
  const meter = createTokenUsage(10);
  meter.observeBuffered({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [{ type: 'text', text: 'Hello' }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 2 },
  });
  return { run, settled, log, route, meter };
}

describe('settle', () => {
  it('releases the credit of a message that cannot be charged, logs it and does not throw', async () => {
    const { run, settled, log, route } = await begin();
    const meter = {
      isComplete: true,
      isEstimated: false,
      stopReason: 'end_turn',
      counts() {
        throw new RangeError('The counts are not numbers.');
      },
    };
    // Safe: nothing else of them is used.
    run.settle({ route, meter } as unknown as Answering, undefined);
    expect(settled).toMatchObject([
      { requestId: 'req_test', outcome: 'failed', code: 'internal_error', costNanoUsd: '0' },
    ]);
    expect(log.lines).toMatchObject([
      {
        level: 'error',
        message: 'a message could not be charged; its credit is released',
        fields: { requestId: 'req_test' },
      },
      { level: 'error', message: 'the end of a message could not be recorded' },
    ]);
  });

  it('charges a message once if what follows the charge fails', async () => {
    const { run, settled, log, route, meter } = await begin();
    run.settle({ route, meter } as unknown as Answering, undefined);
    expect(settled).toMatchObject([{ outcome: 'completed', inputTokens: 1, outputTokens: 2 }]);
    expect(log.lines).toMatchObject([{ level: 'error', message: 'the end of a message could not be recorded' }]);
  });
});
