import { StreamingTranscriber } from 'assemblyai';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../lib/domain/clock';
import { createAssemblyAi } from '../../support/upstreams/assemblyai';
import { makeSound, scriptWords } from '../../support/upstreams/script';
import { goodKey } from '../../support/upstreams/upstream';
import type { Upstream } from '../../support/upstreams/upstream';

describe("the vendor's client accepts the fake AssemblyAI", () => {
  let upstream: Upstream;
  afterEach(() => upstream.close());
  function makeClient(apiKey: string): StreamingTranscriber {
    const client = new StreamingTranscriber({
      websocketBaseUrl: `${upstream.baseUrl.replace('http', 'wss')}/v3/ws`,
      apiKey,
      sampleRate: 16_000,
      encoding: 'pcm_s16le',
      formatTurns: true,
      speechModel: 'universal-streaming-english',
      maxConnectionRetries: 0,
    });
    // The client requires TLS, and the fake has no certificate: only the scheme of its URL is changed. Safe: the method
    // is private to its class and takes no arguments.
    const inner = client as unknown as { connectionUrl(): URL };
    const connectionUrl = inner.connectionUrl.bind(client);
    inner.connectionUrl = () => new URL(connectionUrl().href.replace('wss:', 'ws:'));
    return client;
  }

  it('begin, turns, termination', async () => {
    upstream = await createAssemblyAi();
    const client = makeClient(goodKey);
    const finals: string[] = [];
    client.on('turn', (turn) => {
      if (turn.end_of_turn && turn.turn_is_formatted) finals.push(turn.transcript);
    });
    expect(await client.connect()).toMatchObject({ id: 'a-session' });
    for (let piece = 0; piece < 43; piece++) {
      client.sendAudio(Uint8Array.from(makeSound(0.1)).buffer);
      await systemClock.sleep(40);
    }
    await client.close();
    expect(finals.join(' ')).toBe(scriptWords.join(' '));
  });

  it('a wrong key, reported after the upgrade', async () => {
    upstream = await createAssemblyAi();
    const client = makeClient('wrong-key');
    client.on('error', () => {});
    await expect(client.connect()).rejects.toThrow();
    await upstream.drained();
    expect(upstream.sockets[0]?.closeCode).toBe(1008);
  });
});
