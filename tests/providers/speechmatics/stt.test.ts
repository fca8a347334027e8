import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../lib/domain/clock';
import { createSpeechmaticsStt } from '../../../lib/providers/speechmatics/stt';
import { recordLog } from '../../support/log';
import { createSpeechmatics } from '../../support/upstreams/speechmatics';
import { goodKey } from '../../support/upstreams/upstream';
import type { Upstream } from '../../support/upstreams/upstream';
import { gather, soundOf, sttContract, transcriptsOf } from '../contract/stt';
import { makeSttRequest } from '../make-stt-request';

const request = makeSttRequest('speechmatics', 'enhanced');

sttContract('speechmatics', {
  makeSubject: async ({ key, clock }) => {
    const upstream = await createSpeechmatics();
    return { upstream, provider: createSpeechmaticsStt({ baseUrl: upstream.baseUrl, key, clock }) };
  },
  makeRequest: () => request,
  wordTimes: true,
  reportsUsage: false,
  farewell: /"EndOfStream"/,
});

describe('speechmatics', () => {
  let upstream: Upstream;
  afterEach(() => upstream.close());
  const run = async (asked = request) => {
    upstream = await createSpeechmatics();
    return gather(
      createSpeechmaticsStt({ baseUrl: upstream.baseUrl, key: goodKey, clock: systemClock }).transcribe(
        soundOf(0.7).audio,
        asked,
        { signal: new AbortController().signal, log: recordLog() },
      ),
    );
  };

  it('attaches a punctuation mark to the word before it', async () => {
    expect(transcriptsOf(await run()).at(-1)).toEqual({
      text: 'The ship.',
      isFinal: true,
      words: [
        { word: 'The', startSeconds: 0.02, endSeconds: 0.28 },
        { word: 'ship.', startSeconds: 0.32, endSeconds: 0.58 },
      ],
    });
  });

  it('reports how many chunks it has sent when it ends', async () => {
    await run();
    expect(JSON.parse(upstream.sockets[0]?.texts.at(-1) ?? '')).toEqual({
      message: 'EndOfStream',
      last_seq_no: upstream.sockets[0]?.binary.length,
    });
  });

  it("names Mandarin in the upstream's way, and English when the caller names nothing", async () => {
    const { language: _, ...open } = request;
    for (const [asked, language] of [
      [{ ...request, language: 'zh' }, 'cmn'],
      [open, 'en'],
    ] as const) {
      await run(asked);
      expect(JSON.parse(upstream.sockets[0]?.texts[0] ?? '')).toMatchObject({ transcription_config: { language } });
      await upstream.close();
    }
    upstream = await createSpeechmatics();
  });
});
