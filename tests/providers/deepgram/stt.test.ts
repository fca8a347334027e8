import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../lib/domain/clock';
import { createDeepgramStt } from '../../../lib/providers/deepgram/stt';
import { hurriedClock } from '../../support/hurried-clock';
import { recordLog } from '../../support/log';
import { createDeepgram } from '../../support/upstreams/deepgram';
import { goodKey } from '../../support/upstreams/upstream';
import type { Upstream } from '../../support/upstreams/upstream';
import { gather, soundOf, sttContract } from '../contract/stt';
import { makeSttRequest } from '../make-stt-request';

for (const model of ['nova-3', 'flux-general-en']) {
  sttContract(`deepgram ${model}`, {
    makeSubject: async ({ key, clock }) => {
      const upstream = await createDeepgram();
      return { upstream, provider: createDeepgramStt({ baseUrl: upstream.baseUrl, key, clock }) };
    },
    makeRequest: () => makeSttRequest('deepgram', model),
    wordTimes: true,
    reportsUsage: model === 'nova-3',
    farewell: '{"type":"CloseStream"}',
  });
}

describe('deepgram', () => {
  let upstream: Upstream;
  afterEach(() => upstream.close());
  const run = (
    request: Parameters<ReturnType<typeof createDeepgramStt>['transcribe']>[1],
    audio: AsyncIterable<Uint8Array>,
    clock = systemClock,
  ) =>
    gather(
      createDeepgramStt({ baseUrl: upstream.baseUrl, key: goodKey, clock }).transcribe(audio, request, {
        signal: new AbortController().signal,
        log: recordLog(),
      }),
    );

  it("gets a request for interims, punctuation and the caller's language", async () => {
    upstream = await createDeepgram();
    await run(
      makeSttRequest('deepgram', 'nova-3', { language: 'fr', format: { encoding: 'pcm_mulaw', sampleRateHz: 8_000 } }),
      soundOf(0.4).audio,
    );
    expect(Object.fromEntries(upstream.sockets[0]!.url.searchParams)).toEqual({
      model: 'nova-3',
      encoding: 'mulaw',
      sample_rate: '8000',
      channels: '1',
      interim_results: 'true',
      punctuate: 'true',
      language: 'fr',
    });
  });

  it('detects several languages when the caller names none', async () => {
    upstream = await createDeepgram();
    const { language: _, ...request } = makeSttRequest('deepgram', 'nova-3');
    await run(request, soundOf(0.4).audio);
    expect(upstream.sockets[0]!.url.searchParams.get('language')).toBe('multi');
  });

  it('gets a keep-alive while the caller is silent, at least every five seconds', async () => {
    // A fifth of the real times on both sides.
    upstream = await createDeepgram({ idleMs: 2_000 });
    await run(
      makeSttRequest('deepgram', 'nova-3'),
      soundOf(0.4, { hold: systemClock.sleep(2_600) }).audio,
      hurriedClock(5),
    );
    const { texts, times, closeCode } = upstream.sockets[0]!;
    expect(texts.filter((text) => text === '{"type":"KeepAlive"}').length).toBeGreaterThan(2);
    const gaps = times.slice(1).map((time, index) => time - times[index]!);
    expect(Math.max(...gaps)).toBeLessThan(1_400);
    expect(closeCode).not.toBe(1011);
  });

  it('gets no binary frame without bytes, which would end its session', async () => {
    upstream = await createDeepgram();
    await run(makeSttRequest('deepgram', 'nova-3'), soundOf(1).audio);
    expect(Math.min(...upstream.sockets[0]!.binary)).toBeGreaterThan(0);
  });

  it('flux gets chunks of 80 ms, and silence when the caller is quiet, so that the turn ends', async () => {
    upstream = await createDeepgram();
    const events = await run(
      makeSttRequest('deepgram', 'flux-general-en'),
      soundOf(0.72, { hold: systemClock.sleep(900) }).audio,
    );
    expect(new Set(upstream.sockets[0]!.binary)).toEqual(new Set([2_560]));
    expect(
      events.some(
        (event) => event.kind === 'transcript' && event.transcript.isFinal && event.transcript.text === 'The ship',
      ),
    ).toBe(true);
  });
});
