import { linkSignals } from '../../io/linked-signal';
import type { Log } from '../../domain/log';
import type { MessagesBody } from '../../domain/messages';
import type { MessagesRoute } from '../../routing/messages-router';
import { attempt } from './attempt';
import { createCollector } from './collect';
import type { MessageRun } from './message-run';
import type { Answering } from '../credit/settle-message';
import { presentWhole } from './present-bytes';
import { readAnswer, type Reading } from './read-answer';
import { createTokenUsage } from '../credit/token-usage';

// An answer for a caller who wants it whole. A long one is read from the provider as a stream: only so can it be stopped when
// the credit ends. A short one, which was paid for when it was asked, is asked in one piece where the provider can.

/** At thirty tokens a second about a minute without a byte: networks and balancers that cut idle connections wait so long. */
const MAX_TOKENS_NON_STREAMING = 2_048;

/** The JSON of the message. Rejects with what the caller should learn when nobody could answer. */
export async function answerWhole(
  run: MessageRun,
  log: Log,
): Promise<{ readonly json: string; readonly by: Answering }> {
  const { hangUp } = run.input;
  const inOnePiece = isShort(run.body);
  let answering: Answering | undefined;

  async function ask(route: MessagesRoute): Promise<string> {
    const meter = createTokenUsage(run.estimatedInputTokens);
    answering = { route, meter };
    if (inOnePiece && route.provider.whole) {
      answering = { route, meter, isUnseen: true };
      const { text, message } = await route.provider.whole(run.requestFor(route), route.binding, { hangUp, log });
      meter.observeWhole(message);
      run.noteFirstToken();
      return presentWhole(text, message, run.model.id);
    }
    return collectWithin(run, answering, log);
  }

  try {
    const json = await attempt(run.routes, run.attempts(), ask);
    run.settle(answering, undefined);
    // Safe: an attempt that succeeded has set it.
    return { json, by: answering! };
  } catch (error) {
    run.settleUnanswered(answering, error);
    throw error;
  }
}

/** Covered by the first hold, and soon made: tools that the provider runs itself can keep it busy for minutes. */
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
