import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../lib/domain/clock';
import { createScribe } from '../../../lib/providers/elevenlabs/stt';
import { recordLog } from '../../support/log';
import { createElevenLabs } from '../../support/upstreams/elevenlabs';
import { scriptWords } from '../../support/upstreams/script';
import { goodKey } from '../../support/upstreams/upstream';
import type { Upstream } from '../../support/upstreams/upstream';
import { gather, soundOf, sttContract, transcriptsOf } from '../contract/stt';
import { makeSttRequest } from '../make-stt-request';

const request = makeSttRequest('elevenlabs', 'scribe_v2_realtime');

sttContract('elevenlabs scribe', {
  makeSubject: async ({ key, clock }) => {
    const upstream = await createElevenLabs();
    return { upstream, provider: createScribe({ baseUrl: upstream.baseUrl, key, clock }) };
  },
  makeRequest: () => request,
  wordTimes: true,
  reportsUsage: false,
});

describe('elevenlabs scribe', () => {
  let upstream: Upstream;
  afterEach(() => upstream.close());
  const run = async (asked: typeof request, audio: AsyncIterable<Uint8Array>) => {
    upstream = await createElevenLabs();
    return gather(
      createScribe({ baseUrl: upstream.baseUrl, key: goodKey, clock: systemClock }).transcribe(audio, asked, {
        signal: new AbortController().signal,
        log: recordLog(),
      }),
    );
  };

  it('reports each utterance once, although its upstream sends it twice', async () => {
    const finals = transcriptsOf(await run(request, soundOf(4.3).audio)).filter(({ isFinal }) => isFinal);
    expect(finals.map(({ text }) => text)).toEqual([
      scriptWords.slice(0, 5).join(' '),
      scriptWords.slice(5, 10).join(' '),
      scriptWords.slice(10).join(' '),
    ]);
  });

  it('gets plain samples if µ-law is not at 8 kHz', async () => {
    await run({ ...request, format: { encoding: 'pcm_mulaw', sampleRateHz: 16_000 } }, soundOf(0.7).audio);
    expect(upstream.sockets[0]?.url.searchParams.get('audio_format')).toBe('pcm_16000');
    const bytes = upstream.sockets[0]!.texts.reduce(
      (sum, text) => sum + Buffer.byteLength((JSON.parse(text) as { audio_base_64: string }).audio_base_64, 'base64'),
      0,
    );
    // 0.7 s of audio at two bytes a sample is 1.4 s at one, and doubles during conversion.
    expect(bytes).toBe(2 * 22_400);
  });
});
