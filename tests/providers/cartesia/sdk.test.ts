import { createRequire } from 'node:module';
import { connect } from 'node:net';
import type { Cartesia as Client } from '@cartesia/cartesia-js';
import { afterEach, describe, expect, it } from 'vitest';
import { createCartesia } from '../../support/upstreams/cartesia';
import { sampleOf } from '../../support/upstreams/speaking';
import { goodKey } from '../../support/upstreams/upstream';
import type { Upstream } from '../../support/upstreams/upstream';
import { samplesIn } from '../contract/tts';

// The client's other build cannot find `ws` and then has no sockets. Safe: both builds have the same types.
const { Cartesia } = createRequire(import.meta.url)('@cartesia/cartesia-js') as { readonly Cartesia: typeof Client };

describe("the vendor's client accepts the fake Cartesia", () => {
  let upstream: Upstream;
  afterEach(() => upstream.close());

  it('voices over HTTP, then chunks, done and an error of one context over the socket', async () => {
    upstream = await createCartesia();
    const client = new Cartesia({ apiKey: goodKey, baseURL: upstream.baseUrl });
    const voices: string[] = [];
    for await (const voice of client.voices.list({ q: 'marta' })) voices.push(voice.id);
    expect(voices).toHaveLength(2);

    // The client always uses TLS; the line below disables it, because the fake has no certificate.
    const port = Number(new URL(upstream.baseUrl).port);
    const socket = await client.tts.websocket({ createConnection: () => connect(port, '127.0.0.1') });
    const request = (voice: string) =>
      ({
        model_id: 'sonic-3.5',
        transcript: 'one two three',
        voice: { mode: 'id', id: voice },
        language: 'en',
        output_format: { container: 'raw', encoding: 'pcm_s16le', sample_rate: 24_000 },
      }) as const;
    const pieces: Buffer[] = [];
    const kinds = new Set<string>();
    for await (const event of socket.generate({ ...request(voices[0]!), context_id: 'a' })) {
      kinds.add(event.type);
      if (event.type === 'chunk') pieces.push(Buffer.from(event.data, 'base64'));
    }
    expect([...kinds]).toEqual(['chunk', 'done']);
    expect(samplesIn(Buffer.concat(pieces))).toEqual([sampleOf('one two three')]);

    const refused: string[] = [];
    socket.on('error', (error) => refused.push(error.message));
    await (async () => {
      for await (const event of socket.generate({ ...request('nobody'), context_id: 'b' })) refused.push(event.type);
    })().catch((error: unknown) => refused.push(String(error)));
    expect(refused.join(' ')).toContain('Voice not found');
    socket.close();
  });
});
