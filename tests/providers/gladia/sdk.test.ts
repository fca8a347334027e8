import { GladiaClient } from '@gladiaio/sdk';
import { afterEach, describe, expect, it } from 'vitest';
import { createGladia } from '../../support/upstreams/gladia';
import { makeSound, scriptWords } from '../../support/upstreams/script';
import { goodKey } from '../../support/upstreams/upstream';
import type { Upstream } from '../../support/upstreams/upstream';

describe("the vendor's client accepts the fake Gladia", () => {
  let upstream: Upstream;
  afterEach(() => upstream.close());

  it('session, transcripts, acknowledged audio, end', async () => {
    upstream = await createGladia();
    const session = new GladiaClient({ apiKey: goodKey, apiUrl: upstream.baseUrl }).liveV2().startSession({
      encoding: 'wav/pcm',
      bit_depth: 16,
      sample_rate: 16_000,
      channels: 1,
      messages_config: {
        receive_partial_transcripts: true,
        receive_acknowledgments: true,
        receive_lifecycle_events: true,
      },
    });
    const finals: string[] = [];
    const kinds = new Set<string>();
    session.on('message', (message) => {
      kinds.add(message.type);
      if (message.type === 'transcript' && message.data.is_final) finals.push(message.data.utterance.text);
    });
    const ended = new Promise<void>((resolve, reject) => {
      session.once('ended', () => resolve());
      session.once('error', reject);
    });
    for (let piece = 0; piece < 43; piece++) session.sendAudio(Uint8Array.from(makeSound(0.1)));
    session.stopRecording();
    await ended;
    expect(finals.join(' ')).toBe(scriptWords.join(' '));
    expect([...kinds]).toEqual(
      expect.arrayContaining(['audio_chunk', 'transcript', 'stop_recording', 'end_recording', 'end_session']),
    );
  });
});
