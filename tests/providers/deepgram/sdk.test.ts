import { DeepgramClient } from '@deepgram/sdk';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../lib/domain/clock';
import { createDeepgram } from '../../support/upstreams/deepgram';
import { makeSound, scriptWords } from '../../support/upstreams/script';
import { goodKey } from '../../support/upstreams/upstream';
import type { Upstream } from '../../support/upstreams/upstream';

// The vendor's own client against our fake: if the client understands it, the fake matches the real upstream.

describe("the vendor's client accepts the fake Deepgram", () => {
  let upstream: Upstream;
  afterEach(() => upstream.close());

  async function makeClient() {
    upstream = await createDeepgram();
    const socketBase = upstream.baseUrl.replace('http', 'ws');
    return new DeepgramClient({
      apiKey: goodKey,
      environment: { base: upstream.baseUrl, production: socketBase, agent: socketBase, agentRest: upstream.baseUrl },
    });
  }

  it('in v1 listen: interims, finals, metadata, close', async () => {
    const client = await makeClient();
    const socket = await client.listen.v1.connect({
      model: 'nova-3',
      encoding: 'linear16',
      sample_rate: 16_000,
      interim_results: 'true',
      punctuate: 'true',
      language: 'en',
      Authorization: `Token ${goodKey}`,
      reconnectAttempts: 0,
    });
    const finals: string[] = [];
    let interims = 0;
    const metadata = new Promise<number>((resolve, reject) => {
      socket.on('error', reject);
      socket.on('message', (message) => {
        if (message.type === 'Metadata') resolve(message.duration);
        if (message.type !== 'Results') return;
        const heard = message.channel.alternatives[0];
        if (message.is_final) finals.push(...(heard?.words ?? []).map((word) => word.punctuated_word ?? word.word));
        else interims++;
      });
    });
    socket.connect();
    await socket.waitForOpen();
    for (let piece = 0; piece < 43; piece++) socket.sendMedia(makeSound(0.1));
    socket.sendKeepAlive({ type: 'KeepAlive' });
    socket.sendCloseStream({ type: 'CloseStream' });
    expect(await metadata).toBeCloseTo(4.3);
    expect(finals).toEqual([...scriptWords]);
    expect(interims).toBeGreaterThan(5);
    socket.close();
  });

  it('in v2 listen: connected, turns, the end of a turn', async () => {
    const client = await makeClient();
    const socket = await client.listen.v2.connect({
      model: 'flux-general-en',
      encoding: 'linear16',
      sample_rate: 16_000,
      Authorization: `Token ${goodKey}`,
      reconnectAttempts: 0,
    });
    const turns: string[] = [];
    const kinds = new Set<string>();
    const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
    socket.on('message', (message) => {
      kinds.add(message.type);
      if (message.type === 'TurnInfo' && message.event === 'EndOfTurn') turns.push(message.transcript);
    });
    socket.connect();
    await socket.waitForOpen();
    for (let piece = 0; piece < 43; piece++) socket.sendMedia(makeSound(0.1));
    socket.sendCloseStream({ type: 'CloseStream' });
    await closed;
    expect(turns.join(' ')).toBe(scriptWords.join(' '));
    expect([...kinds].sort()).toEqual(['Connected', 'TurnInfo']);
  });

  it('in v1 speak: metadata, audio, flushed, cleared', async () => {
    const client = await makeClient();
    const socket = await client.speak.v1.connect({
      model: 'aura-2-thalia-en',
      encoding: 'linear16',
      sample_rate: '24000',
      Authorization: `Token ${goodKey}`,
      reconnectAttempts: 0,
    });
    const kinds: string[] = [];
    let bytes = 0;
    socket.on('message', (message) => {
      const received: unknown = message;
      if (received instanceof Blob) bytes += received.size;
      else kinds.push(typeof message === 'object' ? message.type : 'text');
    });
    socket.connect();
    await socket.waitForOpen();
    socket.sendText({ type: 'Speak', text: 'one two three' });
    socket.sendFlush({ type: 'Flush' });
    for (let tries = 0; tries < 100 && !kinds.includes('Flushed'); tries++) await systemClock.sleep(10);
    socket.sendClear({ type: 'Clear' });
    for (let tries = 0; tries < 100 && !kinds.includes('Cleared'); tries++) await systemClock.sleep(10);
    expect(kinds).toEqual(['Metadata', 'Flushed', 'Cleared']);
    expect(bytes).toBeGreaterThanOrEqual(3 * 4_800);
    socket.close();
  });
});
