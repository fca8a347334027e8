import type { Caller } from '../../domain/caller';
import { attempt } from './attempt';
import { beginEvents } from './event-answer';
import { beginMessage, type AnswerDeps, type MessageRun } from './message-run';
import type { Answering } from '../credit/settle-message';
import type { Answer, MessagesInput } from '../messages';
import { beginRelay } from './relay-answer';
import { createTokenUsage } from '../credit/token-usage';
import { answerWhole } from './whole-answer';

// From a body to an answer. Until something has been said, any provider may still be asked; after that the answer either ends
// well or ends with an error that says so.

/** So long an answer may say nothing before its caller is told that it has begun. */
const COMMIT_AFTER_MS = 12_000;

export function createAnswerMessage(deps: AnswerDeps) {
  return async function answerMessage(caller: Caller, input: MessagesInput): Promise<Answer> {
    const run = await beginMessage(deps, caller, input);
    if (run.body.stream === true) return streamAnswer(deps, run);
    const { json, by } = await answerWhole(run, deps.log);
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
