import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../lib/domain/clock';
import { createSonioxStt } from '../../../lib/providers/soniox/stt';
import { createUtterance } from '../../../lib/providers/soniox/utterance';
import { hurriedClock } from '../../support/hurried-clock';
import { recordLog } from '../../support/log';
import { createSoniox } from '../../support/upstreams/soniox';
import type { Upstream } from '../../support/upstreams/upstream';
import { goodKey } from '../../support/upstreams/upstream';
import { finalText, gather, scriptText, soundOf, sttContract } from '../contract/stt';
import { makeSttRequest } from '../make-stt-request';

sttContract('soniox', {
  makeSubject: async ({ key, clock }) => {
    const upstream = await createSoniox();
    return { upstream, provider: createSonioxStt({ baseUrl: upstream.baseUrl, key, clock }) };
  },
  makeRequest: () => makeSttRequest('soniox', 'stt-rt-v5'),
  wordTimes: true,
  reportsUsage: true,
  farewell: '',
});

describe('soniox', () => {
  let upstream: Upstream | undefined;
  afterEach(() => upstream?.close());

  it('gets the format, a hint of the language, and no key in a message', async () => {
    upstream = await createSoniox();
    const provider = createSonioxStt({ baseUrl: upstream.baseUrl, key: goodKey, clock: systemClock });
    await gather(
      provider.transcribe(
        soundOf(0.4).audio,
        makeSttRequest('soniox', 'stt-rt-v5', {
          format: { encoding: 'pcm_alaw', sampleRateHz: 8_000 },
          language: 'sl',
        }),
        { signal: new AbortController().signal, log: recordLog() },
      ),
    );
    expect(JSON.parse(upstream.sockets[0]?.texts[0] ?? '')).toEqual({
      model: 'stt-rt-v5',
      audio_format: 'alaw',
      sample_rate: 8_000,
      num_channels: 1,
      language_hints: ['sl'],
      enable_endpoint_detection: true,
    });
  });

  it('gets a keep-alive while the caller is silent', async () => {
    // A tenth of the real times on both sides.
    upstream = await createSoniox({ idleMs: 2_000 });
    const provider = createSonioxStt({ baseUrl: upstream.baseUrl, key: goodKey, clock: hurriedClock(10) });
    const events = await gather(
      provider.transcribe(
        soundOf(0.7, { hold: systemClock.sleep(2_600) }).audio,
        makeSttRequest('soniox', 'stt-rt-v5'),
        { signal: new AbortController().signal, log: recordLog() },
      ),
    );
    expect(finalText(events)).toBe(scriptText(2));
  });

  it('joins parts to words, and leaves scripts without blanks in parts', () => {
    const utterance = createUtterance();
    const part = (text: string, at: number, isFinal = true) => ({
      text,
      start_ms: at,
      end_ms: at + 100,
      is_final: isFinal,
    });
    expect(utterance.add([part(' Hel', 0), part('lo', 100), part(',', 200), part(' wor', 300, false)])).toEqual([
      {
        text: 'Hello, wor',
        isFinal: false,
        words: [
          { word: 'Hello,', startSeconds: 0, endSeconds: 0.3 },
          { word: 'wor', startSeconds: 0.3, endSeconds: 0.4 },
        ],
      },
    ]);
    expect(
      utterance
        .add([part(' world', 300), { text: '<end>', is_final: true }])
        .map(({ text, isFinal }) => [text, isFinal]),
    ).toEqual([['Hello, world', true]]);
    expect(
      createUtterance()
        .add([part('今日', 0), part('は', 100)])[0]
        ?.words?.map(({ word }) => word),
    ).toEqual(['今日', 'は']);
  });
});
