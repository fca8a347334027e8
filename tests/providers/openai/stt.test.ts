import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../lib/domain/clock';
import { createOpenAiStt, makeWire } from '../../../lib/providers/openai/stt';
import { recordLog } from '../../support/log';
import { createOpenAi } from '../../support/upstreams/openai';
import { goodKey } from '../../support/upstreams/upstream';
import type { Upstream } from '../../support/upstreams/upstream';
import { gather, soundOf, sttContract } from '../contract/stt';
import { makeSttRequest } from '../make-stt-request';

const request = makeSttRequest('openai', 'gpt-4o-transcribe');

sttContract('openai', {
  makeSubject: async ({ key, clock }) => {
    const upstream = await createOpenAi();
    return { upstream, provider: createOpenAiStt({ baseUrl: upstream.baseUrl, key, clock }) };
  },
  makeRequest: () => request,
  wordTimes: false,
  reportsUsage: false,
});

describe('openai', () => {
  let upstream: Upstream | undefined;
  afterEach(() => upstream?.close());

  for (const format of [
    { encoding: 'pcm_s16le', sampleRateHz: 16_000 },
    { encoding: 'pcm_mulaw', sampleRateHz: 8_000 },
  ] as const) {
    it(`gets ${format.encoding} of ${format.sampleRateHz} Hz as samples of 24 kHz`, async () => {
      upstream = await createOpenAi();
      const bytes = soundOf(1).audio;
      await gather(
        createOpenAiStt({ baseUrl: upstream.baseUrl, key: goodKey, clock: systemClock }).transcribe(
          bytes,
          { ...request, format },
          { signal: new AbortController().signal, log: recordLog() },
        ),
      );
      const heard = upstream.sockets[0]!.texts.flatMap((text) => {
        const { audio } = JSON.parse(text) as { audio?: string };
        return audio === undefined ? [] : [Buffer.byteLength(audio, 'base64')];
      });
      const seconds = 32_000 / (format.sampleRateHz * (format.encoding === 'pcm_mulaw' ? 1 : 2));
      expect(heard.reduce((sum, length) => sum + length, 0)).toBe(seconds * 48_000);
      expect(heard.every((length) => length % 2 === 0)).toBe(true);
    });
  }

  it('returns segments in the order of the audio, whichever is finished first', () => {
    const wire = makeWire(request);
    const read = (type: string, fields: object) =>
      wire
        .read({ type, ...fields })
        .flatMap((event) =>
          event.kind === 'transcript'
            ? [`${event.transcript.isFinal ? '!' : '?'}${event.transcript.text}`]
            : [event.kind],
        );
    const on = 'conversation.item.input_audio_transcription';
    read('input_audio_buffer.committed', { item_id: 'a', previous_item_id: null });
    read('input_audio_buffer.committed', { item_id: 'b', previous_item_id: 'a' });
    read('input_audio_buffer.committed', { item_id: 'c', previous_item_id: 'b' });
    expect(read(`${on}.delta`, { item_id: 'b', delta: 'sec' })).toEqual([]);
    expect(read(`${on}.delta`, { item_id: 'a', delta: 'fir' })).toEqual(['?fir']);
    expect(read(`${on}.completed`, { item_id: 'b', transcript: 'second' })).toEqual(['?fir']);
    expect(read(`${on}.delta`, { item_id: 'c', delta: 'thi' })).toEqual([]);
    expect(read(`${on}.completed`, { item_id: 'a', transcript: 'first' })).toEqual(['!first', '!second', '?thi']);
    wire.stop();
    expect(read(`${on}.failed`, { item_id: 'c' })).toEqual(['ending']);
    expect(read('error', { error: { code: 'input_audio_buffer_commit_empty', event_id: 'stop' } })).toEqual(['ended']);
  });

  it('treats an error about one message as temporary, and the end of the session as the end', () => {
    const wire = makeWire(request);
    expect(wire.read({ type: 'error', error: { code: 'invalid_api_key' } })).toMatchObject([
      { kind: 'failed', code: 'upstream_auth_failed' },
    ]);
    wire.read({ type: 'session.updated' });
    expect(wire.read({ type: 'error', error: { code: 'rate_limited_a_little' } })).toEqual([]);
    expect(wire.read({ type: 'error', error: { code: 'session_expired' } })).toMatchObject([{ kind: 'failed' }]);
  });
});
