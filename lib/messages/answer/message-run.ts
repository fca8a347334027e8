import { priceRefusals } from '../../accounts/access';
import type { KeyRevocationWatch } from '../../accounts/key-revocation-watch';
import type { TokenCounts } from '../../billing/message-cost';
import type { CurrentCatalog } from '../../catalog/catalog';
import { ContentRecorder, keepable } from '../../contents/content-recorder';
import type { ContentWriter } from '../../contents/content-writer';
import type { MessageAttempt } from '../../db/schema/index';
import type { Caller } from '../../domain/caller';
import type { Cancel, Clock } from '../../domain/clock';
import { codeOf, errorForLog, GatewayError, isGatewayError } from '../../domain/errors';
import { newMessageId } from '../../domain/ids';
import { shownIgnoredParams } from '../../domain/json';
import type { Log } from '../../domain/log';
import type { MessagesBinding, MessagesBody, MessagesRequest } from '../../domain/messages';
import type { MessagesModel } from '../../domain/model';
import type { ProviderHealth } from '../../routing/provider-health';
import type { Route, Routes } from '../../routing/route';
import type { ProviderDirectory, ServedBy } from '../../routing/provider-directory';
import type { Router } from '../../routing/router';
import { readScenario } from '../../routing/test-mode';
import { recordBreak, repeatAfterPause, type RepeatRule } from '../../routing/try-routes';
import type { TokenEstimator } from '../tokens/estimate-tokens';
import type { MessagesInput } from '../messages';
import { checkBlockTypes } from '../request/messages-request';
import { readMessage, applyModelLimits, type LimitedBody } from '../request/read-message';
import { errorEventText } from './present-answer';
import { messagesErrorText } from './present-error';
import type { CreditReservations } from '../credit/credit-reservations';
import { firstHold, openRollingHold, settleMessage, type RollingHold, type Answering } from '../credit/rolling-hold';

// One message from request body to charge, for all kinds of answer: the request, the possible routes, the credit hold
// and the result.

/**
 * Below the two hours after which `housekeeping.ts` treats the hold of a message as abandoned by a killed process. Also
 * counts while the client is not reading, because nothing else would end such an answer.
 */
const MAX_DURATION_MS = 90 * 60_000;

export interface AnswerDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly catalog: CurrentCatalog;
  readonly router: Router<'messages'>;
  readonly providers: Pick<ProviderDirectory, 'servedBy'>;
  readonly health: ProviderHealth;
  readonly estimator: TokenEstimator;
  readonly reservations: CreditReservations;
  readonly contents: ContentWriter;
  readonly keyRevocations: KeyRevocationWatch;
  readonly random: () => number;
}

/** What the attempts of one message have in common. */
export interface Attempts {
  readonly requestId: string;
  readonly clock: Clock;
  readonly health: ProviderHealth;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
  /** Undefined for a client that retries by itself: attempts would multiply. */
  readonly repeat: RepeatRule | undefined;
  /** Every provider call is recorded here, also those of a request that fails. */
  readonly made: MessageAttempt[];
}

export interface MessageRun {
  readonly caller: Caller;
  readonly input: MessagesInput;
  readonly model: MessagesModel;
  readonly body: MessagesBody;
  /** In order of preference. */
  readonly routes: Routes<'messages'>;
  readonly estimatedInputTokens: number;
  readonly hold: RollingHold;
  /** Absent, unless the organisation keeps conversations. */
  readonly content: ContentRecorder | undefined;
  /** Every provider call, also the failed ones. */
  readonly made: MessageAttempt[];
  /** Milliseconds since the request arrived. */
  elapsedMs(): number;
  requestFor(route: Route<'messages'>): MessagesRequest;
  attempts(): Attempts;
  /** The body fields that this route does not get, named as in `X-Ignored-Params`. */
  ignoredParams(route: Route<'messages'>): readonly string[];
  /**
   * Calls `onEnd` with the client error when the answer exceeds MAX_DURATION_MS. Returns a function that cancels the
   * limit.
   */
  limitDuration(onEnd: (error: GatewayError) => void): Cancel;
  /** Records the time of the first token. */
  recordFirstToken(): void;
  /**
   * Charges and records the message. Call it exactly once, at the end. Without `answering` nothing was delivered and
   * nothing is charged. `code` is the error code that ended the answer early. Never throws: a message that cannot be
   * charged is logged and its credit is released, because the end of the answer must reach the client.
   */
  settle(answering: Answering | undefined, code: string | undefined): void;
  /**
   * Like `settle`, for an answer that was never delivered. Free of charge, unless the credit ran out or the client
   * disconnected while the provider was generating. Returns the error for the client.
   */
  settleUnanswered(answering: Answering | undefined, error: unknown): unknown;
  /** Returns the error event of an answer that breaks off. Logs the error and records it in the provider's health. */
  lastEvent(error: unknown, route: Route<'messages'>): string;
}

/** Validates the body, chooses the routes and reserves credit. Rejects as `Messages.answer` does. */
export async function beginMessage(deps: AnswerDeps, caller: Caller, input: MessagesInput): Promise<MessageRun> {
  const startedAt = performance.now();
  const createdAt = deps.clock.now();
  const by = deps.providers.servedBy(caller);
  const { model, body, routes, estimatedInputTokens } = choose(
    deps,
    caller,
    by instanceof Promise ? await by : by,
    input,
  );
  const fitted = applyModelLimits(body, model, routes[0].binding, input.version);
  if (deps.router.isTestProvider(routes[0].providerId)) checkLength(estimatedInputTokens, model);
  const opened = openRollingHold(deps.reservations, caller, { routes, body, estimatedInputTokens });
  const hold = opened instanceof Promise ? await opened : opened;
  return new Run(deps, {
    caller,
    input,
    model,
    body,
    routes,
    estimatedInputTokens,
    hold,
    fitted,
    startedAt,
    createdAt,
  });
}

interface Begun extends Pick<
  MessageRun,
  'caller' | 'input' | 'model' | 'body' | 'routes' | 'estimatedInputTokens' | 'hold'
> {
  /** The body with the limits of the first route applied. */
  readonly fitted: LimitedBody;
  readonly startedAt: number;
  readonly createdAt: Date;
}

/** A class, because one is created per request: creating a dozen closures costs more than the credit hold. */
class Run implements MessageRun {
  readonly caller: Caller;
  readonly input: MessagesInput;
  readonly model: MessagesModel;
  readonly body: MessagesBody;
  readonly routes: MessageRun['routes'];
  readonly estimatedInputTokens: number;
  readonly hold: RollingHold;
  readonly content: ContentRecorder | undefined;
  readonly made: MessageAttempt[] = [];
  readonly #deps: AnswerDeps;
  readonly #fitted: LimitedBody;
  readonly #startedAt: number;
  readonly #createdAt: Date;
  readonly #messageId = newMessageId();
  #firstTokenMs: number | undefined;

  constructor(deps: AnswerDeps, begun: Begun) {
    this.caller = begun.caller;
    this.input = begun.input;
    this.model = begun.model;
    this.body = begun.body;
    this.routes = begun.routes;
    this.estimatedInputTokens = begun.estimatedInputTokens;
    this.hold = begun.hold;
    this.content = begun.caller.keepMessagesDays === undefined ? undefined : new ContentRecorder();
    this.#deps = deps;
    this.#fitted = begun.fitted;
    this.#startedAt = begun.startedAt;
    this.#createdAt = begun.createdAt;
  }

  elapsedMs(): number {
    return performance.now() - this.#startedAt;
  }

  requestFor(route: Route<'messages'>): MessagesRequest {
    const { input, body, model } = this;
    const { router } = this.#deps;
    const scenario = router.isTestProvider(route.providerId)
      ? readScenario(input.scenario, lastUserText(body), 'messages')
      : undefined;
    const fitted =
      route === this.routes[0] ? this.#fitted : applyModelLimits(body, model, route.binding, input.version);
    const request: MessagesRequest = {
      body: fitted.body,
      changed: fitted.changed,
      source: input.source,
      version: input.version,
      betas: input.betas,
      messageId: this.#messageId,
      estimatedInputTokens: this.estimatedInputTokens,
    };
    return scenario === undefined ? request : { ...request, scenario };
  }

  ignoredParams({ provider, binding }: Route<'messages'>): readonly string[] {
    const own = provider.ignoredParams?.(this.body, binding);
    return own === undefined ? this.#fitted.ignoredParams : shownIgnoredParams([...this.#fitted.ignoredParams, ...own]);
  }

  attempts(): Attempts {
    const { clock, health, random } = this.#deps;
    const { requestId, signal, automaticRetry } = this.input;
    return {
      requestId,
      clock,
      health,
      signal,
      repeat: automaticRetry ? undefined : repeatAfterPause(random),
      made: this.made,
    };
  }

  limitDuration(onEnd: (error: GatewayError) => void): Cancel {
    return this.#deps.clock.after(MAX_DURATION_MS, () =>
      onEnd(
        new GatewayError(
          'upstream_timeout',
          `The answer was ended after ${MAX_DURATION_MS / 60_000} minutes, the time limit of an answer. Ask for a shorter answer with max_tokens.`,
        ),
      ),
    );
  }

  recordFirstToken(): void {
    this.#firstTokenMs ??= Math.round(this.elapsedMs());
  }

  settle(answering: Answering | undefined, code: string | undefined): void {
    const { log } = this.#deps;
    const tokens = this.#charge(answering, code);
    try {
      this.#recordEnd(answering, code, tokens);
    } catch (error) {
      log.error('the end of a message could not be recorded', this.#fieldsOf(error));
    }
  }

  #charge(answering: Answering | undefined, code: string | undefined): TokenCounts {
    const ended = {
      id: this.#messageId,
      requestId: this.input.requestId,
      model: this.model.id,
      answering,
      attempts: this.made,
      streamed: this.body.stream === true,
      code,
      firstTokenMs: this.#firstTokenMs,
      totalMs: Math.round(this.elapsedMs()),
      createdAt: this.#createdAt,
    };
    try {
      return settleMessage(this.hold, ended);
    } catch (error) {
      this.#deps.log.error('a message could not be charged; its credit is released', this.#fieldsOf(error));
      return settleMessage(this.hold, { ...ended, answering: undefined, code: code ?? 'internal_error' });
    }
  }

  #fieldsOf(error: unknown) {
    return { requestId: this.input.requestId, model: this.model.id, error: errorForLog(error) };
  }

  #recordEnd(answering: Answering | undefined, code: string | undefined, tokens: TokenCounts): void {
    const { estimator, router, health } = this.#deps;
    if (this.content) this.#keep(answering ? this.content.text() : null);
    const isComplete = answering?.meter.isComplete === true;
    health.telemetry.metrics.messageEnded({
      model: this.model.id,
      provider: answering?.route.providerId,
      code: isComplete ? undefined : (code ?? 'internal_error'),
      ms: this.elapsedMs(),
      firstTokenMs: this.#firstTokenMs,
      tokens,
    });
    if (isComplete && !answering.meter.isEstimated && !router.isTestProvider(answering.route.providerId)) {
      const { input: fresh, cacheRead, cacheWrite5m, cacheWrite1h } = tokens;
      estimator.learn(this.body, this.model, fresh + cacheRead + cacheWrite5m + cacheWrite1h);
    }
  }

  #keep(answer: string | null): void {
    const { orgId, keepMessagesDays: days } = this.caller;
    if (days === undefined) return;
    this.#deps.contents.keep({ id: this.#messageId, orgId, days, request: keepable(this.input.source), answer });
  }

  settleUnanswered(answering: Answering | undefined, error: unknown): unknown {
    const left = this.input.signal.aborted;
    // In the pause after a failed call no provider is generating.
    const wasGenerating = this.made.at(-1)?.code === 'caller_left';
    const isUsed = wasGenerating && (answering?.meter.hasSaid === true || answering?.isBuffered === true);
    // Charged although nothing was delivered: with a free answer, a key could use up far more than its limit, one
    // answer after another.
    const isOutOfCredit = isCreditError(error);
    this.settle(isOutOfCredit || (left && isUsed) ? answering : undefined, left ? 'caller_left' : codeOf(error));
    return isOutOfCredit && this.body.stream !== true ? stoppedForCredit(error) : error;
  }

  lastEvent(error: unknown, route: Route<'messages'>): string {
    const { log, health } = this.#deps;
    const { requestId } = this.input;
    const known = isGatewayError(error)
      ? error
      : new GatewayError(
          'internal_error',
          'An internal error occurred. Try again; if it happens again, report the request id.',
        );
    const fields = { requestId, provider: route.providerId, code: known.code };
    if (!isGatewayError(error)) log.error('an answer broke off', { ...fields, error: errorForLog(error) });
    else if (error.extra.upstream) {
      recordBreak(health, route, error);
      log.warn('an answer broke off', {
        ...fields,
        ...(error.extra.detail !== undefined && { error: error.extra.detail }),
      });
    }
    return errorEventText(messagesErrorText(known, requestId));
  }
}

function choose(
  { catalog, router, estimator }: AnswerDeps,
  caller: Caller,
  by: ServedBy,
  input: MessagesInput,
): Pick<MessageRun, 'model' | 'body' | 'routes' | 'estimatedInputTokens'> {
  const { model, bindings, body } = readMessage(catalog(), caller, input, 'answer');
  const estimatedInputTokens = estimator.quick(body, model);
  const refusesPrice = priceRefusals(caller.policy, 'request', (binding: MessagesBinding) =>
    firstHold([{ binding }], body, estimatedInputTokens),
  );
  const routes = router.routes(model, bindings, by, body, refusesPrice);
  if (!routes.some(({ provider }) => provider.native)) checkBlockTypes(body);
  // An unknown scenario is rejected before any credit is held.
  if (router.isTestProvider(routes[0].providerId)) readScenario(input.scenario, '', 'messages');
  return { model, body, routes, estimatedInputTokens };
}

/**
 * The test provider accepts any length, so the limit is checked here. The text is the vendor's: client tools parse it
 * to shorten a conversation.
 */
function checkLength(inputTokens: number, { messages: { contextTokens } }: MessagesModel): void {
  if (inputTokens <= contextTokens) return;
  throw new GatewayError('upstream_rejected', `prompt is too long: ${inputTokens} tokens > ${contextTokens} maximum`, {
    param: 'messages',
  });
}

function lastUserText({ messages }: MessagesBody): string {
  const last = messages.findLast(({ role }) => role === 'user')?.content ?? '';
  if (typeof last === 'string') return last;
  const text = last.findLast((block) => block.type === 'text');
  return text?.type === 'text' ? text.text : '';
}

/** True if credit ran out. The output so far was then generated as requested, and is charged. */
function isCreditError(error: unknown): error is GatewayError {
  return (
    isGatewayError(error) &&
    [
      'insufficient_credits',
      'credits_held_by_running_jobs',
      'key_limit_exceeded',
      'project_limit_exceeded',
      'price_not_allowed',
    ].includes(error.code)
  );
}

/** Not to be retried automatically: each retry would be charged too. */
function stoppedForCredit({
  code,
  message,
  extra: { retryAfterSeconds: _none, ...extra },
}: GatewayError): GatewayError {
  return new GatewayError(
    code,
    `${message} The answer was stopped, and what was written until then is charged. With stream: true you receive it.`,
    { ...extra, retry: false },
  );
}
