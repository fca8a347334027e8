import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sttModel, ttsModel } from '../../lib/catalog/speech-entry';
import { systemClock, type Clock } from '../../lib/domain/clock';
import type { ProviderDefinition } from '../../lib/domain/provider';
import { startAudioServer, type AudioServer } from '../support/audio-server';
import type { SocketClient } from '../support/socket-client';

// Many sockets at once, through the real server: idle ones, dead ones, slow ones, and the end of the process.

/** Transcribes at once, and has one last word after a stop; speaks any amount of text. */
const quick: ProviderDefinition = {
  id: 'quick',
  name: 'Quick',
  capabilities: ['stt', 'tts'],
  settings: [],
  create: () => ({
    id: 'quick',
    stt: {
      async *transcribe(audio) {
        yield { kind: 'ready' };
        let bytes = 0;
        for await (const piece of audio) bytes += piece.byteLength;
        yield { kind: 'transcript', transcript: { text: `the last of ${bytes} bytes`, isFinal: true } };
      },
    },
    tts: {
      open: () => ({
        async *speak({ input }, signal) {
          const base64 = Buffer.alloc(9_600).toString('base64');
          const chunks = input.startsWith('much') ? 20_000 : 3;
          for (let chunk = 0; chunk < chunks && !signal.aborted; chunk++) {
            if (chunk % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
            yield { base64 };
          }
        },
        close: () => {},
      }),
    },
    video: {
      start: () => Promise.reject(new Error('no')),
      check: () => Promise.reject(new Error('no')),
      open: () => Promise.reject(new Error('no')),
    },
  }),
};
const shared = { name: 'Quick', description: 'A model of the tests.', family: 'tests', created: 1_795_219_200 };
const models = [
  sttModel({
    ...shared,
    id: 'hears',
    facts: {
      encodings: ['pcm_s16le'],
      sampleRatesHz: [16_000],
      languages: ['en'],
      withoutLanguage: { assumes: 'en' },
      wordTimes: 'none',
      maxSessionSeconds: 10_800,
    },
    bindings: [
      {
        providerId: 'quick',
        modelName: 'h',
        price: { perMinute: '0.006', meter: 'audio', source: 'tests', verified: true },
      },
    ],
  }),
  ttsModel({
    ...shared,
    id: 'speaks',
    facts: {
      voices: [{ name: 'Ann' }],
      otherVoices: false,
      languages: ['en'],
      formats: ['pcm_24000'],
      maxInputCharacters: 100,
      maxSessionSeconds: 3_600,
    },
    bindings: [
      { providerId: 'quick', modelName: 's', price: { perMillionCharacters: '10', source: 'tests', verified: true } },
    ],
  }),
];

/** The system's clock, twenty times as fast: a minute of idling takes three seconds. */
const HURRY = 20;
function hurriedClock(): Clock {
  const start = Date.now();
  const nowMs = () => start + (Date.now() - start) * HURRY;
  return {
    now: () => new Date(nowMs()),
    nowMs,
    after: (ms, run) => systemClock.after(ms / HURRY, run),
    sleep: (ms, signal) => systemClock.sleep(ms / HURRY, signal),
  };
}

const opened = (client: SocketClient) =>
  new Promise<void>((resolve) =>
    client.socket.readyState === 1 ? resolve() : client.socket.once('open', () => resolve()),
  );

describe('many sockets', () => {
  let server: AudioServer;
  beforeAll(async () => {
    server = await startAudioServer({ providers: [quick], testProvider: quick, models, clock: hurriedClock() });
  });
  afterAll(() => server.close());

  it('a thousand silent ones are closed after a minute, each once', async () => {
    const clients = Array.from({ length: 1_000 }, () => server.speak());
    await Promise.all(clients.map(opened));
    const since = performance.now();
    const ends = await Promise.all(clients.map(({ closed }) => closed));
    const minutes = ((performance.now() - since) * HURRY) / 60_000;
    expect(new Set(ends.map(({ code, reason }) => `${code} ${reason}`))).toEqual(new Set(['1000 idle_timeout']));
    expect(minutes).toBeGreaterThan(0.5);
    await gone(server);
  }, 120_000);

  it('those that never answer a ping are cut off, although they continue to send', async () => {
    const clients = Array.from({ length: 50 }, () => server.speak({ answersPings: false }));
    await Promise.all(clients.map(opened));
    const chatter = setInterval(() => {
      for (const client of clients) if (client.socket.readyState === 1) client.send({ type: 'cancel' });
    }, 500);
    const ends = await Promise.all(clients.map(({ closed }) => closed));
    clearInterval(chatter);
    expect(new Set(ends.map(({ code }) => code))).toEqual(new Set([1006]));
    await gone(server);
  }, 60_000);

  it('a reader that stops reading is disconnected, memory stays flat, and others are not affected', async () => {
    const slow = server.speak();
    await opened(slow);
    slow.socket.pause();
    const before = process.memoryUsage().rss;
    slow.socket.send(JSON.stringify({ type: 'tts', model: 'speaks', input: 'much', voice: 'Ann' }));
    let most = before;
    const look = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 20);
    const other = server.speak();
    other.send({ type: 'tts', model: 'speaks', input: 'hello', voice: 'Ann' });
    expect((await other.next(({ type }) => type === 'done')).type).toBe('done');
    // 256 MB of audio would follow; what is not read is never generated.
    while (server.gateway.audio.count() > 1) await systemClock.sleep(50);
    clearInterval(look);
    expect((most - before) / 1e6).toBeLessThan(60);
    slow.cut();
    other.cut();
    await gone(server);
  }, 60_000);

  it("never receive each other's contexts", async () => {
    const clients = Array.from({ length: 50 }, () => server.speak());
    for (const client of clients) client.send({ type: 'tts', model: 'speaks', input: 'hello', voice: 'Ann' });
    const contexts = await Promise.all(
      clients.map(async (client) => {
        await client.next(({ type }) => type === 'done');
        const ids = new Set(client.messages.map(({ context_id }) => context_id));
        expect(ids.size).toBe(1);
        client.cut();
        return [...ids][0];
      }),
    );
    expect(new Set(contexts).size).toBe(50);
    await gone(server);
  }, 60_000);
});

describe('the end of the process', () => {
  it('gives each of two hundred live sessions its final text, done, and 1001', async () => {
    const server = await startAudioServer({ providers: [quick], testProvider: quick, models });
    const clients = Array.from({ length: 200 }, (_, index) => (index % 4 === 0 ? server.speak() : server.transcribe()));
    await Promise.all(
      clients.map(async (client, index) => {
        if (index % 4 === 0) {
          client.send({ type: 'tts', model: 'speaks', input: 'hello', voice: 'Ann' });
          await client.next(({ type }) => type === 'audio');
          return;
        }
        client.send({ type: 'configure', model: 'hears' });
        await client.next(({ type }) => type === 'session_started');
        for (let frame = 0; frame < 5; frame++) client.send(new Uint8Array(640));
        // A reply to something shows that the frames before it have arrived.
        client.send({ type: 'dance' });
        await client.next(({ type }) => type === 'error');
      }),
    );
    const since = performance.now();
    server.gateway.drain();
    const closing = server.close();
    const ends = await Promise.all(clients.map(({ closed }) => closed));
    expect(performance.now() - since).toBeLessThan(30_000);
    expect(new Set(ends.map(({ code }) => code))).toEqual(new Set([1001]));
    for (const [index, { messages }] of clients.entries()) {
      const types = messages.map(({ type }) => type);
      if (index % 4 === 0) expect(types.at(-1)).toBe('done');
      else
        expect(messages.slice(-2)).toEqual([
          { type: 'transcript', text: 'the last of 3200 bytes', is_final: true },
          expect.objectContaining({ type: 'done', audio_duration_seconds: 0.1 }),
        ]);
    }
    await closing;
  }, 90_000);
});

/** Every session has ended, and its bill with it. */
async function gone(server: AudioServer): Promise<void> {
  while (server.gateway.audio.count() > 0) await systemClock.sleep(20);
}
