import { priceRefusals } from '../accounts/access';
import { costOfCharacters } from '../billing/quote-audio';
import { keepable } from '../contents/content-recorder';
import { codeOf } from '../domain/errors';
import { newId, type MeterId } from '../domain/ids';
import { hasWords, type TtsBinding, type TtsConnection } from '../domain/speech';
import type { MeterOutcome } from '../db/schema/index';
import type { Route, Routes } from '../routing/route';
import { readScenario } from '../routing/scenario';
import { recordBreak, reconnectIfAlone, tryRoutes } from '../routing/try-routes';
import { createMessageBudget } from './message-budget';
import { parseMessage, type Message } from './message-fields';
import type { SpeechMeter } from './meters';
import { settledSoon, type Session, type SessionDeps, type SessionStart } from './session';
import { closeCodes, logFailure, refusalOf } from './session-errors';
import { watchSession } from './session-limits';
import { beginSpokenAudio, SILENT_MS, type SpokenAudio } from './spoken-audio';
import { noBinary, parseTts, presentAudio, presentSpoken, unknownType, type Order } from './speech-wire';

// One speech socket: texts in, audio out, one generation at a time. `current` is the only generation that may be heard;
// it changes before anything else happens, and audio of any other generation is dropped. This rule keeps a cancelled
// reply silent even if its upstream continues to send audio.

/** Without audio for this long, no other provider is tried. */
const MAX_BEGIN_MS = 2 * SILENT_MS;
/** When this many bytes are unsent, the upstream is paused until the client has caught up. */
const BEHIND_BYTES = 1_048_576;
const CAUGHT_UP_BYTES = 262_144;
const CATCH_UP_LOOK_INTERVAL_MS = 20;
/** When the session has to end, the running generation may finish within this time. */
const WIND_DOWN_MS = 20_000;

interface Generation {
  readonly routes: Routes<'tts'>;
  /** The route that is speaking or being called. */
  route: Route<'tts'>;
  readonly order: Order;
  readonly stop: AbortController;
  hasBegun: boolean;
}

/** A provider that speaks. */
interface Begun {
  readonly route: Route<'tts'>;
  readonly audio: SpokenAudio;
  readonly startedAt: number;
  /** From the first attempt to this one. */
  readonly startMs: number;
}

/** Runs a text-to-speech session on the channel until that closes, or `drain` or `refuse` ends it. */
export function startSpeech(deps: SessionDeps, { channel, caller, by, scenario, onError }: SessionStart): Session {
  const { clock, log, meters, health, contents } = deps;
  const router = deps.routers.tts;
  const id = newId('session');
  const ending = new AbortController();
  /** One for each account at a provider. */
  const connections = new Map<string, TtsConnection>();
  const startedAt = clock.nowMs();
  const budget = createMessageBudget(clock);
  let { policy } = caller;
  /** Promises of the running generations; each resolves when its charge is settled. Usually there is one. */
  const running = new Set<Promise<void>>();
  /** The end of the generation that started last. */
  let former: Promise<void> | undefined;
  /**
   * The only generation that may be heard. It waits for the previous one to end; a newer text replaces it, so at most
   * one waits.
   */
  let current: Generation | undefined;
  let isWaiting = false;
  let isOver = false;
  /** If set, no new generation starts, and the session closes with this when the running one has ended. */
  let windingDown: { readonly closeCode: number; readonly reason: string } | undefined;
  let maxMs = Infinity;
  let stopWindDownTimer = () => {};
  let resolveEnded: () => void = () => {};
  const ended = new Promise<void>((resolve) => {
    resolveEnded = resolve;
  });

  const limits = watchSession({
    channel,
    clock,
    events: {
      // A client that listens to a long text sends nothing, and is not idle.
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
      } else if (message.type === 'cancel') supersede(undefined);
      else refuse(unknownType(message.type));
    } catch (error) {
      fail(error);
    }
  }

  function take(message: Message): void {
    let next: Generation;
    try {
      const order = parseTts(message, deps.catalog(), policy);
      const priceOf = ({ price }: TtsBinding) => costOfCharacters(price.perCharacter, order.characters);
      const routes = router.routes(
        order.model,
        order.bindings,
        by,
        undefined,
        priceRefusals(policy, 'request', priceOf),
      );
      // An unknown scenario is rejected before any credit is held.
      scenarioOf(routes[0], order);
      next = { order, routes, route: routes[0], stop: new AbortController(), hasBegun: false };
    } catch (error) {
      // The message cancels the running text even if it is refused: the client has gone on to another text.
      supersede(undefined);
      return refuse(error);
    }
    supersede(next);
    const capMs = next.order.model.tts.maxSessionSeconds * 1_000;
    if (capMs < maxMs) {
      maxMs = capMs;
      limits.endAfter(startedAt + capMs - clock.nowMs());
    }
    void beginCurrent();
  }

  /** From here on, audio of the previous generation is dropped. */
  function supersede(next: Generation | undefined): void {
    current?.stop.abort();
    current = next;
    if (windingDown && !next) close(windingDown);
  }

  /** The previous generation releases its hold first: of a burst of texts only the last one opens a hold. */
  async function beginCurrent(): Promise<void> {
    if (isWaiting) return;
    if (former) {
      isWaiting = true;
      await settledSoon(clock, former);
      isWaiting = false;
    }
    if (current && !current.hasBegun) begin(current);
  }

  function begin(generation: Generation): void {
    generation.hasBegun = true;
    const ended = generate(generation)
      .catch((error: unknown) => {
        if (generation === current) refuse(error);
      })
      .finally(() => {
        running.delete(ended);
        if (former === ended) former = undefined;
        if (current === generation) current = undefined;
        if (windingDown && !current) close(windingDown);
      });
    running.add(ended);
    former = ended;
  }

  async function generate(generation: Generation): Promise<void> {
    const { model, characters } = generation.order;
    // The first route sets the price, whichever provider speaks.
    const [{ binding, providerId }] = generation.routes;
    const {
      id: contextId,
      isAmple,
      opened,
    } = meters.speech(
      { caller, sessionId: id, model: model.id, provider: providerId },
      binding.price.perCharacter,
      characters,
    );
    // No audio is delivered before the credit is held, but with ample credit the provider starts before that.
    let beginning = isAmple ? beginSpeaking(generation, contextId, opened) : undefined;
    // It may reject before it is awaited; a later await still gets the rejection.
    beginning?.catch(() => {});
    let begun: Begun | undefined;
    let outcome: MeterOutcome = 'cancelled';
    let code: string | undefined;
    try {
      const meter = await opened;
      if (generation !== current) return;
      beginning ??= beginSpeaking(generation, contextId, opened);
      begun = await beginning;
      if (generation !== current) return;
      meter.servedBy(begun.route.providerId);
      await deliver(generation, begun.audio, contextId, meter);
      if (generation !== current) return;
      outcome = 'done';
      await settle(meter);
      if (generation === current) send(presentSpoken(contextId));
    } catch (error) {
      generation.stop.abort();
      if (generation === current) {
        outcome = 'failed';
        code = codeOf(error);
        if (begun) recordBreak(health, begun.route, error);
      }
      throw error;
    } finally {
      beginning?.then(
        ({ audio }) => audio.giveUp(),
        () => {},
      );
      // Without a hold there is nothing to settle, and nothing to be read.
      await opened.then(
        (meter) => {
          keep(contextId, generation.order);
          return settle(meter);
        },
        () => {},
      );
    }

    function settle(meter: SpeechMeter): Promise<void> {
      if (begun) {
        const { route, startedAt, startMs } = begun;
        begun = undefined;
        meter.attempted({
          provider: route.providerId,
          outcome: outcome === 'failed' ? 'lost' : 'served',
          ...(code !== undefined && { code }),
          ms: clock.nowMs() - startedAt,
          ...(startMs > 0 && { startMs }),
        });
      }
      return meter.settle(outcome, code);
    }
  }

  /** Stores the text, if the organisation keeps it. */
  function keep(contextId: MeterId, { request }: Order): void {
    const { orgId, keepSpeechDays: days } = caller;
    if (days === undefined) return;
    contents.keep({ id: contextId, orgId, days, request: keepable(Buffer.from(request.input)), answer: null });
  }

  /** Finds a provider that speaks the text. Rejects if none has begun, or if the text is superseded. */
  function beginSpeaking(generation: Generation, contextId: MeterId, opened: Promise<SpeechMeter>): Promise<Begun> {
    const { order, routes, stop } = generation;
    const firstAt = clock.nowMs();
    const deadline = firstAt + MAX_BEGIN_MS;
    let calls = 0;
    const begin = async (route: Route<'tts'>): Promise<Begun> => {
      generation.route = route;
      calls += 1;
      const request = {
        ...order.request,
        // New for every call: late audio of a failed one must not reach the next one on the same connection.
        contextId: calls === 1 ? contextId : `${contextId}_${calls}`,
        binding: route.binding,
        ...scenarioOf(route, order),
      };
      const startedAt = clock.nowMs();
      const audio = await beginSpokenAudio((signal) => connectionTo(route).speak(request, signal), {
        clock,
        signal: stop.signal,
        mayBeSilent: !hasWords(order.request.input),
      });
      return { route, audio, startedAt, startMs: startedAt - firstAt };
    };
    return tryRoutes(routes, begin, {
      capability: 'tts',
      workId: id,
      health,
      clock,
      isOver: () => clock.nowMs() >= deadline,
      // Nothing has been heard yet, and the client pays once, for what it hears.
      mayBeginTwice: true,
      repeat: reconnectIfAlone,
      signal: stop.signal,
      onAttempt({ providerId }, ms, failed) {
        if (!failed || failed.code === 'caller_left') return;
        const { code } = failed;
        log.info('a provider did not begin to speak', { provider: providerId, model: order.model.id, code });
        const startMs = clock.nowMs() - ms - firstAt;
        const refused = {
          provider: providerId,
          outcome: 'refused',
          code,
          ms,
          ...(startMs > 0 && { startMs }),
        } as const;
        opened.then(
          (meter) => meter.attempted(refused),
          () => {},
        );
      },
    });
  }

  async function deliver(
    generation: Generation,
    audio: SpokenAudio,
    contextId: MeterId,
    meter: SpeechMeter,
  ): Promise<void> {
    for await (const { base64 } of audio) {
      if (generation !== current || isOver) return;
      meter.delivered();
      send(presentAudio(base64, contextId));
      // The end of the session stops every generation.
      if (channel.unsentBytes() > BEHIND_BYTES) await caughtUp(generation.stop.signal);
      if (generation !== current || isOver) return;
    }
  }

  async function caughtUp(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && channel.unsentBytes() > CAUGHT_UP_BYTES)
      await clock.sleep(CATCH_UP_LOOK_INTERVAL_MS, signal);
  }

  function connectionTo({ providerId, provider, credentialId }: Route<'tts'>): TtsConnection {
    const account = `${providerId} ${credentialId ?? ''}`;
    const known = connections.get(account);
    if (known) return known;
    const connection = provider.open({ signal: ending.signal, log });
    connections.set(account, connection);
    return connection;
  }

  function scenarioOf({ providerId }: Route<'tts'>, { request }: Order): { readonly scenario?: string } {
    const word = router.isTestProvider(providerId) ? readScenario(scenario, request.input, 'tts') : undefined;
    return word === undefined ? {} : { scenario: word };
  }

  /** The route that the first text will most likely take; undefined if only the test provider could serve. */
  function likelyRoute(): Route<'tts'> | undefined {
    for (const model of deps.catalog().list()) {
      if (model.capability !== 'tts') continue;
      const { fit } = router.match(model, model.bindings, by);
      const route = fit.find(({ providerId }) => caller.mode === 'test' || !router.isTestProvider(providerId));
      if (route) return route;
    }
    return undefined;
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
  function close(goodbye: { readonly text?: string; readonly closeCode: number; readonly reason: string }): void {
    if (isOver) return;
    void end().then(() => {
      if (goodbye.text !== undefined) channel.send(goodbye.text);
      channel.close(goodbye.closeCode, goodbye.reason);
    });
  }

  function onClosed(): void {
    if (!isOver) void end();
  }

  async function end(): Promise<void> {
    isOver = true;
    supersede(undefined);
    limits.stop();
    stopWindDownTimer();
    ending.abort();
    for (const connection of connections.values()) connection.close();
    await settledSoon(clock, Promise.all(running).then(resolveEnded));
  }

  function windDown(goodbye: { readonly closeCode: number; readonly reason: string }): void {
    if (isOver || windingDown) return;
    if (!current) return close(goodbye);
    windingDown = goodbye;
    stopWindDownTimer = clock.after(WIND_DOWN_MS, () => close(goodbye));
  }

  // A new connection or thread takes a quarter of a second, which would delay the first text.
  const likely = likelyRoute();
  if (likely) connectionTo(likely);
  channel.listen({ message: onMessage, pong: () => limits.pong(), closed: onClosed });
  return {
    id,
    using: () =>
      current && {
        modelId: current.order.model.id,
        providerId: current.route.binding.providerId,
        price: {
          per: 'request',
          amount: costOfCharacters(current.route.binding.price.perCharacter, current.order.characters),
        },
      },
    setPolicy(next) {
      policy = next;
    },
    drain: () => windDown({ closeCode: closeCodes.goingAway, reason: 'shutting_down' }),
    refuse: closeWith,
    ended,
  };
}
