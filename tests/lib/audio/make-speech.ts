import type { NewContent } from '../../../lib/contents/content-writer';
import { servedByInstallation } from '../../../lib/routing/provider-directory';
import type { Meters, SpeechMeter } from '../../../lib/audio/meters';
import { startSpeech } from '../../../lib/audio/speech-session';
import { createCatalog } from '../../../lib/catalog/catalog';
import { ttsModel } from '../../../lib/catalog/speech-entry';
import { consoleKeyId, type Caller } from '../../../lib/domain/caller';
import type { Clock } from '../../../lib/domain/clock';
import { newId } from '../../../lib/domain/ids';
import type { UnitPrice } from '../../../lib/domain/money';
import type { SpeechChunk, SpeechRequest, TtsConnection, TtsProvider } from '../../../lib/domain/speech';
import type { MeterOutcome } from '../../../lib/db/schema/index';
import { createEventQueue } from '../../../lib/providers/kit/messages/event-queue';
import { createProviderHealth } from '../../../lib/routing/provider-health';
import { createRouters } from '../../../lib/routing/router';
import { createTestClock, type TestClock } from '../../support/clock';
import { recordLog } from '../../support/log';
import { createScriptedChannel } from './scripted-channel';

const facts = {
  voices: [{ name: 'Ann', id: 'ann-1' }, { name: 'Bob' }],
  otherVoices: false,
  languages: ['de', 'en'],
  formats: ['pcm_16000', 'pcm_24000', 'pcm_mulaw_8000'],
  speed: { min: 0.5, max: 2 },
  maxInputCharacters: 100,
  maxSessionSeconds: 3_600,
};
const price = { perMillionCharacters: '10', source: 'tests', verified: true };
const shared = { name: 'Speaks', description: 'A model of the tests.', family: 'tests', created: 1_795_219_200 };
const models = [
  ttsModel({ ...shared, id: 'speaks', facts, bindings: [{ providerId: 'a', modelName: 'speaks-1', price }] }),
  ttsModel({
    ...shared,
    id: 'any-voice',
    facts: { ...facts, otherVoices: true },
    bindings: [{ providerId: 'a', modelName: 'speaks-2', price }],
  }),
  ttsModel({
    ...shared,
    id: 'twin',
    facts,
    bindings: [
      { providerId: 'a', modelName: 'twin-1', price },
      { providerId: 'b', modelName: 'twin-2', price: { ...price, perMillionCharacters: '99' } },
    ],
  }),
  ttsModel({
    ...shared,
    id: 'extra',
    facts,
    bindings: [{ providerId: 'b', modelName: 'speaks-3', price, extra: true }],
  }),
  ttsModel({
    ...shared,
    id: 'unconfirmed',
    facts,
    bindings: [{ providerId: 'a', modelName: 'speaks-4', price: { ...price, verified: false } }],
  }),
];

/** One text at an upstream that the test scripts; it continues after a cancel, as some upstreams do. */
export interface ScriptedGeneration {
  readonly request: SpeechRequest;
  readonly signal: AbortSignal;
  readonly isEnded: boolean;
  chunk(base64?: string): void;
  end(): void;
  fail(error: unknown): void;
}

export interface FakeSpeechMeter {
  readonly id: string;
  readonly characters: number;
  heard: boolean;
  outcome: MeterOutcome | undefined;
}

/** What a session reports to its meters about providers, in order. */
export interface MeteredProviders {
  /** The price per character of each hold. */
  readonly prices: UnitPrice[];
  readonly served: string[];
  /** Each attempt, as `provider outcome`. */
  readonly attempts: string[];
}

export function makeSpeech(
  options: {
    clock?: Clock & Partial<TestClock>;
    caller?: Partial<Caller>;
    extra?: string;
    holdFails?: () => Error | undefined;
    isAmple?: boolean;
    untilHeld?: Promise<void>;
    scenario?: string;
  } = {},
) {
  const clock = options.clock ?? createTestClock();
  const log = recordLog();
  const generations: ScriptedGeneration[] = [];
  const connections: { closed: boolean }[] = [];
  const tts: TtsProvider & { onSpeak: (generation: ScriptedGeneration) => void } = {
    onSpeak: () => {},
    open() {
      const state = { closed: false };
      connections.push(state);
      const connection: TtsConnection = {
        async *speak(request, signal) {
          const events = createEventQueue<SpeechChunk>();
          const own = { isEnded: false };
          const generation: ScriptedGeneration = Object.assign(own, {
            request,
            signal,
            chunk: (base64 = 'AAAA') => events.push({ base64 }),
            end: () => events.finish(),
            fail: (error: unknown) => events.fail(error),
          });
          generations.push(generation);
          signal.addEventListener('abort', () => events.finish(), { once: true });
          tts.onSpeak(generation);
          try {
            yield* events;
          } finally {
            own.isEnded = true;
          }
        },
        close() {
          state.closed = true;
        },
      };
      return connection;
    },
  };
  const providers = new Map([
    ['a', { id: 'a', tts }],
    ['b', { id: 'b', tts }],
  ]);
  const catalog = createCatalog({
    offeredProviders: new Set(providers.keys()),
    confirmedPrices: new Set(),
    extraSpeechProviders: new Set(options.extra === undefined ? [] : [options.extra]),
    clock,
    models,
  });
  const health = createProviderHealth({ clock });
  const charged: FakeSpeechMeter[] = [];
  const metered: MeteredProviders = { prices: [], served: [], attempts: [] };
  const meters: Pick<Meters, 'speech'> = {
    speech(_metered, perCharacter, characters) {
      metered.prices.push(perCharacter);
      const id = newId('meter');
      return { id, isAmple: options.isAmple ?? false, opened: open(id, characters) };
    },
  };
  async function open(id: string, characters: number): Promise<SpeechMeter> {
    await options.untilHeld;
    const error = options.holdFails?.();
    if (error) throw error;
    const meter: FakeSpeechMeter = { id, characters, heard: false, outcome: undefined };
    charged.push(meter);
    return {
      servedBy: (provider) => void metered.served.push(provider),
      attempted: ({ provider, outcome }) => void metered.attempts.push(`${provider} ${outcome}`),
      delivered() {
        meter.heard = true;
      },
      async settle(outcome) {
        meter.outcome ??= outcome;
      },
    };
  }
  const kept: NewContent[] = [];
  const channel = createScriptedChannel();
  const caller: Caller = {
    orgId: newId('org'),
    keyId: consoleKeyId,
    mode: 'live',
    policy: { scopes: ['inference'] },
    ...options.caller,
  };
  const session = startSpeech(
    {
      catalog: () => catalog,
      routers: createRouters({
        providers,
        testProvider: { id: 'b', tts },
        catalog: () => catalog,
        health,
      }),
      health,
      // Safe: a speech session uses nothing else.
      meters: meters as Meters,
      contents: { keep: (content) => void kept.push(content), settled: async () => {} },
      clock,
      log,
    },
    {
      channel,
      caller,
      by: servedByInstallation(caller.mode),
      ...(options.scenario === undefined ? {} : { scenario: options.scenario }),
    },
  );
  const say = (input: string, more: object = {}) =>
    channel.say({ type: 'tts', model: 'speaks', input, voice: 'Ann', ...more });
  return {
    clock: clock as TestClock,
    log,
    tts,
    generations,
    connections,
    channel,
    session,
    charged,
    metered,
    health,
    kept,
    say,
  };
}

/** The types of what was sent, in its order. */
export const types = (sent: readonly { type: string }[]) => sent.map(({ type }) => type);
