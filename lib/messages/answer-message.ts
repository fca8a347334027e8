import { allowedBindings, checkModelAccess } from '../accounts/access';
import type { Catalog } from '../catalog/catalog';
import { resolveModelOf } from '../catalog/resolve';
import type { MessageAttempt } from '../db/schema/index';
import type { Caller } from '../domain/caller';
import type { Clock } from '../domain/clock';
import { errorForLog, GatewayError, isGatewayError, upstreamFailed } from '../domain/errors';
import type { Log } from '../domain/log';
import type { MessageEvent, MessagesBody, MessagesRequest } from '../domain/messages';
import type { MessagesModel } from '../domain/model';
import type { CircuitBreaker } from '../routing/circuit-breaker';
import type { MessagesRoute, MessagesRouter } from '../routing/messages-router';
import { readScenario } from '../videos/scenario';
import { attempt } from './attempt';
import { createCollector } from './collect';
import type { TokenEstimator } from './estimate-tokens';
import { createEventStream, errorEventText } from './event-stream';
import { fitBody } from './fit-body';
import { newMessageId } from './message-id';
import type { Answer, MessagesInput } from './messages';
import { parseMessagesBody, parseModelName } from './messages-request';
import { messagesErrorText } from './present-error';
import type { Purses } from './purses';
import { openRollingHold } from './rolling-hold';
import { settleMessage } from './settle-message';
import { createUsageMeter, type UsageMeter } from './usage-meter';

// From a body to an answer. Everything is read upstream as a stream, also for callers who want it whole: only so can it be
// stopped when they leave or when the credit ends. Until something has been said, any provider may still be asked; after
// that the answer either ends well or ends with an error that says so.

/** So long an answer may say nothing before its caller is told that it has begun. */
const COMMIT_AFTER_MS = 12_000;

type Batch = readonly [MessageEvent, ...MessageEvent[]];

export interface AnswerDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly catalog: Catalog;
  readonly router: MessagesRouter;
  readonly breaker: CircuitBreaker;
  readonly estimator: TokenEstimator;
  readonly purses: Purses;
  readonly random: () => number;
}

/** One provider's answer while it is read. */
interface Reading {
  readonly route: MessagesRoute;
  readonly meter: UsageMeter;
  /** Undefined at the end. Rejects with the provider's error, or with the ledger's when the credit ends. */
  next(): Promise<Batch | undefined>;
  stop(): void;
}

export function createAnswerMessage(deps: AnswerDeps) {
  const { clock, log, catalog, router, breaker, estimator, purses, random } = deps;

  return async function answerMessage(caller: Caller, input: MessagesInput): Promise<Answer> {
    const startedAt = performance.now();
    const createdAt = clock.now();
    const { model, body, routes } = choose(caller, input);
    const estimatedInputTokens = estimator.quick(body, model);
    const messageId = newMessageId();
    const { ignoredParams } = fitBody(body, model, routes[0].binding, input.version);
    const [first, ...others] = routes;
    const hold = await openRollingHold(purses, caller, { bindings: [first.binding, ...others.map(({ binding }) => binding)], body, estimatedInputTokens });
    const controller = new AbortController();
    const hangUp = () => controller.abort(new Error('the caller left'));
    if (input.signal.aborted) hangUp();
    input.signal.addEventListener('abort', hangUp, { once: true });

    const made: MessageAttempt[] = [];
    let firstTokenMs: number | undefined;

    function settle(reading: Reading | undefined, code: string | undefined): void {
      input.signal.removeEventListener('abort', hangUp);
      if (reading?.meter.isComplete) {
        const { input: fresh, cacheRead, cacheWrite5m, cacheWrite1h } = reading.meter.counts();
        if (!reading.meter.isEstimated && !router.isStandIn(reading.route.providerId)) estimator.learn(body, model, fresh + cacheRead + cacheWrite5m + cacheWrite1h);
      }
      settleMessage(hold, {
        id: messageId,
        caller,
        requestId: input.requestId,
        model: model.id,
        ...(reading && { route: reading.route, meter: reading.meter }),
        attempts: made,
        streamed: body.stream === true,
        ...(code !== undefined && { code }),
        ...(firstTokenMs !== undefined && { firstTokenMs }),
        totalMs: Math.round(performance.now() - startedAt),
        createdAt,
      });
    }

    function read(route: MessagesRoute): Reading {
      const meter = createUsageMeter(estimatedInputTokens);
      const request = requestFor(route);
      const events = route.provider.stream(request, route.binding, { signal: controller.signal, log })[Symbol.asyncIterator]();
      return {
        route,
        meter,
        async next() {
          const result = await events.next();
          if (result.done) {
            if (!meter.isComplete) throw upstreamFailed({ retry: 'later', started: 'maybe' }, 'The answer ended before its last event.');
            return undefined;
          }
          for (const event of result.value) meter.observe(event);
          if (meter.hasSaid) firstTokenMs ??= Math.round(performance.now() - startedAt);
          if (!hold.covers(meter.outputTokens())) await hold.cover(meter.outputTokens());
          return presented(result.value, model);
        },
        // The upstream is let go; what it says to that is of no interest.
        stop: () => void events.return?.().then(undefined, () => {}),
      };
    }

    function requestFor(route: MessagesRoute): MessagesRequest {
      const scenario = router.isStandIn(route.providerId) ? readScenario(input.scenario, lastUserText(body)) : undefined;
      return {
        body: fitBody(body, model, route.binding, input.version).body,
        source: input.source,
        version: input.version,
        betas: input.betas,
        messageId,
        estimatedInputTokens,
        ...(scenario !== undefined && { scenario }),
      };
    }

    const attempts = { clock, breaker, random, signal: controller.signal, mayRepeat: !input.automaticRetry, made };
    let reading: Reading | undefined;
    const answered = () => ({ provider: reading?.route.providerId ?? routes[0].providerId, attempts: Math.max(1, made.length), ignoredParams });

    if (body.stream !== true) {
      try {
        const message = await attempt(routes, attempts, async (route) => {
          reading = read(route);
          return collect(reading);
        });
        settle(reading, undefined);
        return { kind: 'message', message, ...answered() };
      } catch (error) {
        // Output that nobody received costs nothing, unless it was the credit that ended, for then it was made on purpose.
        settle(isCreditError(error) ? reading : undefined, codeOf(error));
        throw error;
      }
    }

    let opened: { readonly first: Batch | undefined; readonly waiting: Promise<Batch | undefined> | undefined };
    try {
      opened = await attempt(routes, attempts, async (route) => {
        reading = read(route);
        return begin(reading, COMMIT_AFTER_MS - (performance.now() - startedAt));
      });
    } catch (error) {
      settle(isCreditError(error) ? reading : undefined, codeOf(error));
      throw error;
    }
    // Safe: an attempt that succeeded has set it.
    const current = reading!;
    let { first: begun, waiting } = opened;
    let code: string | undefined;

    const events = createEventStream({
      clock,
      async next() {
        if (begun) {
          const batch = begun;
          begun = undefined;
          return batch;
        }
        const next = waiting ?? current.next();
        waiting = undefined;
        return next;
      },
      onError(error) {
        code = controller.signal.aborted ? 'caller_left' : codeOf(error);
        if (controller.signal.aborted) return undefined;
        return lastEvent(error, current, input.requestId);
      },
      onEnd(how) {
        if (how === 'closed') {
          code ??= 'caller_left';
          hangUp();
        }
        current.stop();
        settle(current, current.meter.isComplete ? undefined : code);
      },
    });
    return { kind: 'stream', events, ...answered() };
  };

  function choose(caller: Caller, input: MessagesInput): { model: MessagesModel; body: MessagesBody; routes: readonly [MessagesRoute, ...MessagesRoute[]] } {
    const { model, bindings: resolved } = resolveModelOf(catalog, parseModelName(input.values), 'messages');
    checkModelAccess(caller.policy, model.id);
    const bindings = allowedBindings(caller.policy, resolved);
    const body = parseMessagesBody(input.values, { for: 'answer' });
    return { model, body, routes: router.routes(model, bindings, caller.mode, body) };
  }

  function lastEvent(error: unknown, reading: Reading, requestId: string): string {
    const known = isGatewayError(error) ? error : new GatewayError('internal_error', 'Something went wrong on our side. Try again; if it happens again, report the request id.');
    const fields = { requestId, provider: reading.route.providerId, code: known.code };
    if (!isGatewayError(error)) log.error('an answer broke off', { ...fields, error: errorForLog(error) });
    else if (error.extra.upstream) {
      if (error.extra.upstream.retry !== 'never') breaker.failed(reading.route.circuit);
      log.warn('an answer broke off', { ...fields, ...(error.extra.detail !== undefined && { error: error.extra.detail }) });
    }
    return errorEventText(messagesErrorText(known, requestId));
  }

  /** Reads until something has been said, or for so long. The batches so far go out as one. */
  async function begin(reading: Reading, withinMs: number): Promise<{ first: Batch | undefined; waiting: Promise<Batch | undefined> | undefined }> {
    let first: Batch | undefined;
    let cancel = () => {};
    const late = new Promise<'late'>((resolve) => {
      cancel = clock.after(Math.max(0, withinMs), () => resolve('late'));
    });
    try {
      for (;;) {
        const waiting = reading.next();
        const batch = await Promise.race([waiting, late]);
        if (batch === 'late') {
          // It is awaited again when the stream is read; until then its failure is nobody's.
          waiting.catch(() => {});
          return { first, waiting };
        }
        if (!batch) return { first, waiting: Promise.resolve(undefined) };
        first = first ? [...first, ...batch] : batch;
        if (reading.meter.hasSaid) return { first, waiting: undefined };
      }
    } catch (error) {
      reading.stop();
      throw error;
    } finally {
      cancel();
    }
  }
}

async function collect(reading: Reading) {
  const collector = createCollector();
  try {
    for (let batch = await reading.next(); batch; batch = await reading.next()) for (const event of batch) collector.add(event);
  } catch (error) {
    reading.stop();
    throw error;
  }
  return collector.message();
}

/** The catalog's name in the place of the provider's own, and nothing that providers tell us alone. */
function presented(batch: Batch, model: MessagesModel): Batch {
  const changes = batch.some((event) => (event.type === 'message_start' && event.message.model !== model.id) || (event.type === 'message_delta' && event.usage.estimated));
  if (!changes) return batch;
  // Safe: as many events as before.
  return batch.map((event): MessageEvent => {
    if (event.type === 'message_start') return { ...event, message: { ...event.message, model: model.id } };
    if (event.type !== 'message_delta') return event;
    const { estimated: _ours, ...usage } = event.usage;
    return { ...event, usage };
  }) as unknown as Batch;
}

function lastUserText({ messages }: MessagesBody): string {
  const last = messages.findLast(({ role }) => role === 'user')?.content ?? '';
  if (typeof last === 'string') return last;
  const text = last.findLast((block) => block.type === 'text');
  return text?.type === 'text' ? text.text : '';
}

function codeOf(error: unknown): string {
  return isGatewayError(error) ? error.code : 'internal_error';
}

function isCreditError(error: unknown): boolean {
  return isGatewayError(error) && ['insufficient_credits', 'credits_held_by_running_jobs', 'key_limit_exceeded'].includes(error.code);
}
