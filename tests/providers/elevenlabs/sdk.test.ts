import { ElevenLabsClient, RealtimeEvents } from '@elevenlabs/elevenlabs-js';
import { AudioFormat, CommitStrategy } from '@elevenlabs/elevenlabs-js/wrapper/realtime';
import { afterEach, describe, expect, it } from 'vitest';
import { createElevenLabs } from '../../support/upstreams/elevenlabs';
import { makeSound, scriptWords } from '../../support/upstreams/script';
import { goodKey } from '../../support/upstreams/upstream';
import type { Upstream } from '../../support/upstreams/upstream';

describe("the vendor's client accepts the fake ElevenLabs", () => {
  let upstream: Upstream;
  afterEach(() => upstream.close());

  it('in Scribe: session, partials, commits with times', async () => {
    upstream = await createElevenLabs();
    const client = new ElevenLabsClient({ apiKey: goodKey, baseUrl: upstream.baseUrl });
    const session = await client.speechToText.realtime.connect({
      modelId: 'scribe_v2_realtime',
      audioFormat: AudioFormat.PCM_16000,
      sampleRate: 16_000,
      commitStrategy: CommitStrategy.VAD,
      includeTimestamps: true,
    });
    const finals: string[] = [];
    let partials = 0;
    const started = new Promise<void>((resolve) => session.on(RealtimeEvents.SESSION_STARTED, () => resolve()));
    session.on(RealtimeEvents.PARTIAL_TRANSCRIPT, () => void partials++);
    const all = new Promise<void>((resolve) => {
      session.on(RealtimeEvents.COMMITTED_TRANSCRIPT_WITH_TIMESTAMPS, (message) => {
        finals.push(
          ...(message.words ?? []).flatMap((word) =>
            word.type === 'word' && word.text !== undefined ? [word.text] : [],
          ),
        );
        if (finals.length === scriptWords.length) resolve();
      });
    });
    await started;
    for (let piece = 0; piece < 43; piece++)
      session.send({ audioBase64: Buffer.from(makeSound(0.1)).toString('base64') });
    session.commit();
    await all;
    expect(finals).toEqual([...scriptWords]);
    expect(partials).toBeGreaterThan(5);
    session.close();
  });
});
