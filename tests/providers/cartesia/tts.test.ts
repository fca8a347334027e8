import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { cartesiaModels } from '../../../lib/catalog/families/cartesia';
import { systemClock } from '../../../lib/domain/clock';
import type { SpeechRequest, TtsConnection } from '../../../lib/domain/speech';
import { createCartesiaTts } from '../../../lib/providers/cartesia/tts';
import { createTestClock } from '../../support/clock';
import { recordLog } from '../../support/log';
import { createCartesia, storedVoices } from '../../support/upstreams/cartesia';
import { sampleOf } from '../../support/upstreams/speaking';
import type { Upstream } from '../../support/upstreams/upstream';
import { goodKey } from '../../support/upstreams/upstream';
import { listen, rejection, samplesIn, ttsContract } from '../contract/tts';
import { makeSpeechRequest } from '../make-speech-request';

const makeRequest = (change?: Partial<Omit<SpeechRequest, 'binding'>>) =>
  makeSpeechRequest('cartesia', 'sonic-3.5', change);

ttsContract('cartesia', {
  makeSubject: async ({ key, clock }) => {
    // A cancelled generation continues, and the next ones run concurrently.
    const upstream = await createCartesia({ contexts: 1_000 });
    return { upstream, provider: createCartesiaTts({ baseUrl: upstream.baseUrl, key }, { clock }) };
  },
  makeRequest,
  connectsFirst: true,
  unknownVoice: '99999999-9999-4999-8999-999999999999',
});

describe('cartesia', () => {
  let upstream: Upstream;
  let connection: TtsConnection;
  const clock = createTestClock();
  beforeEach(async () => {
    upstream = await createCartesia();
    connection = createCartesiaTts(
      { baseUrl: upstream.baseUrl, key: goodKey },
      { clock: { ...systemClock, now: clock.now, nowMs: clock.nowMs } },
    ).open({ signal: new AbortController().signal, log: recordLog() });
  });
  afterEach(async () => {
    connection.close();
    await upstream.close();
  });
  const speak = (change?: Partial<Omit<SpeechRequest, 'binding'>>) =>
    connection.speak(makeRequest(change), new AbortController().signal);
  const asked = () =>
    upstream.sockets.flatMap(({ texts }) => texts.map((text) => JSON.parse(text) as Record<string, unknown>));

  it('gets its own fields: format, speed, language, our context, one whole text', async () => {
    await listen(
      speak({ contextId: 'ctx-1', speed: 1.2, language: 'en', format: { encoding: 'pcm_mulaw', sampleRateHz: 8_000 } }),
    );
    expect(asked()).toEqual([
      {
        model_id: 'sonic-3.5',
        transcript: 'One two three four five',
        voice: { mode: 'id', id: storedVoices[0]?.id },
        language: 'en',
        context_id: 'ctx-1',
        output_format: { container: 'raw', encoding: 'pcm_mulaw', sample_rate: 8_000 },
        continue: false,
        generation_config: { speed: 1.2 },
      },
    ]);
    expect(upstream.sockets[0]?.headers).toMatchObject({
      authorization: `Bearer ${goodKey}`,
      'cartesia-version': '2026-08-14',
    });
  });

  it('needs no lookup for the voices of our catalog', async () => {
    const facts = cartesiaModels.flatMap((model) => (model.capability === 'tts' ? [model.tts] : []));
    expect(facts.length).toBeGreaterThan(0);
    for (const { name, id } of facts[0]!.voices) {
      await rejection(speak({ voice: name.toUpperCase() }));
      expect(asked().at(-1)).toMatchObject({ voice: { id } });
    }
    expect(upstream.requests).toEqual([]);
  });

  it('looks a name up once an hour, prefers the requested language, and takes only whole names', async () => {
    await listen(speak({ voice: 'marta', language: 'de' }));
    await listen(speak({ voice: 'Marta', language: 'es' }));
    expect(asked().map(({ voice }) => voice)).toEqual([
      { mode: 'id', id: storedVoices[2]?.id },
      { mode: 'id', id: storedVoices[1]?.id },
    ]);
    expect(upstream.requests.map(({ url }) => url.search)).toEqual(['?q=marta&limit=100']);
    expect(await rejection(speak({ voice: 'mart' }))).toMatchObject({
      code: 'unsupported_value',
      extra: { param: 'voice' },
    });
    await clock.advance(3_600_001);
    await listen(speak({ voice: 'marta' }));
    expect(upstream.requests).toHaveLength(3);
  });

  it("reports its refusal of a language as the caller's error", async () => {
    expect(await rejection(speak({ language: 'xx' }))).toMatchObject({
      code: 'unsupported_value',
      extra: { param: 'language' },
    });
  });

  it("is full when its contexts are taken, which is not the caller's error", async () => {
    const full = await createCartesia({ contexts: 0 });
    const other = createCartesiaTts({ baseUrl: full.baseUrl, key: goodKey }, { clock: systemClock }).open({
      signal: new AbortController().signal,
      log: recordLog(),
    });
    expect(await rejection(other.speak(makeRequest(), new AbortController().signal))).toMatchObject({
      code: 'upstream_invalid_response',
      extra: { upstream: { retry: 'elsewhere' } },
    });
    other.close();
    await full.close();
  });

  it.each(['","evil":"', 'AAAA\u0007', 'AAAA\\', '<html>An error page', `${'A'.repeat(400)}"`])(
    'passes on nothing that is not base64: %j',
    async (data) => {
      upstream.errors.mute = true;
      const ends = rejection(speak({ contextId: 'ctx-1' }));
      await vi.waitFor(() => expect(asked()).toHaveLength(1), 15_000);
      upstream.sockets[0]!.socket.send(
        JSON.stringify({ type: 'chunk', context_id: 'ctx-1', status_code: 206, done: false, step_time: 1, data }),
      );
      expect(await ends).toMatchObject({ code: 'upstream_invalid_response' });
    },
  );

  it('does not attribute the late error of an abandoned text to the next text', async () => {
    upstream.errors.errorOnCancel = true;
    for await (const _chunk of speak({ input: 'a text that is left at its first sound' })) break;
    const sound = await listen(speak({ input: 'the text after it goes on for a while' }));
    expect(samplesIn(sound)).toEqual([sampleOf('the text after it goes on for a while')]);
    expect(upstream.sockets).toHaveLength(1);
  });

  it('passes a thousand races of cancel and speak without a stale chunk', async () => {
    const roomy = await createCartesia({ contexts: 10_000 });
    roomy.errors.pieceMs = 0;
    const other = createCartesiaTts({ baseUrl: roomy.baseUrl, key: goodKey }, { clock: systemClock }).open({
      signal: new AbortController().signal,
      log: recordLog(),
    });
    let stale = 0;
    for (let race = 0; race < 1_000; race++) {
      const input = race % 2 === 0 ? `a text of twelve words that goes on after it was left ${race}` : `${race} short`;
      const stop = new AbortController();
      const leaveAfter = race % 3;
      let pieces = 0;
      for await (const { base64 } of other.speak(makeRequest({ input }), stop.signal)) {
        const piece = Buffer.from(base64, 'base64');
        if (samplesIn(piece).some((sample) => sample !== sampleOf(input))) stale++;
        if (pieces++ >= leaveAfter) {
          if (race % 5 === 0) break;
          stop.abort();
        }
      }
    }
    expect(stale).toBe(0);
    other.close();
    await roomy.close();
  });
});
