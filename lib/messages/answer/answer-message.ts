import type { Caller } from '../../domain/caller';
import type { Route } from '../../routing/route';
import type { Answering } from '../credit/settle-message';
import { createTokenUsage } from '../credit/token-usage';
import type { Answer, MessagesInput } from '../messages';
import { attempt } from './attempt';
import { answerBuffered, isNonStreaming } from './buffered-answer';
import { beginMessage, type AnswerDeps, type MessageRun } from './message-run';
import { beginStreamedAnswer, type StreamedAnswer } from './streamed-answer';

// Answers a request for a message. Failover to another provider is possible until the first content arrives. After that
// the answer either completes or ends with an error event.

/** If the provider sends nothing for this long we commit: status 200 goes out and failover is no longer possible. */
const COMMIT_AFTER_MS = 12_000;

export function createAnswerMessage(deps: AnswerDeps) {
  return async function answerMessage(caller: Caller, input: MessagesInput): Promise<Answer> {
    const run = await beginMessage(deps, caller, input);
    const { answer, by } = await answerFrom(run);
    const { route } = by;
    const answered = {
      model: run.model.id,
      provider: route.providerId,
      attempts: run.made.length,
      ignoredParams: run.ignoredParams(route),
    };
    if (typeof answer !== 'string') return { kind: 'stream', events: answer.open(), ...answered };
    run.content?.add(Buffer.from(answer));
    run.settle(by, undefined);
    return { kind: 'message', json: answer, ...answered };
  };

  /** Returns the JSON of a message, or the beginning of a stream, from the first provider that answers. */
  async function answerFrom(
    run: MessageRun,
  ): Promise<{ readonly answer: string | StreamedAnswer; readonly by: Answering }> {
    let by: Answering | undefined;
    try {
      const answer = await attempt(run.routes, run.attempts(), (route): Promise<string | StreamedAnswer> => {
        by = answeringOf(run, route);
        return run.body.stream === true
          ? beginStreamedAnswer(deps, run, by, COMMIT_AFTER_MS - run.elapsedMs())
          : answerBuffered(run, by, deps.log);
      });
      // Safe: an attempt that succeeded has set `by`.
      return { answer, by: by! };
    } catch (error) {
      throw run.settleUnanswered(by, error);
    }
  }
}

function answeringOf({ estimatedInputTokens, body }: MessageRun, route: Route<'messages'>): Answering {
  return { route, meter: createTokenUsage(estimatedInputTokens), isBuffered: isNonStreaming(route, body) };
}
