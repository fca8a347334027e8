import { describe, expect, it } from 'vitest';
import { createPrometheus } from '../../../lib/telemetry/prometheus';
import { healthKeyOf } from '../../../lib/routing/provider-health';
import { newId } from '../../../lib/domain/ids';
import type { StateSources, StoredState } from '../../../lib/telemetry/state-gauges';
import { createTestClock, type TestClock } from '../../support/clock';

const made = () => createPrometheus({ version: '1.2.3', role: 'web' });

const quiet = (clock: TestClock, changed: Partial<StateSources> = {}): StateSources => ({
  clock,
  readStored: async () => ({ queue: [], holds: [] }),
  readReadiness: async () => ({ ready: true, database: true, redis: undefined }),
  sessions: () => ({ transcription: 0, speech: 0 }),
  circuits: () => [],
  pools: {},
  isOverloaded: () => false,
  ...changed,
});

/** The lines of one metric. */
async function linesOf({ registry }: ReturnType<typeof made>, name: string): Promise<string[]> {
  return (await registry.metrics())
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
}

describe('counters', () => {
  it('of two gateways in one process are apart', async () => {
    const [one, other] = [made(), made()];
    one.metrics.webhookSent({ outcome: 'delivered', ms: 20 });
    expect(await linesOf(one, 'patchbay_webhook_attempts_total')).toEqual([
      'patchbay_webhook_attempts_total{result="delivered"} 1',
    ]);
    expect(await linesOf(other, 'patchbay_webhook_attempts_total')).toEqual([]);
  });

  it('have one series for all methods that HTTP does not define', async () => {
    const prometheus = made();
    for (const method of ['BREW', 'PROPFIND', 'GET'])
      prometheus.metrics.requestAnswered({ route: 'unknown', method, status: 404, ms: 1 });
    expect(await linesOf(prometheus, 'patchbay_http_requests_total')).toEqual([
      'patchbay_http_requests_total{route="unknown",method="other",status="404"} 2',
      'patchbay_http_requests_total{route="unknown",method="GET",status="404"} 1',
    ]);
  });

  it('add the tokens of a message by their kind, and its times in seconds', async () => {
    const prometheus = made();
    const tokens = { input: 10, cacheRead: 0, cacheWrite5m: 3, cacheWrite1h: 4, output: 20 };
    const message = { model: 'm', provider: 'p', code: undefined, ms: 2_000, firstTokenMs: 400, tokens };
    prometheus.metrics.messageEnded(message);
    prometheus.metrics.messageEnded({ ...message, code: 'upstream_timeout' });
    expect(await linesOf(prometheus, 'patchbay_tokens_total')).toEqual([
      'patchbay_tokens_total{model="m",provider="p",kind="input"} 20',
      'patchbay_tokens_total{model="m",provider="p",kind="cache_write"} 14',
      'patchbay_tokens_total{model="m",provider="p",kind="output"} 40',
    ]);
    expect(await linesOf(prometheus, 'patchbay_messages_total')).toEqual([
      'patchbay_messages_total{model="m",provider="p",result="completed"} 1',
      'patchbay_messages_total{model="m",provider="p",result="upstream_timeout"} 1',
    ]);
    expect(await linesOf(prometheus, 'patchbay_message_duration_seconds_sum')).toEqual([
      'patchbay_message_duration_seconds_sum{provider="p"} 4',
    ]);
    expect(await linesOf(prometheus, 'patchbay_message_first_token_seconds_sum')).toEqual([
      'patchbay_message_first_token_seconds_sum{model="m",provider="p"} 0.8',
    ]);
  });

  it('have the label of the worker process, if there are several', async () => {
    const prometheus = createPrometheus({ version: '1', role: 'all', worker: 3 });
    prometheus.metrics.webhookSent({ outcome: 'gone', ms: 1 });
    expect(await linesOf(prometheus, 'patchbay_webhook_attempts_total')).toEqual([
      'patchbay_webhook_attempts_total{result="gone",worker="3"} 1',
    ]);
  });
});

describe('gauges', () => {
  it('count the circuits of a provider by state, without models and accounts', async () => {
    const prometheus = made();
    const key = (modelName: string, own?: boolean) =>
      healthKeyOf({ providerId: 'acme', modelName }, own ? newId('credential') : undefined);
    let circuits: ReturnType<StateSources['circuits']> = [
      { key: key('one'), state: 'open', untilMs: 1 },
      { key: key('two', true), state: 'open', untilMs: 1 },
      { key: key('three'), state: 'cooling', untilMs: 1 },
    ];
    prometheus.watch(quiet(createTestClock(), { circuits: () => circuits }));
    expect(await linesOf(prometheus, 'patchbay_provider_circuits')).toEqual([
      'patchbay_provider_circuits{provider="acme",state="open"} 2',
      'patchbay_provider_circuits{provider="acme",state="cooling"} 1',
    ]);
    circuits = [];
    expect(await linesOf(prometheus, 'patchbay_provider_circuits')).toEqual([]);
  });

  it('of the stored state are read at most every five seconds, once for all', async () => {
    const prometheus = made();
    const clock = createTestClock();
    let reads = 0;
    const readStored = async (): Promise<StoredState> => {
      reads += 1;
      return { queue: [{ kind: 'video.start', waiting: reads, oldestWaitMs: 1_500, running: 0 }], holds: [] };
    };
    prometheus.watch(quiet(clock, { readStored }));
    const waiting = () => linesOf(prometheus, 'patchbay_jobs_waiting');
    expect(await waiting()).toEqual(['patchbay_jobs_waiting{kind="video.start"} 1']);
    expect(await linesOf(prometheus, 'patchbay_jobs_oldest_wait_seconds')).toEqual([
      'patchbay_jobs_oldest_wait_seconds{kind="video.start"} 1.5',
    ]);
    expect(reads).toBe(1);
    await clock.advance(5_000);
    expect(await waiting()).toEqual(['patchbay_jobs_waiting{kind="video.start"} 2']);
  });

  it.each([
    ['fails', async () => Promise.reject(new Error('no database'))],
    ['does not answer', () => new Promise<never>(() => {})],
  ])('have no value while the database %s, and the others are still there', async (_how, readStored) => {
    const prometheus = made();
    const clock = createTestClock();
    prometheus.watch(
      quiet(clock, { readStored, readReadiness: async () => ({ ready: false, database: false, redis: true }) }),
    );
    const reading = prometheus.registry.metrics();
    await clock.advance(3_000);
    const text = await reading;
    expect(text).not.toMatch(/^patchbay_jobs_waiting[ {]/m);
    expect(text).toMatch(/^patchbay_ready 0$/m);
    expect(text).toMatch(/^patchbay_backend_up\{backend="database"\} 0$/m);
    expect(text).toMatch(/^patchbay_backend_up\{backend="redis"\} 1$/m);
    expect(text).toMatch(/^patchbay_info\{version="1.2.3",role="web"\} 1$/m);
  });

  it('without a readable value have none, instead of the last one', async () => {
    const prometheus = made();
    let isKnown = true;
    const readReadiness = async () => {
      if (!isKnown) throw new Error('unknown');
      return { ready: true, database: true, redis: undefined };
    };
    prometheus.watch(quiet(createTestClock(), { readReadiness }));
    expect(await linesOf(prometheus, 'patchbay_ready')).toEqual(['patchbay_ready 1']);
    isKnown = false;
    expect(await linesOf(prometheus, 'patchbay_ready')).toEqual([]);
  });
});
