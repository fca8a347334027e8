import { allowedBindings, checkModelAccess } from '../accounts/access';
import type { LiveKeys } from '../accounts/live-keys';
import type { Catalog } from '../catalog/catalog';
import { resolveModelOf } from '../catalog/resolve';
import type { MessageAttempt } from '../db/schema/index';
import type { Caller } from '../domain/caller';
import type { Clock } from '../domain/clock';
import { errorForLog, GatewayError, isGatewayError } from '../domain/errors';
import { shownIgnoredParams } from '../domain/ignored-params';
import type { Log } from '../domain/log';
import type { MessagesBody, MessagesRequest } from '../domain/messages';
import type { MessagesModel } from '../domain/model';
import type { CircuitBreaker } from '../routing/circuit-breaker';
import type { MessagesRoute, MessagesRouter } from '../routing/messages-router';
import { readScenario } from '../videos/scenario';
import type { Attempts } from './attempt';
import type { TokenEstimator } from './estimate-tokens';
import { errorEventText } from './event-stream';
import { fitBody } from './fit-body';
import { newMessageId } from './message-id';
import type { MessagesInput } from './messages';
import { parseMessagesBody, parseModelName } from './messages-request';
import { messagesErrorText } from './present-error';
import type { Purses } from './purses';
import { openRollingHold, type RollingHold } from './rolling-hold';
import { settleMessage } from './settle-message';
import type { UsageMeter } from './usage-meter';

// One message from its body to its bill, whichever way its answer takes: what was asked, who may answer it, what is held for
// it, and how it ends.

export interface AnswerDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly catalog: Catalog;
  readonly router: MessagesRouter;
  readonly breaker: CircuitBreaker;
  readonly estimator: TokenEstimator;
  readonly purses: Purses;
  readonly liveKeys: LiveKeys;
  readonly random: () => number;
}

/** Who answers, and what the answer has used so far. */
export interface Answering {
  readonly route: MessagesRoute;
  readonly meter: UsageMeter;
  /** It is written where nobody sees it: somebody who leaves before its end pays for what was read, by estimate. */
  readonly isUnseen?: boolean;
}

export interface MessageRun {
  readonly caller: Caller;
  readonly input: MessagesInput;
  readonly model: MessagesModel;
  readonly body: MessagesBody;
  /** Best first. */
  readonly routes: readonly [MessagesRoute, ...MessagesRoute[]];
  readonly estimatedInputTokens: number;
  readonly hold: RollingHold;
  /** Every call of a provider, also those that failed. */
  readonly made: MessageAttempt[];
  /** Since the request came. */
  elapsedMs(): number;
  requestFor(route: MessagesRoute): MessagesRequest;
  attempts(): Attempts;
  /** What of the body this one is not given, by the names of `X-Ignored-Params`. */
  ignoredParams(route: MessagesRoute): readonly string[];
  /** The first word has come. */
  noteFirstToken(): void;
  /** Once, at the end; without `answering` nothing was delivered, and nothing is charged. `code` is what ended it early. */
  settle(answering: Answering | undefined, code: string | undefined): void;
  /** The same for an answer that was never delivered, and why. It costs nothing, unless it was made on purpose: the credit ended, or the caller left while the provider wrote. */
  settleUnanswered(answering: Answering | undefined, error: unknown): void;
  /** The last event of an answer that breaks off; notes in the log and in the circuit what broke it. */
  lastEvent(error: unknown, route: MessagesRoute): string;
}

/** Checks the body, chooses who may answer, and sets credit aside. Rejects as `Messages.answer` does. */
export async function beginMessage(deps: AnswerDeps, caller: Caller, input: MessagesInput): Promise<MessageRun> {
  const { clock, log, router, breaker, estimator, purses, random } = deps;
  const startedAt = performance.now();
  const createdAt = clock.now();
  const { model, body, routes } = choose(deps, caller, input);
  const [first] = routes;
  const fitted = fitBody(body, model, first.binding, input.version);
  const estimatedInputTokens = estimator.quick(body, model);
  const opened = openRollingHold(purses, caller, { routes, body, estimatedInputTokens });
  const hold = opened instanceof Promise ? await opened : opened;
  const messageId = newMessageId();
  const made: MessageAttempt[] = [];
  let firstTokenMs: number | undefined;
  const elapsedMs = () => performance.now() - startedAt;

  function settle(answering: Answering | undefined, code: string | undefined): void {
    if (answering?.meter.isComplete && !answering.meter.isEstimated && !router.isStandIn(answering.route.providerId)) {
      const { input: fresh, cacheRead, cacheWrite5m, cacheWrite1h } = answering.meter.counts();
      estimator.learn(body, model, fresh + cacheRead + cacheWrite5m + cacheWrite1h);
    }
    settleMessage(hold, {
      id: messageId,
      requestId: input.requestId,
      model: model.id,
      answering,
      attempts: made,
      streamed: body.stream === true,
      code,
      firstTokenMs,
      totalMs: Math.round(elapsedMs()),
      createdAt,
    });
  }

  return {
    caller,
    input,
    model,
    body,
    routes,
    estimatedInputTokens,
    hold,
    made,
    elapsedMs,
    requestFor(route) {
      const scenario = router.isStandIn(route.providerId) ? readScenario(input.scenario, lastUserText(body)) : undefined;
      const own = route === first ? fitted : fitBody(body, model, route.binding, input.version);
      const request: MessagesRequest = {
        body: own.body,
        changed: own.changed,
        source: input.source,
        version: input.version,
        betas: input.betas,
        messageId,
        estimatedInputTokens,
      };
      return scenario === undefined ? request : { ...request, scenario };
    },
    ignoredParams({ provider, binding }) {
      const own = provider.ignoredParams?.(body, binding);
      return own === undefined ? fitted.ignoredParams : shownIgnoredParams([...fitted.ignoredParams, ...own]);
    },
    attempts: () => ({ clock, breaker, random, hangUp: input.hangUp, mayRepeat: !input.automaticRetry, made }),
    noteFirstToken() {
      firstTokenMs ??= Math.round(elapsedMs());
    },
    settle,
    settleUnanswered(answering, error) {
      const left = input.hangUp.happened;
      const isUsed = answering?.meter.hasSaid === true || answering?.isUnseen === true;
      settle(isCreditError(error) || (left && isUsed) ? answering : undefined, left ? 'caller_left' : codeOf(error));
    },
    lastEvent(error, route) {
      const known = isGatewayError(error) ? error : new GatewayError('internal_error', 'Something went wrong on our side. Try again; if it happens again, report the request id.');
      const fields = { requestId: input.requestId, provider: route.providerId, code: known.code };
      if (!isGatewayError(error)) log.error('an answer broke off', { ...fields, error: errorForLog(error) });
      else if (error.extra.upstream) {
        if (error.extra.upstream.retry !== 'never') breaker.failed(route.circuit);
        log.warn('an answer broke off', { ...fields, ...(error.extra.detail !== undefined && { error: error.extra.detail }) });
      }
      return errorEventText(messagesErrorText(known, input.requestId));
    },
  };
}

function choose({ catalog, router }: AnswerDeps, caller: Caller, input: MessagesInput): Pick<MessageRun, 'model' | 'body' | 'routes'> {
  const { model, bindings: resolved } = resolveModelOf(catalog, parseModelName(input.values), 'messages');
  checkModelAccess(caller.policy, model.id);
  const bindings = allowedBindings(caller.policy, resolved);
  const body = parseMessagesBody(input.values, { for: 'answer' });
  return { model, body, routes: router.routes(model, bindings, caller.mode, body) };
}

function lastUserText({ messages }: MessagesBody): string {
  const last = messages.findLast(({ role }) => role === 'user')?.content ?? '';
  if (typeof last === 'string') return last;
  const text = last.findLast((block) => block.type === 'text');
  return text?.type === 'text' ? text.text : '';
}

/** The public code of whatever was thrown. */
export function codeOf(error: unknown): string {
  return isGatewayError(error) ? error.code : 'internal_error';
}

/** Did the credit end? Then what was made so far was made on purpose, and is charged. */
function isCreditError(error: unknown): boolean {
  return isGatewayError(error) && ['insufficient_credits', 'credits_held_by_running_jobs', 'key_limit_exceeded'].includes(error.code);
}
