import { RealtimeClient } from '@speechmatics/real-time-client';
import { afterEach, describe, expect, it } from 'vitest';
import { makeSound, scriptWords } from '../../support/upstreams/script';
import { createSpeechmatics } from '../../support/upstreams/speechmatics';
import { goodKey } from '../../support/upstreams/upstream';
import type { Upstream } from '../../support/upstreams/upstream';
import { plain } from '../contract/stt';

describe("the vendor's client accepts the fake Speechmatics", () => {
  let upstream: Upstream;
  afterEach(() => upstream.close());

  it('recognition started, partials and finals, acknowledged audio, end of transcript', async () => {
    upstream = await createSpeechmatics();
    const client = new RealtimeClient({ url: `${upstream.baseUrl.replace('http', 'ws')}/v2` });
    const kinds = new Set<string>();
    let text = '';
    client.addEventListener('receiveMessage', ({ data }) => {
      kinds.add(data.message);
      if (data.message === 'AddTranscript') text += data.metadata.transcript;
    });
    await client.start(goodKey, {
      transcription_config: { language: 'en', enable_partials: true },
      audio_format: { type: 'raw', encoding: 'pcm_s16le', sample_rate: 16_000 },
    });
    for (let piece = 0; piece < 43; piece++) client.sendAudio(Uint8Array.from(makeSound(0.1)));
    await client.stopRecognition();
    expect(plain(text)).toBe(plain(scriptWords.join(' ')));
    expect([...kinds].sort()).toEqual([
      'AddPartialTranscript',
      'AddTranscript',
      'AudioAdded',
      'EndOfTranscript',
      'RecognitionStarted',
    ]);
  });
});
