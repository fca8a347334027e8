import type { Log } from '../../domain/log';
import { linkSignals } from '../../io/linked-signal';
import type { Answering } from '../credit/rolling-hold';
import { createCollector } from './collect';
import type { MessageRun } from './message-run';
import { presentBuffered } from './present-answer';
import { readAnswer } from './streamed-answer';

// An answer for a client that did not request a stream. A long answer is read from the provider as a stream, because
// only a stream can be stopped when the credit runs out. The first reservation covers a short answer completely, so it
// is requested as a single JSON response where the provider supports that.

/** Returns the JSON of the message. Rejects as `readAnswer` does. */
export async function answerBuffered(run: MessageRun, by: Answering, log: Log): Promise<string> {
  const { route, meter, isBuffered } = by;
  const { signal } = run.input;
  if (!isBuffered || !route.provider.complete) return collectWithin(run, by, log);
  const { text, message } = await route.provider.complete(run.requestFor(route), route.binding, { signal, log });
  meter.observeBuffered(message);
  run.recordFirstToken();
  return presentBuffered(text, message, run.model.id);
}

/** Collects a streamed answer, for at most as long as an answer may take. */
async function collectWithin(run: MessageRun, by: Answering, log: Log): Promise<string> {
  const limit = new AbortController();
  const cancelLimit = run.limitDuration((error) => limit.abort(error));
  const { signal, release } = linkSignals(run.input.signal, limit.signal);
  const collector = createCollector();
  try {
    await readAnswer(run, by, { signal, log }, ({ events }) => {
      for (const event of events) collector.add(event);
      return undefined;
    });
    return JSON.stringify(collector.message(run.model.id));
  } catch (error) {
    throw limit.signal.aborted ? limit.signal.reason : error;
  } finally {
    cancelLimit();
    release();
  }
}
