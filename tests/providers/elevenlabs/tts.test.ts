import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { elevenlabsModels } from '../../../lib/catalog/families/elevenlabs';
import { systemClock } from '../../../lib/domain/clock';
import type { SpeechRequest, TtsConnection } from '../../../lib/domain/speech';
import { createElevenLabsTts } from '../../../lib/providers/elevenlabs/tts';
import { recordLog } from '../../support/log';
import { createElevenLabs } from '../../support/upstreams/elevenlabs';
import { elevenVoices } from '../../support/upstreams/elevenlabs-voices';
import { goodKey } from '../../support/upstreams/upstream';
import type { Upstream } from '../../support/upstreams/upstream';
import { listen, rejection, ttsContract } from '../contract/tts';
import { makeSpeechRequest } from '../make-speech-request';

const makeRequest = (change?: Partial<Omit<SpeechRequest, 'binding'>>) =>
  makeSpeechRequest('elevenlabs', 'eleven_flash_v2_5', { voice: 'Rachel', ...change });

ttsContract('elevenlabs', {
  makeSubject: async ({ key, clock }) => {
    const upstream = await createElevenLabs();
    return { upstream, provider: createElevenLabsTts({ baseUrl: upstream.baseUrl, key, clock }) };
  },
  makeRequest,
  connectsFirst: false,
  unknownVoice: 'abcdefghijABCDEFGHIJ',
});

describe('elevenlabs', () => {
  let upstream: Upstream;
  let connection: TtsConnection;
  beforeEach(async () => {
    upstream = await createElevenLabs();
    connection = createElevenLabsTts({ baseUrl: upstream.baseUrl, key: goodKey, clock: systemClock }).open({
      signal: new AbortController().signal,
      log: recordLog(),
    });
  });
  afterEach(async () => {
    connection.close();
    await upstream.close();
  });
  const speak = (change?: Partial<Omit<SpeechRequest, 'binding'>>) =>
    connection.speak(makeRequest(change), new AbortController().signal);

  it('gets its own fields: the socket of a voice, one context, its speed', async () => {
    await listen(speak({ contextId: 'ctx-1', speed: 0.9, language: 'en', input: 'Hello there.' }));
    expect(upstream.sockets[0]?.url.pathname).toBe(
      `/v1/text-to-speech/${elevenVoices[0]!.voice_id}/multi-stream-input`,
    );
    expect(Object.fromEntries(upstream.sockets[0]!.url.searchParams)).toEqual({
      model_id: 'eleven_flash_v2_5',
      output_format: 'pcm_24000',
      inactivity_timeout: '180',
      language_code: 'en',
    });
    expect(upstream.sockets[0]?.texts.map((text) => JSON.parse(text) as unknown)).toEqual([
      { text: ' ', context_id: 'ctx-1', voice_settings: { speed: 0.9 } },
      { text: 'Hello there. ', context_id: 'ctx-1', flush: true },
      { context_id: 'ctx-1', close_context: true },
    ]);
  });

  it('accepts either spelling of a context', async () => {
    upstream.errors.otherSpelling = true;
    expect((await listen(speak({ input: 'the last one' }))).length).toBe(3 * 4_800);
  });

  it('finds a voice by its whole name, and reports an unknown one', async () => {
    await listen(speak({ voice: 'domi - strong' }));
    expect(upstream.sockets[0]?.url.pathname).toContain(elevenVoices[1]!.voice_id);
    expect(await rejection(speak({ voice: 'domi' }))).toMatchObject({
      code: 'unsupported_value',
      extra: { param: 'voice' },
    });
  });

  it('opens a new socket instead of a sixth context', async () => {
    upstream.errors.pieceMs = 20;
    for (let text = 0; text < 7; text++) {
      for await (const _chunk of speak({ input: `text ${text} ${'and on '.repeat(40)}` })) break;
    }
    upstream.errors.pieceMs = 1;
    expect((await listen(speak({ input: 'the last one' }))).length).toBe(3 * 4_800);
    expect(upstream.sockets.length).toBe(2);
  });

  it('needs no lookup for the voices of our catalog', async () => {
    const facts = elevenlabsModels.flatMap((model) => (model.capability === 'tts' ? [model.tts] : []))[0]!;
    for (const { name, id } of facts.voices) {
      await rejection(speak({ voice: name }));
      expect(upstream.sockets.at(-1)?.url.pathname).toContain(id);
    }
    expect(upstream.requests).toEqual([]);
  });
});
