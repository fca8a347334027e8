import { SonioxNodeClient } from '@soniox/node';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { makeSound, scriptWords } from '../../support/upstreams/script';
import { createSoniox } from '../../support/upstreams/soniox';
import { goodKey } from '../../support/upstreams/upstream';
import type { Upstream } from '../../support/upstreams/upstream';

describe("the vendor's client accepts the fake Soniox", () => {
  let upstream: Upstream;
  // The client uses the global WebSocket, which this version of Node does not have.
  beforeEach(() => void vi.stubGlobal('WebSocket', WebSocket));
  afterEach(async () => {
    vi.unstubAllGlobals();
    await upstream.close();
  });

  it('tokens, endpoints, finished', async () => {
    upstream = await createSoniox();
    const client = new SonioxNodeClient({
      api_key: goodKey,
      realtime: { ws_base_url: `${upstream.baseUrl.replace('http', 'ws')}/transcribe-websocket` },
    });
    const session = client.realtime.stt({
      model: 'stt-rt-v5',
      audio_format: 'pcm_s16le',
      sample_rate: 16_000,
      num_channels: 1,
      enable_endpoint_detection: true,
    });
    let text = '';
    let endpoints = 0;
    session.on('result', (result) => {
      for (const token of result.tokens) if (token.is_final && !token.text.startsWith('<')) text += token.text;
    });
    session.on('endpoint', () => void endpoints++);
    await session.connect();
    for (let piece = 0; piece < 43; piece++) session.sendAudio(makeSound(0.1));
    await session.finish();
    expect(text.trim()).toBe(scriptWords.join(' '));
    expect(endpoints).toBe(2);
  });
});
