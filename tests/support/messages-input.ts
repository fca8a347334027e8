import type { MessagesInput } from '../../lib/messages/messages';

/** A request to the messages API as its handler reads it. */
export function messagesInput(values: MessagesInput['values'], change: Partial<MessagesInput> = {}): MessagesInput {
  const controller = new AbortController();
  return {
    values,
    source: Buffer.from(JSON.stringify(values)),
    version: '2023-06-01',
    betas: [],
    requestId: 'req_test',
    automaticRetry: false,
    scenario: undefined,
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    ...change,
  };
}
