import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../lib/domain/clock';
import { createGladiaStt } from '../../../lib/providers/gladia/stt';
import { recordLog } from '../../support/log';
import { createGladia } from '../../support/upstreams/gladia';
import { goodKey } from '../../support/upstreams/upstream';
import type { Upstream } from '../../support/upstreams/upstream';
import { gather, soundOf, sttContract } from '../contract/stt';
import { makeSttRequest } from '../make-stt-request';

const request = makeSttRequest('gladia', 'solaria-1');

sttContract('gladia', {
  makeSubject: async ({ key, clock }) => {
    const upstream = await createGladia();
    return { upstream, provider: createGladiaStt({ baseUrl: upstream.baseUrl, key, clock }) };
  },
  makeRequest: () => request,
  wordTimes: true,
  reportsUsage: true,
  farewell: '{"type":"stop_recording"}',
});

describe('gladia', () => {
  let upstream: Upstream;
  afterEach(() => upstream.close());
  const run = (asked = request) =>
    gather(
      createGladiaStt({ baseUrl: upstream.baseUrl, key: goodKey, clock: systemClock }).transcribe(
        soundOf(0.7).audio,
        asked,
        { signal: new AbortController().signal, log: recordLog() },
      ),
    );

  it('gets a session request over HTTP; its socket gets the token and no key', async () => {
    upstream = await createGladia();
    const { language: _, ...open } = request;
    await run({ ...open, format: { encoding: 'pcm_alaw', sampleRateHz: 8_000 } });
    expect(upstream.requests[0]?.body).toMatchObject({
      encoding: 'wav/alaw',
      bit_depth: 8,
      sample_rate: 8_000,
      channels: 1,
      model: 'solaria-1',
      language_config: { languages: [], code_switching: false },
    });
    expect(JSON.stringify(upstream.sockets[0]?.headers)).not.toContain(goodKey);
  });

  for (const url of [
    'wss://elsewhere.example/v2/live?token=1',
    'wss://127.0.0.1.evil.example/',
    'file:///etc/passwd',
    'nothing',
  ]) {
    it(`does not follow an answer to ${url.slice(0, 28)}`, async () => {
      upstream = await createGladia({ url });
      await expect(run()).rejects.toMatchObject({
        code: 'upstream_invalid_response',
        extra: { upstream: { started: 'no' } },
      });
      expect(upstream.sockets).toEqual([]);
    });
  }
});
