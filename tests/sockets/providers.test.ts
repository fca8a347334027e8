import { createServer as createHttpServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import { certificate } from '../support/certificate';
import { freePort } from '../support/child-server';
import { startAudioServer, type AudioServer } from '../support/audio-server';
import type { SocketClient } from '../support/socket-client';
import { createAssemblyAi } from '../support/upstreams/assemblyai';
import { createCartesia } from '../support/upstreams/cartesia';
import { createDeepgram } from '../support/upstreams/deepgram';
import { createElevenLabs } from '../support/upstreams/elevenlabs';
import { createGladia } from '../support/upstreams/gladia';
import { createOpenAi } from '../support/upstreams/openai';
import { makeSound, scriptWords } from '../support/upstreams/script';
import { createSoniox } from '../support/upstreams/soniox';
import { sampleOf, wordsOf } from '../support/upstreams/speaking';
import { createSpeechmatics } from '../support/upstreams/speechmatics';
import { goodKey, type Upstream } from '../support/upstreams/upstream';

// From end to end: a client's socket, the gateway with its books, a provider, and an upstream that is faithful to the
// wire.

const sttModels: Readonly<Record<string, { make: () => Promise<Upstream>; variable: string }>> = {
  'nova-3': { make: createDeepgram, variable: 'DEEPGRAM' },
  'universal-streaming-english': { make: createAssemblyAi, variable: 'ASSEMBLYAI' },
  'stt-rt-v5': { make: createSoniox, variable: 'SONIOX' },
  'scribe-v2-realtime': { make: createElevenLabs, variable: 'ELEVENLABS' },
  'solaria-1': { make: createGladia, variable: 'GLADIA' },
  'speechmatics-enhanced': { make: createSpeechmatics, variable: 'SPEECHMATICS' },
  'gpt-4o-transcribe': { make: createOpenAi, variable: 'OPENAI' },
};
const models = Object.keys(sttModels);
const upstreams = new Map<string, Upstream>();
let server: AudioServer;

beforeAll(async () => {
  const env: Record<string, string> = { CONFIRMED_PRICES: [...models, 'sonic-3.5'].join(',') };
  for (const [model, { make, variable }] of Object.entries(sttModels)) {
    const upstream = await make();
    upstreams.set(model, upstream);
    env[`${variable}_API_KEY`] = goodKey;
    env[`${variable}_BASE_URL`] = upstream.baseUrl;
  }
  upstreams.set('sonic-3.5', await createCartesia());
  env['CARTESIA_API_KEY'] = goodKey;
  env['CARTESIA_BASE_URL'] = upstreams.get('sonic-3.5')!.baseUrl;
  server = await startAudioServer({ env });
});
afterAll(async () => {
  await server.close();
  await Promise.all([...upstreams.values()].map((upstream) => upstream.close()));
});

const plain = (text: string) => text.toLowerCase().replace(/[.,]/g, '').replace(/\s+/g, ' ').trim();
const finalsOf = ({ messages }: SocketClient) =>
  plain(
    messages
      .filter(({ type, is_final }) => type === 'transcript' && is_final)
      .map(({ text }) => String(text))
      .join(' '),
  );

async function begin(model: string, errors: Upstream['errors'] = {}): Promise<SocketClient> {
  const upstream = upstreams.get(model)!;
  for (const name of Object.keys(upstream.errors)) delete upstream.errors[name as keyof Upstream['errors']];
  Object.assign(upstream.errors, errors);
  const client = server.transcribe({ key: server.firstRun.keys.live });
  client.send({ type: 'configure', model, language: 'en' });
  return client;
}

function send(client: SocketClient, seconds: number): void {
  const sound = makeSound(seconds);
  for (let at = 0; at < sound.byteLength; at += 640) client.send(sound.subarray(at, at + 640));
}

const spent = async () =>
  Number((await server.gateway.accounts.credits({ orgId: (await server.caller('live')).orgId, mode: 'live' })).spent);

describe.each(models)('a transcription by %s', (model) => {
  it('comes with every word once, done, the right bill, and leaves no upstream socket', async () => {
    const before = await spent();
    const client = await begin(model);
    await client.next(({ type }) => type === 'session_started');
    send(client, 4.3);
    client.send({ type: 'stop' });
    const done = await client.next(({ type }) => type === 'done');
    expect(await client.closed).toEqual({ code: 1000, reason: 'done' });
    expect(finalsOf(client)).toBe(plain(scriptWords.join(' ')));
    expect(Number(done.audio_duration_seconds)).toBeGreaterThan(3.5);
    expect(await spent()).toBeGreaterThan(before);
    await upstreams.get(model)!.drained();
  }, 20_000);

  it('loses nothing of a burst that came before the upstream had opened', async () => {
    const client = await begin(model, { upgradeDelayMs: 300 });
    send(client, 2.11);
    client.send({ type: 'stop' });
    await client.next(({ type }) => type === 'done');
    expect(finalsOf(client)).toBe(plain(scriptWords.slice(0, 7).join(' ')));
  }, 20_000);

  it('does not show that an upstream breaks off once: every word still comes, in its place, and is paid once', async () => {
    const before = await spent();
    const client = await begin(model, { dropAfterSeconds: 1, dropOnce: true });
    await client.next(({ type }) => type === 'session_started');
    for (let sent = 0; sent < 31; sent++) {
      client.send(makeSound(0.1));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    client.send({ type: 'stop' });
    await client.next(({ type }) => type === 'done');
    const finals = client.messages.filter(({ type, is_final }) => type === 'transcript' && is_final);
    // A fake returns the same words for any audio, from the beginning on each socket, so only their number matters.
    const plainWords = plain(finals.map(({ text }) => String(text)).join(' ')).split(' ');
    const starts = finals.flatMap(({ words }) => (words ?? []) as { start: number; end: number }[]);
    expect(starts.every(({ start }, index) => start >= (starts[index - 1]?.end ?? 0))).toBe(true);
    expect(plainWords).toHaveLength(10);
    expect(client.messages.some(({ type }) => type === 'error')).toBe(false);
    expect(await spent()).toBeGreaterThan(before);
    await upstreams.get(model)!.drained();
  }, 20_000);

  it('ends with an error soon when the upstream breaks off again and again, and is charged for what was forwarded', async () => {
    const client = await begin(model, { dropAfterSeconds: 1 });
    await client.next(({ type }) => type === 'session_started');
    send(client, 2.11);
    expect(await client.next(({ type }) => type === 'error')).toMatchObject({ code: 502 });
    expect((await client.closed).code).toBe(1011);
    await upstreams.get(model)!.drained();
  }, 20_000);

  it.each([[{ refuse: 401 }], [{ refuse: 429 }], [{ refuse: 503 }], [{ closeAtOnce: true }]])(
    'ends with 502 and a message of ours when the upstream does %j',
    async (errors) => {
      const client = await begin(model, errors);
      const error = await client.next(({ type }) => type === 'error');
      expect([error.code, (await client.closed).code]).toEqual([502, 1011]);
      expect(String(error.message)).toMatch(/^The provider /);
      await upstreams.get(model)!.drained();
    },
    20_000,
  );

  it('leaves no upstream socket when the client disconnects while it opens, nor in the middle', async () => {
    const early = await begin(model, { upgradeDelayMs: 200 });
    await new Promise((resolve) => setTimeout(resolve, 50));
    early.cut();
    const late = await begin(model);
    await late.next(({ type }) => type === 'session_started');
    send(late, 0.5);
    late.cut();
    while (server.gateway.audio.count() > 0) await new Promise((resolve) => setTimeout(resolve, 20));
    await upstreams.get(model)!.drained();
  }, 20_000);
});

describe('an upstream that never answers', () => {
  it('ends with 502 after five seconds, for every provider', async () => {
    const started = performance.now();
    const clients = await Promise.all(models.map((model) => begin(model, { neverUpgrade: true })));
    const errors = await Promise.all(clients.map((client) => client.next(({ type }) => type === 'error')));
    expect(errors.map(({ code }) => code)).toEqual(models.map(() => 502));
    expect(performance.now() - started).toBeLessThan(8_000);
  }, 20_000);

  it('to the stop ends with done all the same, within ten seconds', async () => {
    const clients = await Promise.all(models.map((model) => begin(model, { hangOnStop: true })));
    await Promise.all(
      clients.map(async (client) => {
        await client.next(({ type }) => type === 'session_started');
        send(client, 1.4);
        client.send({ type: 'stop' });
        await client.next(({ type }) => type === 'done');
        expect((await client.closed).code).toBe(1000);
      }),
    );
  }, 30_000);
});

describe('an upstream that is not a provider', () => {
  // Each variable below sets the base URL of one provider.
  const page = createHttpServer(
    (_request, response) =>
      void response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<html><body>Welcome to our proxy, customer 4711</body></html>'),
  );
  const secure = createTlsServer({ cert: certificate.cert, key: certificate.key });
  const babbling = createHttpServer();
  const shouting = createHttpServer();
  const servers = [page, secure, babbling, shouting];
  let strange: AudioServer;

  beforeAll(async () => {
    new WebSocketServer({ server: babbling }).on('connection', (socket) => {
      for (const text of ['<html>', '{"type":', '[]', 'null', '{"type":{"a":1}}']) socket.send(text);
      socket.send(Buffer.alloc(1_000, 7));
    });
    new WebSocketServer({ server: shouting }).on('connection', (socket) => {
      socket.on('error', () => {});
      socket.send('x'.repeat(9_000_000));
    });
    await Promise.all(servers.map((each) => new Promise<void>((resolve) => void each.listen(0, '127.0.0.1', resolve))));
    const [pageAt, secureAt, babblingAt, shoutingAt] = servers.map((each) => (each.address() as AddressInfo).port);
    strange = await startAudioServer({
      env: {
        CONFIRMED_PRICES: [...models, 'sonic-3.5'].join(','),
        DEEPGRAM_API_KEY: goodKey,
        DEEPGRAM_BASE_URL: `http://127.0.0.1:${await freePort()}`,
        SONIOX_API_KEY: goodKey,
        SONIOX_BASE_URL: `https://127.0.0.1:${secureAt}`,
        ASSEMBLYAI_API_KEY: goodKey,
        ASSEMBLYAI_BASE_URL: `http://127.0.0.1:${pageAt}`,
        ELEVENLABS_API_KEY: goodKey,
        ELEVENLABS_BASE_URL: `http://127.0.0.1:${babblingAt}`,
        SPEECHMATICS_API_KEY: goodKey,
        SPEECHMATICS_BASE_URL: `http://127.0.0.1:${shoutingAt}`,
        CARTESIA_API_KEY: goodKey,
        CARTESIA_BASE_URL: `http://127.0.0.1:${pageAt}`,
      },
    });
  });
  afterAll(async () => {
    await strange.close();
    for (const each of servers) {
      each.closeAllConnections();
      each.close();
    }
  });

  it.each([
    ['at an unreachable URL', 'nova-3'],
    ['with an untrusted certificate', 'stt-rt-v5'],
    ['that answers the upgrade with a page', 'universal-streaming-english'],
    ['that sends only garbage', 'scribe-v2-realtime'],
    ['whose first message has nine million letters', 'speechmatics-enhanced'],
  ])(
    '%s ends a transcription with 502 and a message of ours',
    async (_what, model) => {
      const client = strange.transcribe({ key: strange.firstRun.keys.live });
      client.send({ type: 'configure', model, language: 'en' });
      const error = await client.next();
      expect([error.type, error.code, (await client.closed).code]).toEqual(['error', 502, 1011]);
      expect(String(error.message)).toMatch(/^The provider /);
      expect(String(error.message)).not.toContain('4711');
      while (strange.gateway.audio.count() > 0) await new Promise((resolve) => setTimeout(resolve, 20));
    },
    20_000,
  );

  it('that answers the upgrade with a page ends speech with 502', async () => {
    const client = strange.speak({ key: strange.firstRun.keys.live });
    client.send({ type: 'tts', model: 'sonic-3.5', input: 'Hello.', voice: 'Katie' });
    const error = await client.next();
    expect([error.type, error.code, (await client.closed).code]).toEqual(['error', 502, 1011]);
  }, 20_000);
});

describe('an upstream that floods', () => {
  it('with twenty thousand messages affects neither its own session nor another one', async () => {
    const client = await begin('nova-3');
    await client.next(({ type }) => type === 'session_started');
    const [line] = upstreams.get('nova-3')!.open;
    const other = await begin('stt-rt-v5');
    await other.next(({ type }) => type === 'session_started');
    for (let count = 0; count < 20_000; count++)
      line!.socket.send(
        count % 2 === 0
          ? '{"type":"SpeechStarted","channel":[0],"timestamp":0.5}'
          : '{"type":"Results","is_final":false,"channel":{"alternatives":[{"transcript":"","words":[]}]}}',
      );
    for (const each of [client, other]) {
      send(each, 4.3);
      each.send({ type: 'stop' });
    }
    for (const each of [other, client]) {
      await each.next(({ type }) => type === 'done');
      expect(finalsOf(each)).toBe(plain(scriptWords.join(' ')));
    }
  }, 30_000);
});

describe('speech by sonic-3.5', () => {
  const tts = (input: string, more: object = {}) => ({
    type: 'tts',
    model: 'sonic-3.5',
    input,
    voice: 'Katie',
    ...more,
  });
  const soundOf = (messages: SocketClient['messages']) =>
    Buffer.concat(
      messages.filter(({ type }) => type === 'audio').map(({ data }) => Buffer.from(String(data), 'base64')),
    );
  const speak = async (errors: Upstream['errors'] = {}) => {
    const upstream = upstreams.get('sonic-3.5')!;
    for (const name of Object.keys(upstream.errors)) delete upstream.errors[name as keyof Upstream['errors']];
    Object.assign(upstream.errors, errors);
    return server.speak({ key: server.firstRun.keys.live });
  };

  it('is passed through sample for sample, with one context id and done', async () => {
    const client = await speak();
    const text = 'Five words of this text.';
    client.send(tts(text));
    const done = await client.next(({ type }) => type === 'done');
    const sound = soundOf(client.messages);
    expect(sound.byteLength).toBe(wordsOf(text) * 4_800);
    expect(new Set(client.messages.map(({ context_id }) => context_id))).toEqual(new Set([done.context_id]));
    expect(
      new Int16Array(sound.buffer, sound.byteOffset, sound.byteLength / 2).every((sample) => sample === sampleOf(text)),
    ).toBe(true);
    client.cut();
  });

  it('of a second text has no sample of the first after its own first, though the upstream continues with it', async () => {
    const client = await speak({ pieceMs: 20 });
    const [first, second] = ['The first text has some more words than the other.', 'Now this one.'];
    client.send(tts(first));
    await client.next(({ type }) => type === 'audio');
    await client.next(({ type }) => type === 'audio');
    client.send(tts(second));
    const done = await client.next(({ type }) => type === 'done');
    const own = client.messages.filter(({ context_id }) => context_id === done.context_id);
    const from = client.messages.indexOf(own[0]!);
    expect(client.messages.slice(from)).toEqual(own);
    const sound = soundOf(own);
    expect(
      new Int16Array(sound.buffer, sound.byteOffset, sound.byteLength / 2).every(
        (sample) => sample === sampleOf(second),
      ),
    ).toBe(true);
    expect(client.messages.filter(({ type }) => type === 'done')).toHaveLength(1);
    client.cut();
  });

  it('reconnects silently when the upstream disconnects between two texts', async () => {
    const client = await speak();
    client.send(tts('One.'));
    await client.next(({ type }) => type === 'done');
    for (const { socket } of upstreams.get('sonic-3.5')!.open) socket.terminate();
    await upstreams.get('sonic-3.5')!.drained();
    client.send(tts('Two.'));
    expect((await client.next(({ type }) => type === 'done' || type === 'error')).type).toBe('done');
    client.cut();
  });

  it('is 502 when the upstream breaks off in the middle', async () => {
    const client = await speak({ dropAfterSeconds: 0.2, pieceMs: 10 });
    client.send(tts('This text is never finished by the upstream.'));
    expect(await client.next(({ type }) => type === 'error')).toMatchObject({ code: 502 });
    expect((await client.closed).code).toBe(1011);
  });

  it('of an unknown voice is 400, and the socket stays open', async () => {
    const client = await speak();
    client.send(tts('Hello.', { voice: 'A voice that nobody has' }));
    expect(await client.next()).toMatchObject({ type: 'error', code: 400 });
    client.send(tts('Hello.'));
    expect((await client.next(({ type }) => type === 'done')).type).toBe('done');
    client.cut();
  });

  it('of another provider is 400 until the operator enables it', async () => {
    const client = await speak();
    client.send(tts('Hello.', { model: 'aura-2', voice: 'thalia' }));
    expect(await client.next()).toMatchObject({
      type: 'error',
      code: 400,
      message: expect.stringContaining('not enabled here'),
    });
    client.cut();
  });
});
