import type { Caller } from '../../domain/caller';
import { GatewayError } from '../../domain/errors';
import type { MessagesBody } from '../../domain/messages';
import type { Route, Routes } from '../../routing/route';
import { tryRoutes } from '../../routing/try-routes';
import type { Answering } from '../credit/rolling-hold';
import { createTokenUsage } from '../credit/token-usage';
import type { Answer, MessagesInput } from '../messages';
import { answerBuffered } from './buffered-answer';
import { beginMessage, type AnswerDeps, type Attempts, type MessageRun } from './message-run';
import { beginStreamedAnswer, type StreamedAnswer } from './streamed-answer';

// Answers a request for a message. Failover to another provider is possible until the first content arrives. After that
// the answer either completes or ends with an error event.

/** If the provider sends nothing for this long we commit: status 200 goes out and failover is no longer possible. */
const COMMIT_AFTER_MS = 12_000;
const MAX_CALLS = 3;
const FAILOVER_MS = 60_000;
/**
 * About a minute without a byte at thirty tokens per second; many networks and load balancers close idle connections
 * after that.
 */
const MAX_TOKENS_NON_STREAMING = 2_048;

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

/** Returns whether the provider is called for a single JSON response. */
function isNonStreaming({ provider }: Route<'messages'>, body: MessagesBody): boolean {
  return body.stream !== true && provider.complete !== undefined && isShort(body);
}

/**
 * True if the first reservation covers the answer and it arrives soon. Tools that the provider runs itself can take
 * minutes.
 */
function isShort({ max_tokens: maxTokens = 0, tools }: MessagesBody): boolean {
  return maxTokens <= MAX_TOKENS_NON_STREAMING && !tools?.some(({ type }) => (type ?? 'custom') !== 'custom');
}

/** Returns the result of the first attempt that succeeds. Rejects with the error for the client when none does. */
function attempt<T>(
  routes: Routes<'messages'>,
  { requestId, clock, health, signal, repeat, made }: Attempts,
  ask: (route: Route<'messages'>) => Promise<T>,
): Promise<T> {
  const startedAt = clock.nowMs();
  const deadline = startedAt + FAILOVER_MS;
  return tryRoutes(routes, ask, {
    capability: 'messages',
    workId: requestId,
    clock,
    health,
    signal,
    repeat,
    isOver: () => made.length >= MAX_CALLS || clock.nowMs() >= deadline,
    // Nothing has been delivered yet, and the client pays only for the answer that it gets.
    mayBeginTwice: true,
    onAttempt(route, ms, failed) {
      const call = { provider: route.providerId, upstreamModel: route.binding.modelName, ms };
      const base = made.length === 0 ? call : { ...call, startMs: clock.nowMs() - ms - startedAt };
      made.push(failed ? { ...base, code: failed.code } : base);
    },
    combine: (failures) => combineFailures(failures, new Set(made.map(({ provider }) => provider)).size),
  });
}

/**
 * Reduces several failures to one client error: the one that helps the client most. It never says which provider
 * failed.
 */
function combineFailures(failures: readonly [GatewayError, ...GatewayError[]], providers: number): GatewayError {
  const last = failures.at(-1) ?? failures[0];
  const limited = failures.filter(({ code }) => code === 'rate_limit_exceeded');
  const longest = limited
    .toSorted((one, other) => (one.extra.retryAfterSeconds ?? 0) - (other.extra.retryAfterSeconds ?? 0))
    .at(-1);
  if (longest) return longest;
  const overloaded = failures.find(({ code }) => code === 'upstream_overloaded');
  if (overloaded) return overloaded;
  if (failures.every(({ code }) => code === 'upstream_timeout')) return last;
  const notFound = failures.find(({ code }) => code === 'provider_model_not_found');
  if (notFound) return notFound;
  if (failures.length === 1) return last;
  const failed = providers === 1 ? 'The provider' : 'All providers of this model';
  return new GatewayError(
    'upstream_invalid_response',
    `${failed} failed (${failures.length} attempts). Try again in a moment.`,
    { detail: last.extra.detail ?? last.code },
  );
}
