import { describe, expect, it, onTestFinished } from 'vitest';
import { openTraces, parseTraceparent } from '../../../lib/telemetry/traces';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

async function open(ratio: number, random: () => number) {
  // Port 9 of this machine answers nothing; what the traces hold is not sent in these tests.
  const traces = await openTraces({ endpoint: 'http://127.0.0.1:9', ratio, version: '1', random });
  onTestFinished(() => traces.close().catch(() => undefined));
  return traces;
}

describe('parseTraceparent', () => {
  it('reads the ids and the sampled flag, also of a later version', () => {
    expect(parseTraceparent(`00-${TRACE}-${SPAN}-01`)).toEqual({ traceId: TRACE, spanId: SPAN, sampled: true });
    expect(parseTraceparent(`00-${TRACE}-${SPAN}-02`)).toMatchObject({ sampled: false });
    expect(parseTraceparent(`cc-${TRACE}-${SPAN}-03-more`)).toMatchObject({ sampled: true });
  });

  it.each([
    undefined,
    '',
    `00-${TRACE}-${SPAN}`,
    `00-${TRACE}-${SPAN}-01-more`,
    `ff-${TRACE}-${SPAN}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
  ])('ignores %s', (header) => {
    expect(parseTraceparent(header)).toBeUndefined();
  });
});

describe('tracing', () => {
  it('samples requests without a traceparent by chance, and others as their caller does', async () => {
    let chance = 0;
    const { tracing } = await open(0.25, () => chance);
    const isSampled = (header?: string) => tracing.request(header, async (span) => span !== undefined);
    expect(await isSampled()).toBe(true);
    expect(await isSampled(`00-${TRACE}-${SPAN}-00`)).toBe(false);
    chance = 0.25;
    expect(await isSampled()).toBe(false);
    expect(await isSampled(`00-${TRACE}-${SPAN}-01`)).toBe(true);
  });

  it('has a current trace within a sampled request and its calls, and none outside', async () => {
    const { tracing, traceId } = await open(0, () => 0.5);
    await tracing.request(`00-${TRACE}-${SPAN}-01`, async () => {
      const request = tracing.current();
      expect(traceId()).toBe(TRACE);
      await tracing.within('call', {}, async () => {
        expect(traceId()).toBe(TRACE);
        expect(tracing.current()).not.toBe(request);
        expect(tracing.origin()).toBe(request);
      });
    });
    await tracing.request(undefined, async () => {
      expect(tracing.current()).toBeUndefined();
      expect(await tracing.within('call', {}, async () => traceId())).toBeUndefined();
    });
    expect(traceId()).toBeUndefined();
  });

  it('gives a job a trace of its own, with the origin of its request, and none to a job without a request', async () => {
    const { tracing, traceId } = await open(0, () => 0.5);
    const origin = `00-${TRACE}-${SPAN}-01`;
    await tracing.job('video.start', origin, async () => {
      expect(traceId()).toMatch(/^[\da-f]{32}$/);
      expect(traceId()).not.toBe(TRACE);
      expect(tracing.origin()).toBe(origin);
      expect(await tracing.job('video.check', undefined, async () => traceId())).toBeUndefined();
    });
  });

  it('passes on what the work rejects with', async () => {
    const { tracing } = await open(1, () => 0);
    const failing = tracing.request(undefined, () =>
      tracing.within('call', {}, () => Promise.reject(new Error('no provider'))),
    );
    await expect(failing).rejects.toThrow('no provider');
  });
});
