import { connect } from 'node:net';
import { OpenAI } from 'openai';
import { OpenAIRealtimeWS } from 'openai/realtime/ws';
import { afterEach, describe, expect, it } from 'vitest';
import { createOpenAi } from '../../support/upstreams/openai';
import { makeSound, scriptWords } from '../../support/upstreams/script';
import { goodKey } from '../../support/upstreams/upstream';
import type { Upstream } from '../../support/upstreams/upstream';

describe("the vendor's client accepts the fake OpenAI", () => {
  let upstream: Upstream;
  afterEach(() => upstream.close());

  it('session, deltas, completions, the error of an empty commit', async () => {
    upstream = await createOpenAi();
    const port = Number(new URL(upstream.baseUrl).port);
    // The client always uses TLS; the line below disables it, because the fake has no certificate.
    const socket = new OpenAIRealtimeWS(
      { model: 'gpt-realtime', options: { createConnection: () => connect(port, '127.0.0.1') } },
      new OpenAI({ apiKey: goodKey, baseURL: `${upstream.baseUrl}/v1` }),
    );
    const finals: string[] = [];
    let deltas = '';
    const refused = new Promise<string>((resolve) =>
      socket.on('error', (error) => resolve(error.error?.code ?? error.message)),
    );
    socket.on('conversation.item.input_audio_transcription.delta', ({ delta }) => {
      deltas += delta ?? '';
    });
    socket.on(
      'conversation.item.input_audio_transcription.completed',
      ({ transcript }) => void finals.push(transcript),
    );
    await new Promise<void>((resolve) => {
      socket.on('session.created', () =>
        socket.send({
          type: 'session.update',
          session: {
            type: 'transcription',
            audio: {
              input: {
                format: { type: 'audio/pcm', rate: 24_000 },
                transcription: { model: 'gpt-4o-transcribe', language: 'en' },
                turn_detection: { type: 'server_vad' },
              },
            },
          },
        }),
      );
      socket.on('session.updated', () => resolve());
    });
    for (let piece = 0; piece < 43; piece++)
      socket.send({ type: 'input_audio_buffer.append', audio: Buffer.from(makeSound(0.1, 24_000)).toString('base64') });
    socket.send({ type: 'input_audio_buffer.commit' });
    socket.send({ type: 'input_audio_buffer.commit' });
    expect(await refused).toContain('input_audio_buffer_commit_empty');
    expect(finals.join(' ')).toBe(scriptWords.join(' '));
    expect(deltas.replaceAll(' ', '')).toBe(scriptWords.join(''));
    socket.close();
  });
});
