import { afterEach, describe, expect, it } from 'vitest';
import { deepgramModels } from '../../../lib/catalog/families/deepgram';
import { parseOutputFormat } from '../../../lib/catalog/output-format';
import { systemClock } from '../../../lib/domain/clock';
import type { SpeechRequest } from '../../../lib/domain/speech';
import { createAura } from '../../../lib/providers/deepgram/tts';
import { recordLog } from '../../support/log';
import { createDeepgram } from '../../support/upstreams/deepgram';
import { goodKey } from '../../support/upstreams/upstream';
import type { Upstream } from '../../support/upstreams/upstream';
import { listen, ttsContract } from '../contract/tts';
import { makeSpeechRequest } from '../make-speech-request';

const makeRequest = (change?: Partial<Omit<SpeechRequest, 'binding'>>) =>
  makeSpeechRequest('deepgram', 'aura-2', { voice: 'thalia', ...change });

ttsContract('deepgram aura', {
  makeSubject: async ({ key, clock }) => {
    const upstream = await createDeepgram();
    return { upstream, provider: createAura({ baseUrl: upstream.baseUrl, key, clock }) };
  },
  makeRequest,
  connectsFirst: false,
  unknownVoice: 'nobody',
});

describe('deepgram aura', () => {
  let upstream: Upstream;
  afterEach(() => upstream.close());

  it('gets every voice and format of our catalog in its own words', async () => {
    upstream = await createDeepgram();
    const connection = createAura({ baseUrl: upstream.baseUrl, key: goodKey, clock: systemClock }).open({
      signal: new AbortController().signal,
      log: recordLog(),
    });
    const facts = deepgramModels.flatMap((model) => (model.capability === 'tts' ? [model.tts] : []))[0]!;
    for (const { name, id } of facts.voices) {
      await listen(connection.speak(makeRequest({ voice: name }), new AbortController().signal));
      expect(upstream.sockets.at(-1)?.url.searchParams.get('model')).toBe(id);
    }
    for (const word of facts.formats) {
      await listen(
        connection.speak(
          makeRequest({ voice: 'AURA-2-Zeus-EN', format: parseOutputFormat(word)! }),
          new AbortController().signal,
        ),
      );
    }
    expect(
      upstream.sockets
        .slice(-facts.formats.length)
        .map(
          ({ url }) =>
            `${url.searchParams.get('encoding')} ${url.searchParams.get('sample_rate')} ${url.searchParams.get('container')}`,
        ),
    ).toEqual([
      'linear16 8000 none',
      'linear16 16000 none',
      'linear16 24000 none',
      'linear16 48000 none',
      'mulaw 8000 none',
      'alaw 8000 none',
    ]);
    connection.close();
    await upstream.drained();
  });
});
