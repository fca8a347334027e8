import { describe, expect, it, onTestFinished } from 'vitest';
import { openTraces, parseTraceparent, reportChanges } from '../../../lib/telemetry/traces';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

async function open(ratio: number, random: () => number) {
  // Port 9 of this machine answers nothing; what the traces hold is not sent in these tests.
  const traces = await openTraces({
    endpoint: 'http://127.0.0.1:9',
    ratio,
    version: '1',
    random,
    onChange: () => undefined,
  });
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
    const isSampled = (header?: string) => tracing.request('req_1', header) !== undefined;
    expect(isSampled()).toBe(true);
    expect(isSampled(`00-${TRACE}-${SPAN}-00`)).toBe(false);
    chance = 0.25;
    expect(isSampled()).toBe(false);
    expect(isSampled(`00-${TRACE}-${SPAN}-01`)).toBe(true);
  });

  it('finds the span of a sampled request by its id until it has ended, and none of another', async () => {
    const { tracing, traceIdOf } = await open(0, () => 0.5);
    const span = tracing.request('req_1', `00-${TRACE}-${SPAN}-01`);
    const origin = tracing.origin('req_1');
    expect(origin).toMatch(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-01$`));
    expect(traceIdOf({ requestId: 'req_1' })).toBe(TRACE);
    const called = await tracing.within('req_1', 'call', {}, async (traceparent) => traceparent);
    expect(called).toMatch(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-01$`));
    expect([called === origin, tracing.origin('req_1') === origin]).toEqual([false, true]);
    for (const id of ['req_2', undefined]) {
      expect(await tracing.within(id, 'call', {}, async (traceparent) => traceparent)).toBeUndefined();
      expect(tracing.origin(id)).toBeUndefined();
    }
    expect([traceIdOf({ requestId: 'req_2' }), traceIdOf({})]).toEqual([undefined, undefined]);
    span?.end();
    span?.end();
    expect([tracing.origin('req_1'), traceIdOf({ requestId: 'req_1' })]).toEqual([undefined, undefined]);
  });

  it('keeps the later of two requests with the same id when the earlier one ends', async () => {
    const { tracing } = await open(1, () => 0);
    const earlier = tracing.request('req_1', undefined);
    const later = tracing.request('req_1', undefined);
    const origin = tracing.origin('req_1');
    earlier?.end();
    expect(tracing.origin('req_1')).toBe(origin);
    later?.end();
    expect(tracing.origin('req_1')).toBeUndefined();
  });

  it('gives a job a trace of its own, found by the ids of its work, and none to a job without a request', async () => {
    const { tracing, traceIdOf } = await open(0, () => 0.5);
    const origin = `00-${TRACE}-${SPAN}-01`;
    await tracing.job('video.start', ['video_1', '7'], origin, async () => {
      const traceId = traceIdOf({ videoId: 'video_1' });
      expect(traceId).toMatch(/^[\da-f]{32}$/);
      expect(traceId).not.toBe(TRACE);
      expect(traceIdOf({ jobId: '7' })).toBe(traceId);
      expect(tracing.origin('video_1')).toBe(origin);
    });
    await tracing.job('video.check', ['video_1'], undefined, async () => {
      expect([traceIdOf({ videoId: 'video_1' }), tracing.origin('video_1')]).toEqual([undefined, undefined]);
    });
  });

  it('passes on what the work rejects with, and forgets its span', async () => {
    const { tracing } = await open(1, () => 0);
    tracing.request('req_1', undefined);
    const failing = tracing.within('req_1', 'call', {}, () => Promise.reject(new Error('no provider')));
    await expect(failing).rejects.toThrow('no provider');
    const job = tracing.job('video.start', ['video_1'], `00-${TRACE}-${SPAN}-01`, () =>
      Promise.reject(new Error('no database')),
    );
    await expect(job).rejects.toThrow('no database');
    expect(tracing.origin('video_1')).toBeUndefined();
  });
});

describe('the receiver', () => {
  it('is reported once when it stops accepting traces, and once when it accepts them again', () => {
    const results = [0, 1, 1, 0, 0, 1];
    const reported: (string | undefined)[] = [];
    const exporter = reportChanges(
      {
        export: (_spans, done) => done({ code: results.shift()!, error: new Error('refused') }),
        shutdown: async () => undefined,
      },
      (error) => reported.push(error?.message),
    );
    let done = 0;
    while (results.length > 0) exporter.export([], () => done++);
    expect([done, reported]).toEqual([6, ['refused', undefined, 'refused']]);
  });
});
