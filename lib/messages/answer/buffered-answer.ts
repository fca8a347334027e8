import { linkSignals } from '../../io/linked-signal';
import type { Log } from '../../domain/log';
import type { MessagesBody } from '../../domain/messages';
import type { Route } from '../../routing/route';
import { attempt } from './attempt';
import { createCollector } from './collect';
import type { MessageRun } from './message-run';
import type { Answering } from '../credit/settle-message';
import { presentBuffered } from './present-bytes';
import { readAnswer, type Reading } from './read-answer';
import { createTokenUsage } from '../credit/token-usage';

// An answer for a client that did not request a stream. A long answer is read from the provider as a stream, because
// only a stream can be stopped when the credit runs out. The first reservation covers a short answer completely, so it
// is requested as a single JSON response where the provider supports that.

/**
 * About a minute without a byte at thirty tokens per second; many networks and load balancers close idle connections
 * after that.
 */
const MAX_TOKENS_NON_STREAMING = 2_048;

/** Returns the JSON of the message. Rejects with the error for the client when no provider answers. */
export async function answerBuffered(
  run: MessageRun,
  log: Log,
): Promise<{ readonly json: string; readonly by: Answering }> {
  const { hangUp } = run.input;
  const isNonStreaming = isShort(run.body);
  let answering: Answering | undefined;

  async function ask(route: Route<'messages'>): Promise<string> {
    const meter = createTokenUsage(run.estimatedInputTokens);
    answering = { route, meter };
    if (isNonStreaming && route.provider.complete) {
      answering = { route, meter, isBuffered: true };
      const { text, message } = await route.provider.complete(run.requestFor(route), route.binding, { hangUp, log });
      meter.observeBuffered(message);
      run.recordFirstToken();
      return presentBuffered(text, message, run.model.id);
    }
    return collectWithin(run, answering, log);
  }

  try {
    const json = await attempt(run.routes, run.attempts(), ask);
    run.settle(answering, undefined);
    // Safe: an attempt that succeeded has set `answering`.
    return { json, by: answering! };
  } catch (error) {
    run.settleUnanswered(answering, error);
    throw error;
  }
}

/**
 * True if the first reservation covers the answer and it arrives soon. Tools that the provider runs itself can take
 * minutes.
 */
function isShort({ max_tokens: maxTokens = 0, tools }: MessagesBody): boolean {
  return maxTokens <= MAX_TOKENS_NON_STREAMING && !tools?.some(({ type }) => type !== undefined && type !== 'custom');
}

async function collectWithin(run: MessageRun, by: Answering, log: Log): Promise<string> {
  const longest = new AbortController();
  const cancelLongest = run.limitDuration((error) => longest.abort(error));
  const { signal, release } = linkSignals(run.input.hangUp.signal, longest.signal);
  try {
    return JSON.stringify(await collect(readAnswer(run, by, signal, log)));
  } catch (error) {
    throw longest.signal.aborted ? longest.signal.reason : error;
  } finally {
    cancelLongest();
    release();
  }
}

async function collect(reading: Reading) {
  const collector = createCollector();
  try {
    for (let batch = await reading.next(); batch; batch = await reading.next())
      for (const event of batch) collector.add(event);
  } catch (error) {
    reading.stop();
    throw error;
  }
  return collector.message();
}
