import type { MeterAttempt } from '../db/schema/index';
import type { Clock } from '../domain/clock';
import type { SessionId } from '../domain/ids';
import type { Log } from '../domain/log';
import { hasWords, type TtsConnection } from '../domain/speech';
import type { ProviderHealth } from '../routing/provider-health';
import type { Route, Routes } from '../routing/route';
import { reconnectIfAlone, tryRoutes } from '../routing/try-routes';
import { beginSpokenAudio, SILENT_MS, type SpokenAudio } from './spoken-audio';
import type { Order } from './speech-wire';

// The upstream of a speech session: its connections, which all texts share, and for each text the attempts until a
// provider speaks it.

export interface SpeechUpstream {
  /** Connects to the provider before a text needs it. */
  connect(route: Route<'tts'>): void;
  /**
   * Resolves with the first provider that speaks the text. Rejects if no provider begins, or with the reason of the
   * signal.
   */
  begin(text: SpeechText, events: AttemptEvents): Promise<Begun>;
  /** Closes all connections. */
  close(): void;
}

export interface SpeechText {
  readonly order: Order;
  readonly routes: Routes<'tts'>;
  readonly contextId: string;
  readonly signal: AbortSignal;
}

export interface AttemptEvents {
  /** Called when the route is about to be called. */
  calling(route: Route<'tts'>): void;
  /** Called when a provider did not begin to speak, unless the signal is the reason. */
  refused(attempt: MeterAttempt): void;
}

/** The audio of a provider that has begun to speak. */
export interface Begun {
  readonly route: Route<'tts'>;
  readonly audio: SpokenAudio;
  readonly startedAt: number;
  /** Milliseconds from the first attempt until this provider spoke. */
  readonly startMs: number;
}

interface UpstreamDeps {
  readonly health: ProviderHealth;
  readonly clock: Clock;
  readonly log: Log;
}

interface UpstreamStart {
  readonly sessionId: SessionId;
  /** Returns the scenario that applies to this route and text. */
  scenarioFor(route: Route<'tts'>, order: Order): string | undefined;
}

/** No other provider is tried after this long without audio. */
const MAX_BEGIN_MS = 2 * SILENT_MS;

export function createSpeechUpstream(
  { health, clock, log }: UpstreamDeps,
  { sessionId, scenarioFor }: UpstreamStart,
): SpeechUpstream {
  const ending = new AbortController();
  /** One for each account at a provider. */
  const connections = new Map<string, TtsConnection>();

  function connectionTo({ providerId, provider, credentialId }: Route<'tts'>): TtsConnection {
    const account = `${providerId} ${credentialId ?? ''}`;
    const known = connections.get(account);
    if (known) return known;
    const connection = provider.open({ signal: ending.signal, log });
    connections.set(account, connection);
    return connection;
  }

  function begin({ order, routes, contextId, signal }: SpeechText, events: AttemptEvents): Promise<Begun> {
    const firstAt = clock.nowMs();
    const deadline = firstAt + MAX_BEGIN_MS;
    let calls = 0;
    const speak = async (route: Route<'tts'>): Promise<Begun> => {
      events.calling(route);
      calls += 1;
      const scenario = scenarioFor(route, order);
      const request = {
        ...order.request,
        // A new id for every call: late audio of a failed call must not be taken for that of the next one on the same
        // connection.
        contextId: calls === 1 ? contextId : `${contextId}_${calls}`,
        binding: route.binding,
        ...(scenario === undefined ? {} : { scenario }),
      };
      const startedAt = clock.nowMs();
      const audio = await beginSpokenAudio((either) => connectionTo(route).speak(request, either), {
        clock,
        signal,
        mayBeSilent: !hasWords(order.request.input),
      });
      return { route, audio, startedAt, startMs: startedAt - firstAt };
    };
    return tryRoutes(routes, speak, {
      capability: 'tts',
      workId: sessionId,
      health,
      clock,
      isOver: () => clock.nowMs() >= deadline,
      // Safe: the client has not heard anything yet, and pays once, for what it hears.
      mayBeginTwice: true,
      repeat: reconnectIfAlone,
      signal,
      onAttempt({ providerId }, ms, failed) {
        if (!failed || failed.code === 'caller_left') return;
        const { code } = failed;
        log.info('a provider did not begin to speak', { provider: providerId, model: order.model.id, code });
        const startMs = clock.nowMs() - ms - firstAt;
        events.refused({ provider: providerId, outcome: 'refused', code, ms, ...(startMs > 0 && { startMs }) });
      },
    });
  }

  return {
    connect(route) {
      connectionTo(route);
    },
    begin,
    close() {
      ending.abort();
      for (const connection of connections.values()) connection.close();
    },
  };
}
