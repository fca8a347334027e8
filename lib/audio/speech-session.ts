import { errorForLog, isGatewayError, upstreamFailed, type GatewayError } from '../domain/errors';
import { newId, type MeterId, type ProviderId } from '../domain/ids';
import { watchSilence } from '../io/silence-timer';
import type { SpeechEvent, TtsConnection } from '../domain/speech';
import type { MeterOutcome } from '../db/schema/index';
import type { TtsRoute } from '../routing/speech-routes';
import { readScenario } from '../routing/scenario';
import { createMessageBudget } from './message-budget';
import { parseMessage, type Message } from './message-fields';
import type { SpeechMeter } from './meters';
import { settledSoon, type Session, type SessionDeps, type SessionStart } from './session';
import { closeCodes, refusalOf } from './session-errors';
import { watchSession } from './session-limits';
import { noBinary, parseTts, presentAudio, presentSpoken, unknownType, type Order } from './speech-wire';

// One speech socket: texts in, audio out, one generation at a time. `current` is the only generation that may be heard;
// it changes before anything else happens, and audio of any other generation is dropped. This rule keeps a cancelled
// reply silent even if its upstream continues to send audio.

/** Maximum silence of the upstream: from the request to the first audio, and between two pieces. */
const SILENT_MS = 5_000;
/** When this many bytes are unsent, the upstream is paused until the client has caught up. */
const BEHIND_BYTES = 1_048_576;
const CAUGHT_UP_BYTES = 262_144;
const CATCH_UP_LOOK_MS = 20;
/** When the session has to end, the running generation may finish within this time. */
const WIND_DOWN_MS = 20_000;

interface Generation {
  readonly route: TtsRoute;
  readonly order: Order;
  /** The test scenario, if one is named. */
  readonly word: { readonly scenario?: string };
  readonly stop: AbortController;
  hasBegun: boolean;
}

export function startSpeech(deps: SessionDeps, { channel, caller, scenario }: SessionStart): Session {
  const { clock, log, meters } = deps;
  const id = newId('session');
  const ending = new AbortController();
  const connections = new Map<ProviderId, TtsConnection>();
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
  let longestMs = Infinity;
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
      const order = parseTts(message, deps.catalog, policy);
      const route = deps.routes.speech(order.model, order.bindings, caller.mode);
      next = {
        order,
        route,
        word: scenarioOf(route, order.request.input),
        stop: new AbortController(),
        hasBegun: false,
      };
    } catch (error) {
      return refuse(error);
    }
    supersede(next);
    const capMs = next.order.model.tts.maxSessionSeconds * 1_000;
    if (capMs < longestMs) {
      longestMs = capMs;
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
    const { route, word } = generation;
    const { model, characters, request } = generation.order;
    const {
      id: contextId,
      isAmple,
      opened,
    } = meters.speech(
      { caller, sessionId: id, model: model.id, provider: route.providerId },
      route.binding.price.perCharacter,
      characters,
    );
    const begin = () =>
      beginSound(
        connectionTo(route).speak({ ...request, contextId, binding: route.binding, ...word }, generation.stop.signal),
      );
    // No audio is delivered before the credit is held, but with ample credit the provider starts before that.
    let early: BegunSound | undefined;
    let outcome: MeterOutcome = 'cancelled';
    try {
      if (isAmple) early = begin();
      const meter = await opened;
      if (generation !== current) return;
      await speak(generation, early ?? begin(), contextId, meter, characters);
      if (generation !== current) return;
      outcome = 'done';
      deps.health.succeeded(route.providerId);
      await meter.settle(outcome);
      if (generation === current) send(presentSpoken(contextId));
    } catch (error) {
      generation.stop.abort();
      if (generation === current) {
        outcome = 'failed';
        if (isGatewayError(error) && error.extra.upstream && error.extra.upstream.retry !== 'never')
          deps.health.failed(route.providerId);
      }
      throw error;
    } finally {
      early?.giveUp();
      // Without a hold there is nothing to settle.
      await opened.then(
        (meter) => meter.settle(outcome),
        () => {},
      );
    }
  }

  async function speak(
    generation: Generation,
    sound: BegunSound,
    contextId: MeterId,
    meter: SpeechMeter,
    characters: number,
  ): Promise<void> {
    // The end of the session stops every generation.
    const { signal } = generation.stop;
    let isSilent = false;
    let counted = false;
    const watch = watchSilence(clock, SILENT_MS, () => {
      isSilent = true;
      generation.stop.abort();
    });
    watch.wait();
    try {
      for await (const event of sound) {
        if (generation !== current || isOver) return;
        if (event.kind === 'usage') {
          counted = true;
          meter.count(event.characters);
          continue;
        }
        watch.rest();
        if (!counted) {
          counted = true;
          meter.count(characters);
        }
        meter.delivered();
        send(presentAudio(event.base64, contextId));
        if (channel.unsentBytes() > BEHIND_BYTES) await caughtUp(signal);
        if (generation !== current || isOver) return;
        watch.wait();
      }
      if (isSilent)
        throw upstreamFailed({ retry: 'later', started: 'maybe' }, 'the provider fell silent', 'upstream_timeout');
    } catch (error) {
      if (isSilent && !(isGatewayError(error) && error.code === 'upstream_timeout'))
        throw upstreamFailed({ retry: 'later', started: 'maybe' }, 'the provider fell silent', 'upstream_timeout');
      throw error;
    } finally {
      watch.end();
    }
  }

  async function caughtUp(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && channel.unsentBytes() > CAUGHT_UP_BYTES) await clock.sleep(CATCH_UP_LOOK_MS, signal);
  }

  function connectionTo(route: Pick<TtsRoute, 'providerId' | 'tts'>): TtsConnection {
    const known = connections.get(route.providerId);
    if (known) return known;
    const connection = route.tts.open({ signal: ending.signal, log });
    connections.set(route.providerId, connection);
    return connection;
  }

  function scenarioOf(route: TtsRoute, input: string): { readonly scenario?: string } {
    const word =
      caller.mode === 'test' || deps.routes.isTestProvider(route.providerId)
        ? readScenario(scenario, input)
        : undefined;
    return word === undefined ? {} : { scenario: word };
  }

  /**
   * A rejected text leaves the socket open. The session ends if the caller has no access or no credit, makes too many
   * mistakes, or if the upstream fails.
   */
  function refuse(error: unknown): void {
    if (isOver) return;
    const { text, code } = refusalOf(error);
    if (code !== 400) return fail(error);
    try {
      budget.countMistake();
    } catch (tooMany) {
      return fail(tooMany);
    }
    if (isGatewayError(error)) logDetail(error);
    send(text);
  }

  function fail(error: unknown): void {
    if (isOver) return;
    if (!isGatewayError(error)) log.error('a speech session failed', { requestId: id, error: errorForLog(error) });
    else logDetail(error);
    const { text, closeCode, closeReason } = refusalOf(error);
    close({ text, closeCode, reason: closeReason });
  }

  function logDetail({ code, extra: { detail } }: GatewayError): void {
    if (detail !== undefined) log.warn('an upstream failed a speech session', { requestId: id, code, error: detail });
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
  const likely = deps.routes.likelySpeaker(deps.catalog.list(), caller.mode);
  if (likely) connectionTo(likely);
  channel.listen({ message: onMessage, pong: () => limits.pong(), closed: onClosed });
  return {
    id,
    using: () => current && { modelId: current.order.model.id, providerId: current.route.binding.providerId },
    setPolicy(next) {
      policy = next;
    },
    drain: () => windDown({ closeCode: closeCodes.goingAway, reason: 'shutting_down' }),
    refuse: (error) =>
      close({ text: refusalOf(error).text, closeCode: refusalOf(error).closeCode, reason: error.code }),
    ended,
  };
}

/** Audio whose first piece has been requested. Can be iterated once. */
interface BegunSound extends AsyncIterable<SpeechEvent> {
  /** Ends the generation if it is still running. */
  giveUp(): void;
}

function beginSound(source: AsyncIterable<SpeechEvent>): BegunSound {
  const iterator = source[Symbol.asyncIterator]();
  let first: ReturnType<typeof iterator.next> | undefined = iterator.next();
  // It may reject before it is awaited; a later await still gets the rejection.
  first.catch(() => {});
  const sound: AsyncIterator<SpeechEvent> = {
    next() {
      const next = first ?? iterator.next();
      first = undefined;
      return next;
    },
    return: () => iterator.return?.() ?? Promise.resolve({ done: true, value: undefined }),
  };
  return { [Symbol.asyncIterator]: () => sound, giveUp: () => void iterator.return?.()?.catch(() => {}) };
}
