import type { Caller } from '../../domain/caller';
import { attempt } from './attempt';
import { beginEvents } from './event-answer';
import { beginMessage, type AnswerDeps, type MessageRun } from './message-run';
import type { Answering } from '../credit/settle-message';
import type { Answer, MessagesInput } from '../messages';
import { beginRelay } from './relay-answer';
import { createTokenUsage } from '../credit/token-usage';
import { answerBuffered } from './buffered-answer';

// Turns a request body into an answer. Failover to another provider is possible until the first content arrives. After
// that the answer either completes or ends with an error event.

/** If the provider sends nothing for this long we commit: status 200 goes out and failover is no longer possible. */
const COMMIT_AFTER_MS = 12_000;

export function createAnswerMessage(deps: AnswerDeps) {
  return async function answerMessage(caller: Caller, input: MessagesInput): Promise<Answer> {
    const run = await beginMessage(deps, caller, input);
    if (run.body.stream === true) return streamAnswer(deps, run);
    const { json, by } = await answerBuffered(run, deps.log);
    return {
      kind: 'message',
      json,
      provider: by.route.providerId,
      attempts: run.made.length,
      ignoredParams: run.ignoredParams(by.route),
    };
  };
}

async function streamAnswer(deps: AnswerDeps, run: MessageRun): Promise<Answer> {
  let by: Answering | undefined;
  try {
    const begun = await attempt(run.routes, run.attempts(), (route) => {
      by = { route, meter: createTokenUsage(run.estimatedInputTokens) };
      const withinMs = COMMIT_AFTER_MS - run.elapsedMs();
      const { relay } = route.provider;
      return relay ? beginRelay(deps, run, by, relay, withinMs) : beginEvents(deps, run, by, withinMs);
    });
    // Safe: an attempt that succeeded has set `by`.
    const { route } = by!;
    return {
      kind: 'stream',
      events: begun.open(),
      provider: route.providerId,
      attempts: run.made.length,
      ignoredParams: run.ignoredParams(route),
    };
  } catch (error) {
    run.settleUnanswered(by, error);
    throw error;
  }
}
