import { priceRefusals } from '../accounts/access';
import type { Catalog } from '../catalog/catalog';
import { costOfCharacters } from '../billing/quote-audio';
import type { Caller, KeyPolicy } from '../domain/caller';
import { newId } from '../domain/ids';
import type { TtsBinding } from '../domain/speech';
import type { ServedBy } from '../routing/provider-directory';
import type { Route, Routes } from '../routing/route';
import type { Router } from '../routing/router';
import { readScenario } from '../routing/test-mode';
import { createMessageBudget } from './message-budget';
import { parseMessage, type Message } from './message-fields';
import { settledSoon, type Session, type SessionDeps, type SessionStart } from './session';
import { closeCodes, logFailure, refusalOf } from './session-errors';
import { watchSession } from './session-limits';
import { createGeneration, type Generation } from './speech-generation';
import { createSpeechTurns } from './speech-turns';
import { createSpeechUpstream } from './speech-upstream';
import { noBinary, parseTts, unknownType, type Order } from './speech-wire';

// One speech socket: texts in, audio out, one generation at a time.
//
//   open ──drain, or the maximum duration──▶ winding down ──the current generation ends, or WIND_DOWN_MS──▶ over
//    │                                                                                                       ▲
//    └──drain, and nothing is current · an error that ends the session · disconnect──────────────────────────┘
//
// While it is open, `speech-turns.ts` decides which text is spoken.

/** When the session has to end, the running generation may finish within this time. */
const WIND_DOWN_MS = 20_000;

/** The last message of the session and its close. */
interface Goodbye {
  readonly text?: string;
  readonly closeCode: number;
  readonly reason: string;
}

/** Runs a text-to-speech session on the channel until that closes, or `drain` or `refuse` ends it. */
export function startSpeech(deps: SessionDeps, { channel, caller, by, scenario, onError }: SessionStart): Session {
  const { clock, log } = deps;
  const router = deps.routers.tts;
  const id = newId('session');
  const startedAt = clock.nowMs();
  const budget = createMessageBudget(clock);
  let { policy } = caller;
  let isOver = false;
  /** If set, no new generation starts, and the session closes with this when the running one has ended. */
  let windingDown: Goodbye | undefined;
  let maxMs = Infinity;
  let stopWindDownTimer = () => {};
  let resolveEnded: () => void = () => {};
  const ended = new Promise<void>((resolve) => {
    resolveEnded = resolve;
  });

  const scenarioFor = ({ providerId }: Route<'tts'>, { request }: Order) =>
    router.isTestProvider(providerId) ? readScenario(scenario, request.input, 'tts') : undefined;
  const upstream = createSpeechUpstream(deps, { sessionId: id, scenarioFor });
  const turns = createSpeechTurns(clock, {
    failed: refuse,
    ended() {
      if (windingDown && !turns.current()) close(windingDown);
    },
  });
  const limits = watchSession({
    channel,
    clock,
    events: {
      // A client that listens to a long text sends nothing but is not idle.
      idle: () => close({ closeCode: closeCodes.normal, reason: 'idle_timeout' }),
      longest: () => windDown({ closeCode: closeCodes.normal, reason: 'max_duration' }),
      dead: () => {
        channel.cut();
        onClosed();
      },
      slow: () => close({ closeCode: closeCodes.slow, reason: 'slow_reader' }),
    },
  });

  function send(text: string): void {
    channel.send(text);
    limits.touch();
    limits.sent();
  }

  function onMessage(data: string | Uint8Array): void {
    if (isOver) return;
    limits.touch();
    try {
      budget.countMessage();
      if (typeof data !== 'string') throw noBinary();
      const message = parseMessage(data);
      if (message.type === 'tts') {
        if (!windingDown) take(message);
      } else if (message.type === 'cancel') cancel();
      else refuse(unknownType(message.type));
    } catch (error) {
      fail(error);
    }
  }

  function take(message: Message): void {
    let next: Generation;
    try {
      const order = parseTts(message, deps.catalog(), policy);
      const routes = routesOf(router, order, by, policy);
      // An unknown scenario is rejected before any credit is held.
      scenarioFor(routes[0], order);
      next = createGeneration(deps, { sessionId: id, caller, upstream, channel, send }, { order, routes });
    } catch (error) {
      // The message cancels the running text even if it is refused, because the client has gone on to another text.
      turns.cancel();
      return refuse(error);
    }
    const capMs = next.order.model.tts.maxSessionSeconds * 1_000;
    if (capMs < maxMs) {
      maxMs = capMs;
      limits.endAfter(startedAt + capMs - clock.nowMs());
    }
    turns.start(next);
  }

  function cancel(): void {
    turns.cancel();
    if (windingDown) close(windingDown);
  }

  /**
   * A rejected text leaves the socket open. The session ends if the caller has no access or no credit, makes too many
   * mistakes, or if the upstream fails.
   */
  function refuse(error: unknown): void {
    if (isOver) return;
    const refusal = refusalOf(error);
    if (refusal.code !== 400) return fail(error);
    try {
      budget.countMistake();
    } catch (tooMany) {
      return fail(tooMany);
    }
    logFailure(log, error, { requestId: id });
    onError?.(refusal.error);
    send(refusal.text);
  }

  function fail(error: unknown): void {
    if (isOver) return;
    logFailure(log, error, { requestId: id });
    closeWith(error);
  }

  function closeWith(thrown: unknown): void {
    const { error, text, closeCode, closeReason } = refusalOf(thrown);
    onError?.(error);
    close({ text, closeCode, reason: closeReason });
  }

  /** The only exit that sends a message to the client. */
  function close({ text, closeCode, reason }: Goodbye): void {
    if (isOver) return;
    void end().then(() => {
      if (text !== undefined) channel.send(text);
      channel.close(closeCode, reason);
    });
  }

  function onClosed(): void {
    if (!isOver) void end();
  }

  async function end(): Promise<void> {
    isOver = true;
    turns.cancel();
    limits.stop();
    stopWindDownTimer();
    upstream.close();
    await settledSoon(clock, turns.settled().then(resolveEnded));
  }

  function windDown(goodbye: Goodbye): void {
    if (isOver || windingDown) return;
    if (!turns.current()) return close(goodbye);
    windingDown = goodbye;
    stopWindDownTimer = clock.after(WIND_DOWN_MS, () => close(goodbye));
  }

  // A new connection or thread takes a quarter of a second, which would delay the first text.
  const likely = likelyRoute(deps.catalog(), router, by, caller);
  if (likely) upstream.connect(likely);
  channel.listen({ message: onMessage, pong: () => limits.pong(), closed: onClosed });
  return {
    id,
    using() {
      const current = turns.current();
      if (!current) return undefined;
      const { binding } = current.route();
      return {
        modelId: current.order.model.id,
        providerId: binding.providerId,
        price: {
          per: 'request',
          amount: costOfCharacters(binding.price.perCharacter, current.order.characters),
        },
      };
    },
    setPolicy(next) {
      policy = next;
    },
    drain: () => windDown({ closeCode: closeCodes.goingAway, reason: 'shutting_down' }),
    refuse: closeWith,
    ended,
  };
}

/** Returns the routes that may speak the text, in order of preference. Throws as `Router.routes` does. */
function routesOf(
  router: Router<'tts'>,
  { model, bindings, characters }: Order,
  by: ServedBy,
  policy: KeyPolicy,
): Routes<'tts'> {
  const priceOf = ({ price }: TtsBinding) => costOfCharacters(price.perCharacter, characters);
  return router.routes(model, bindings, by, undefined, priceRefusals(policy, 'request', priceOf));
}

/** Returns the route that the first text will most likely take; undefined if only the test provider could serve it. */
function likelyRoute(
  catalog: Catalog,
  router: Router<'tts'>,
  by: ServedBy,
  { mode }: Caller,
): Route<'tts'> | undefined {
  for (const model of catalog.list()) {
    if (model.capability !== 'tts') continue;
    const { fit } = router.match(model, model.bindings, by);
    const route = fit.find(({ providerId }) => mode === 'test' || !router.isTestProvider(providerId));
    if (route) return route;
  }
  return undefined;
}
