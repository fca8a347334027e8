import { errorForLog, isGatewayError, upstreamFailed } from '../domain/errors';
import { newId, type MeterId } from '../domain/ids';
import type { ProviderId } from '../domain/model';
import { watchSilence } from '../domain/silence-watch';
import type { SpeechEvent, TtsConnection } from '../domain/speech';
import type { MeterOutcome } from '../db/schema/index';
import type { TtsRoute } from '../routing/speech-routes';
import { readScenario } from '../videos/scenario';
import { parseMessage } from './message-fields';
import type { SpeechMeter } from './meters';
import { settledSoon, type Session, type SessionDeps, type SessionStart } from './session';
import { closeCodes, refusalOf } from './session-errors';
import { watchSession } from './session-limits';
import { noBinary, parseTts, presentAudio, presentSpoken, unknownType, type Order } from './speech-wire';

// One speech socket: texts in, sound out, one generation at a time. Which generation may be heard is one variable, changed
// before anything else happens; whatever arrives for another one is dropped. That single rule is what keeps a cancelled
// reply from being heard, with upstreams that go on speaking after they were told to stop.

/** From the order to the first sound, and from one piece of it to the next. */
const SILENT_MS = 5_000;
/** A reader that is this far behind stops the upstream, until it has caught up. */
const BEHIND_BYTES = 1_048_576;
const CAUGHT_UP_BYTES = 262_144;
const CATCH_UP_LOOK_MS = 20;
/** What runs when the session has to end is spoken to its end, within this. */
const WIND_DOWN_MS = 20_000;

interface Generation {
  readonly stop: AbortController;
  /** Resolves when it has ended and its bill is settled. */
  ended: Promise<void>;
}

export function startSpeech(deps: SessionDeps, { channel, caller, scenario }: SessionStart): Session {
  const { clock, log, meters } = deps;
  const id = newId('session');
  const ending = new AbortController();
  const connections = new Map<ProviderId, TtsConnection>();
  const startedAt = clock.nowMs();
  const generations = new Set<Generation>();
  /** The one that may be heard. */
  let current: Generation | undefined;
  let isOver = false;
  /** Set: nothing new is begun, and the session closes with this when what runs has ended. */
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
      // A caller who listens to a long text sends nothing, and is not idle.
      idle: () => leave({ closeCode: closeCodes.normal, reason: 'idle_timeout' }),
      longest: () => windDown({ closeCode: closeCodes.normal, reason: 'max_duration' }),
      dead: () => {
        channel.cut();
        gone();
      },
      slow: () => leave({ closeCode: closeCodes.slow, reason: 'slow_reader' }),
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
      if (typeof data !== 'string') throw noBinary();
      const message = parseMessage(data);
      if (message.type === 'tts') {
        if (windingDown) return;
        begin(parseTts(message, deps.catalog, caller.policy));
      } else if (message.type === 'cancel') supersede(undefined);
      else throw unknownType(message.type);
    } catch (error) {
      refuse(error);
    }
  }

  function begin(order: Order): void {
    const route = deps.routes.speech(order.model, order.bindings, caller.mode);
    const word = scenarioOf(route, order.request.input);
    const generation: Generation = { stop: new AbortController(), ended: Promise.resolve() };
    supersede(generation);
    const capMs = order.model.tts.maxSessionSeconds * 1_000;
    if (capMs < longestMs) {
      longestMs = capMs;
      limits.endAfter(startedAt + capMs - clock.nowMs());
    }
    generations.add(generation);
    generation.ended = generate(generation, route, order, word)
      .catch((error: unknown) => {
        if (generation === current) refuse(error);
      })
      .finally(() => {
        generations.delete(generation);
        if (current === generation) current = undefined;
        if (windingDown && !current) leave(windingDown);
      });
  }

  /** From this line on nothing of the former generation is heard. */
  function supersede(next: Generation | undefined): void {
    const former = current;
    current = next;
    former?.stop.abort();
    if (windingDown && !next) leave(windingDown);
  }

  async function generate(generation: Generation, route: TtsRoute, { model, characters, request }: Order, word: { readonly scenario?: string }): Promise<void> {
    // The former one gives its hold back first: of a flood of texts only the last one ever asks for credits.
    const formers = [...generations].filter((other) => other !== generation).map((other) => other.ended);
    if (formers.length > 0) await settledSoon(clock, Promise.all(formers));
    if (generation !== current) return;
    const { id: contextId, isAmple, opened } = meters.speech({ caller, sessionId: id, model: model.id, provider: route.providerId }, route.binding.price.perCharacter, characters);
    const begin = () => beginSound(connectionTo(route).speak({ ...request, contextId, binding: route.binding, ...word }, generation.stop.signal));
    // Until the credit is held nobody hears anything, but where there is plenty of it nobody waits for that either.
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
        if (isGatewayError(error) && error.extra.upstream && error.extra.upstream.retry !== 'never') deps.health.failed(route.providerId);
      }
      throw error;
    } finally {
      early?.giveUp();
      // Without a hold there is nothing to settle.
      await opened.then((meter) => meter.settle(outcome), () => {});
    }
  }

  async function speak(generation: Generation, sound: BegunSound, contextId: MeterId, meter: SpeechMeter, characters: number): Promise<void> {
    // The end of the session stops every generation too.
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
      if (isSilent) throw upstreamFailed({ retry: 'later', started: 'maybe' }, 'the provider fell silent', 'upstream_timeout');
    } catch (error) {
      if (isSilent && !(isGatewayError(error) && error.code === 'upstream_timeout')) throw upstreamFailed({ retry: 'later', started: 'maybe' }, 'the provider fell silent', 'upstream_timeout');
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
    const word = caller.mode === 'test' || deps.routes.isStandIn(route.providerId) ? readScenario(scenario, input) : undefined;
    return word === undefined ? {} : { scenario: word };
  }

  /** A message that was wrong leaves the socket open; a caller who may not, cannot pay, or an upstream that fails, ends it. */
  function refuse(error: unknown): void {
    if (isOver) return;
    if (!isGatewayError(error)) log.error('a speech session failed', { requestId: id, error: errorForLog(error) });
    else if (error.extra.detail !== undefined) log.warn('an upstream failed a speech session', { requestId: id, code: error.code, error: error.extra.detail });
    const { text, code, closeCode, closeReason } = refusalOf(error);
    if (code === 400) send(text);
    else leave({ text, closeCode, reason: closeReason });
  }

  /** The one exit that speaks. */
  function leave(goodbye: { readonly text?: string; readonly closeCode: number; readonly reason: string }): void {
    if (isOver) return;
    void end().then(() => {
      if (goodbye.text !== undefined) channel.send(goodbye.text);
      channel.close(goodbye.closeCode, goodbye.reason);
    });
  }

  function gone(): void {
    if (!isOver) void end();
  }

  async function end(): Promise<void> {
    isOver = true;
    const former = current;
    current = undefined;
    former?.stop.abort();
    limits.stop();
    stopWindDownTimer();
    ending.abort();
    for (const connection of connections.values()) connection.close();
    await settledSoon(clock, Promise.all([...generations].map((generation) => generation.ended)).then(resolveEnded));
  }

  function windDown(goodbye: { readonly closeCode: number; readonly reason: string }): void {
    if (isOver || windingDown) return;
    if (!current) return leave(goodbye);
    windingDown = goodbye;
    stopWindDownTimer = clock.after(WIND_DOWN_MS, () => leave(goodbye));
  }

  // A fresh connection costs a quarter of a second, which the first text would have to wait.
  const likely = caller.mode === 'live' ? deps.routes.likelySpeaker(deps.catalog.list()) : undefined;
  if (likely) connectionTo(likely);
  channel.listen({ message: onMessage, pong: () => limits.pong(), closed: gone });
  return {
    id,
    drain: () => windDown({ closeCode: closeCodes.goingAway, reason: 'shutting_down' }),
    refuse: (error) => leave({ text: refusalOf(error).text, closeCode: refusalOf(error).closeCode, reason: error.code }),
    ended,
  };
}

/** Sound whose first piece has been asked for. Iterated once. */
interface BegunSound extends AsyncIterable<SpeechEvent> {
  /** Ends it, if it has not ended. */
  giveUp(): void;
}

function beginSound(source: AsyncIterable<SpeechEvent>): BegunSound {
  const iterator = source[Symbol.asyncIterator]();
  let first: ReturnType<typeof iterator.next> | undefined = iterator.next();
  // It may fail before anybody waits for it; whoever does still hears.
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
