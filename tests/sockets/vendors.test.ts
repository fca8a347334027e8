import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../lib/domain/clock';
import type { AudioServer } from '../support/audio-server';
import { startAudioServer } from '../support/audio-server';
import { createAssemblyAi } from '../support/upstreams/assemblyai';
import { createCartesia } from '../support/upstreams/cartesia';
import { createDeepgram } from '../support/upstreams/deepgram';
import { createElevenLabs } from '../support/upstreams/elevenlabs';
import { createGladia } from '../support/upstreams/gladia';
import { createOpenAi } from '../support/upstreams/openai';
import { makeSound, scriptWords } from '../support/upstreams/script';
import { createSoniox } from '../support/upstreams/soniox';
import { sampleOf } from '../support/upstreams/speaking';
import { createSpeechmatics } from '../support/upstreams/speechmatics';
import { goodKey } from '../support/upstreams/upstream';
import type { Upstream } from '../support/upstreams/upstream';
import { samplesIn } from '../providers/contract/tts';

// A client with a live key, the real server, and every provider in front of its fake: what the providers' own tests
// check separately holds from end to end.

const unconfirmed = [
  'nova-3',
  'flux-general-en',
  'flux-general-multi',
  'speechmatics-enhanced',
  'gpt-4o-transcribe',
  'scribe-v2-realtime',
  'aura-2',
  'eleven-flash-v2.5',
];

const upstreams: Record<string, Upstream> = {};
let server: AudioServer;
const serverOf = (env: Record<string, string> = {}) =>
  startAudioServer({
    env: {
      ...Object.fromEntries(
        Object.entries(upstreams).flatMap(([name, { baseUrl }]) => [
          [`${name}_API_KEY`, goodKey],
          [`${name}_BASE_URL`, baseUrl],
        ]),
      ),
      CONFIRMED_PRICES: unconfirmed.join(','),
      ...env,
    },
  });

beforeAll(async () => {
  upstreams.DEEPGRAM = await createDeepgram();
  upstreams.CARTESIA = await createCartesia();
  upstreams.ASSEMBLYAI = await createAssemblyAi();
  upstreams.SONIOX = await createSoniox();
  upstreams.ELEVENLABS = await createElevenLabs();
  upstreams.GLADIA = await createGladia();
  upstreams.SPEECHMATICS = await createSpeechmatics();
  upstreams.OPENAI = await createOpenAi();
  server = await serverOf();
});
afterAll(async () => {
  await server?.close();
  for (const upstream of Object.values(upstreams)) await upstream.close();
});

const plain = (text: string) => text.toLowerCase().replace(/[.,]/g, '').trim();

async function transcribe(model: string, seconds: number) {
  const listener = server.transcribe({ key: server.firstRun.keys.live });
  listener.send({ type: 'configure', model, language: 'en' });
  // All at once, before the session has begun: nothing of it may be lost.
  const sound = makeSound(seconds);
  for (let at = 0; at < sound.byteLength; at += 640) listener.send(sound.subarray(at, at + 640));
  listener.send({ type: 'stop' });
  const closed = await listener.closed;
  const types = listener.messages.map(({ type }) => type);
  const text = listener.messages
    .filter((message) => message.type === 'transcript' && message.is_final === true)
    .map((message) => plain(String(message.text)))
    .join(' ');
  return { closed, types, text, messages: listener.messages };
}

describe('a live transcription through a provider', () => {
  const models = [
    'nova-3',
    'flux-general-en',
    'flux-general-multi',
    'universal-streaming-english',
    'universal-streaming-multilingual',
    'stt-rt-v5',
    'scribe-v2-realtime',
    'solaria-1',
    'speechmatics-enhanced',
    'gpt-4o-transcribe',
  ];
  for (const model of models) {
    it(`${model}: a burst of audio and a stop give every word, then done`, async () => {
      const { closed, types, text, messages } = await transcribe(model, 4.3);
      expect(messages.filter(({ type }) => type === 'error')).toEqual([]);
      expect(text).toBe(plain(scriptWords.join(' ')));
      expect(types[0]).toBe('session_started');
      expect(types.at(-1)).toBe('done');
      expect(messages.some((message) => message.type === 'transcript' && message.is_final === false)).toBe(true);
      expect(Math.abs(Number(messages.at(-1)?.audio_duration_seconds) - 4.3)).toBeLessThan(0.6);
      expect(closed.code).toBe(1000);
    });
  }

  it('loses its provider in the middle, again and again: the text so far becomes final, then a 502', async () => {
    upstreams.DEEPGRAM!.errors.dropAfterSeconds = 1;
    const listener = server.transcribe({ key: server.firstRun.keys.live });
    listener.send({ type: 'configure', model: 'nova-3' });
    await listener.next(({ type }) => type === 'session_started');
    for (let piece = 0; piece < 12; piece++) listener.send(makeSound(0.1));
    expect((await listener.closed).code).toBe(1011);
    delete upstreams.DEEPGRAM!.errors.dropAfterSeconds;
    expect(listener.messages.at(-1)).toMatchObject({ type: 'error', code: 502 });
    expect(JSON.stringify(listener.messages.at(-1))).not.toMatch(/1006|deepgram/i);
    expect(listener.messages.at(-2)).toMatchObject({ type: 'transcript', is_final: true });
  });

  it('that disconnects ends the provider request at once', async () => {
    const listener = server.transcribe({ key: server.firstRun.keys.live });
    listener.send({ type: 'configure', model: 'universal-streaming-english' });
    await listener.next(({ type }) => type === 'session_started');
    listener.cut();
    await upstreams.ASSEMBLYAI!.drained();
    expect(upstreams.ASSEMBLYAI!.sockets.at(-1)?.texts).toEqual(['{"type":"Terminate"}']);
  });
});

describe('a live transcription through an own account of the organisation', () => {
  it('costs no credits', async () => {
    const { firstRun, gateway } = server;
    const caller = await gateway.accounts.authenticate({ authorization: `Bearer ${firstRun.keys.live}` }, '127.0.0.1');
    const before = await gateway.accounts.credits(caller);
    const { id } = await gateway.credentials.store(
      { orgId: caller.orgId, role: 'owner' },
      { provider: 'deepgram', settings: { DEEPGRAM_API_KEY: goodKey } },
    );
    const { closed, types, text } = await transcribe('nova-3', 4.3);
    expect([closed.code, types[0], types.at(-1), text]).toEqual([
      1000,
      'session_started',
      'done',
      plain(scriptWords.join(' ')),
    ]);
    expect(await gateway.accounts.credits(caller)).toEqual(before);
    await gateway.credentials.remove({ orgId: caller.orgId, role: 'owner' }, id);
  });
});

describe('live speech through a provider', () => {
  it('sonic-3.5 speaks, is interrupted by a second text, and nothing of the first follows', async () => {
    const speaker = server.speak({ key: server.firstRun.keys.live });
    const second = 'and this is the second text';
    speaker.send({
      type: 'tts',
      model: 'sonic-3.5',
      input: 'the first text goes on and on and on and on and on and on',
      voice: 'Katie',
    });
    const first = await speaker.next(({ type }) => type === 'audio');
    speaker.send({ type: 'tts', model: 'sonic-3.5', input: second, voice: 'katie' });
    const done = await speaker.next(({ type }) => type === 'done');
    await systemClock.sleep(100);
    expect(done.context_id).not.toBe(first.context_id);
    const sound = speaker.messages
      .filter((message) => message.type === 'audio' && message.context_id === done.context_id)
      .map(({ data }) => Buffer.from(String(data), 'base64'));
    expect(samplesIn(Buffer.concat(sound))).toEqual([sampleOf(second)]);
    const begun = speaker.messages.findIndex(({ context_id }) => context_id === done.context_id);
    expect(speaker.messages.slice(begun).every(({ context_id }) => context_id === done.context_id)).toBe(true);
    expect(speaker.messages.filter(({ type }) => type === 'done')).toHaveLength(1);

    speaker.send({ type: 'tts', model: 'sonic-3.5', input: 'Hello', voice: '99999999-9999-4999-8999-999999999999' });
    expect(await speaker.next(({ type }) => type === 'error')).toMatchObject({
      code: 400,
      message: expect.stringContaining('voice'),
    });
    speaker.send({ type: 'tts', model: 'sonic-3', input: 'still here', voice: 'Jameson' });
    await speaker.next();
    speaker.socket.close();
    await speaker.closed;
    await upstreams.CARTESIA!.drained();
  });

  it("another provider's model is refused until the operator enables it", async () => {
    for (const model of ['aura-2', 'eleven-flash-v2.5']) {
      const refused = server.speak({ key: server.firstRun.keys.live });
      refused.send({ type: 'tts', model, input: 'Hello', voice: model === 'aura-2' ? 'thalia' : 'Rachel' });
      expect(await refused.next()).toMatchObject({ type: 'error', code: 400 });
      refused.socket.close();
    }
    const enabled = await serverOf({ EXTRA_SPEECH_PROVIDERS: 'deepgram,elevenlabs' });
    for (const model of ['aura-2', 'eleven-flash-v2.5']) {
      const speaker = enabled.speak({ key: enabled.firstRun.keys.live });
      speaker.send({ type: 'tts', model, input: 'Hello at last', voice: model === 'aura-2' ? 'thalia' : 'Rachel' });
      await speaker.next(({ type }) => type === 'done');
      const sound = speaker.messages
        .filter(({ type }) => type === 'audio')
        .map(({ data }) => Buffer.from(String(data), 'base64'));
      expect(samplesIn(Buffer.concat(sound))).toEqual([sampleOf('Hello at last')]);
      speaker.socket.close();
      await speaker.closed;
    }
    await enabled.close();
  });

  it('leaves neither keys nor words in the log', () => {
    const written = JSON.stringify(server.log.lines);
    expect(written).not.toContain(goodKey);
    expect(written).not.toContain(server.firstRun.keys.live);
    expect(written).not.toMatch(/harbour|second text/);
  });
});
