import type { NewContent } from '../../../lib/contents/content-writer';
import { servedByInstallation } from '../../../lib/routing/provider-directory';
import type { Meters } from '../../../lib/audio/meters';
import { createBlockPool } from '../../../lib/audio/replay-buffer';
import { startTranscription } from '../../../lib/audio/transcription-session';
import { createCatalog } from '../../../lib/catalog/catalog';
import { sttModel } from '../../../lib/catalog/speech-entry';
import { consoleKeyId, type Caller } from '../../../lib/domain/caller';
import { GatewayError } from '../../../lib/domain/errors';
import { newId } from '../../../lib/domain/ids';
import type { SttFacts, SttPrice } from '../../../lib/domain/transcription';
import type { MeterOutcome } from '../../../lib/db/schema/index';
import { createProviderHealth, type ProviderHealth } from '../../../lib/routing/provider-health';
import { createRouters } from '../../../lib/routing/router';
import { createTestClock, type TestClock } from '../../support/clock';
import { recordLog } from '../../support/log';
import { createScriptedChannel } from './scripted-channel';
import { createScriptedStt } from './scripted-stt';

export const makeSttModel = (
  meter: SttPrice['meter'] = 'audio',
  providers: readonly string[] = ['a'],
  wordTimes: SttFacts['wordTimes'] = 'exact',
) =>
  sttModel({
    id: 'hears',
    name: 'Hears',
    description: 'A model of the tests.',
    family: 'tests',
    created: 1_795_219_200,
    facts: {
      encodings: ['pcm_s16le', 'pcm_mulaw'],
      sampleRatesHz: [8000, 16_000],
      languages: ['de', 'en'],
      withoutLanguage: { detects: true },
      wordTimes,
      maxSessionSeconds: 10_800,
    },
    bindings: providers.map((providerId) => ({
      providerId,
      modelName: 'hears-1',
      price: { perMinute: '0.006', meter, source: 'tests', verified: true },
    })),
  });

export interface FakeTranscriptionMeter {
  usedMillis: number;
  allowedMillis: number;
  outcome: MeterOutcome | undefined;
  settled: number;
  /** The providers that did the work, in order. */
  providers: string[];
  /** Each attempt, as `provider outcome`. */
  attempts: string[];
  /** The reason with which `exhausted` fires. */
  refusal: GatewayError;
  /** The error with which `use` rejects. */
  error: Error | undefined;
  /** What `use` waits for; absent: nothing. */
  waiting: Promise<boolean> | undefined;
  exhaust(): void;
}

/**
 * A session with a scripted client, scripted upstreams `a` and `b`, a clock that the test controls, and no database.
 */
export function makeTranscription(
  options: {
    meter?: SttPrice['meter'];
    providers?: readonly string[];
    wordTimes?: SttFacts['wordTimes'];
    caller?: Partial<Caller>;
    clock?: TestClock;
    scenario?: string;
  } = {},
) {
  const clock = options.clock ?? createTestClock();
  const log = recordLog();
  const model = makeSttModel(options.meter, options.providers, options.wordTimes);
  const stt = { a: createScriptedStt(), b: createScriptedStt() };
  const providers = new Map(Object.entries(stt).map(([id, each]) => [id, { id, stt: each }]));
  const catalog = createCatalog({
    offeredProviders: new Set(providers.keys()),
    confirmedPrices: new Set(),
    clock,
    models: [model],
  });
  const failed: string[] = [];
  const known = createProviderHealth({ clock });
  const health: ProviderHealth = {
    ...known,
    failed(key) {
      failed.push(key);
      known.failed(key);
    },
    brokeOff(key) {
      failed.push(`${key} broke off`);
      known.brokeOff(key);
    },
  };
  const exhausting = new AbortController();
  const meter: FakeTranscriptionMeter = {
    usedMillis: 0,
    allowedMillis: Infinity,
    outcome: undefined,
    settled: 0,
    providers: [],
    attempts: [],
    refusal: new GatewayError('insufficient_credits', 'Credit budget exhausted: add credits.'),
    error: undefined,
    waiting: undefined,
    exhaust: () => exhausting.abort(meter.refusal),
  };
  const meters: Pick<Meters, 'transcription'> = {
    transcription: async () => ({
      id: newId('meter'),
      exhausted: exhausting.signal,
      attempted: ({ provider, outcome }) => void meter.attempts.push(`${provider} ${outcome}`),
      servedBy: (provider) => void meter.providers.push(provider),
      delivered: () => {},
      use(millis) {
        if (meter.error) return Promise.reject(meter.error);
        if (meter.waiting) return meter.waiting;
        if (millis > meter.allowedMillis) {
          exhausting.abort(meter.refusal);
          return false;
        }
        meter.usedMillis = Math.max(meter.usedMillis, millis);
        return true;
      },
      async settle(outcome) {
        meter.settled += 1;
        meter.outcome ??= outcome;
      },
    }),
  };
  const kept: NewContent[] = [];
  const channel = createScriptedChannel();
  const caller: Caller = {
    orgId: newId('org'),
    keyId: consoleKeyId,
    mode: 'live',
    policy: { scopes: ['inference'] },
    ...options.caller,
  };
  const session = startTranscription(
    {
      catalog: () => catalog,
      routers: createRouters({
        providers,
        testProvider: { id: 'b', stt: stt.b },
        catalog: () => catalog,
        health,
      }),
      health,
      // Safe: a transcription uses nothing else.
      meters: meters as Meters,
      contents: { keep: (content) => void kept.push(content), settled: async () => {} },
      clock,
      log,
      blocks: createBlockPool(),
    },
    {
      channel,
      caller,
      by: servedByInstallation(caller.mode),
      ...(options.scenario === undefined ? {} : { scenario: options.scenario }),
    },
  );
  return { clock, log, stt, channel, session, meter, failed, kept, configure: { type: 'configure', model: 'hears' } };
}

/** Lets all pending microtasks and immediates run. */
export async function settle(): Promise<void> {
  for (let round = 0; round < 8; round++) await new Promise((resolve) => setImmediate(resolve));
}

export const silence = (seconds: number) => new Uint8Array(Math.round(seconds * 32_000));
