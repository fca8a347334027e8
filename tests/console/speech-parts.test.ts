import { describe, expect, it } from 'vitest';
import { createLatencyMeter } from '../../app/console/speech/latency';
import { createMessageLog, logText, MAX_ENTRIES } from '../../app/console/speech/message-log';
import { firstSpeechSettings, spokenText } from '../../app/console/speech/speech-settings';
import { firstTranscriptionSettings, sessionOptions } from '../../app/console/speech/transcription-settings';
import { toInt16 } from '../../app/console/speech/wav';
import { wavFile } from '../../lib/io/wav';
import { peaksOf } from '../../app/console/speech/waveform';
import { sttModel, ttsModel } from '../../lib/catalog/speech-entry';

// The parts of the speech playground that need no browser.

describe('createLatencyMeter', () => {
  function begin() {
    let nowMs = 0;
    const meter = createLatencyMeter(() => nowMs);
    const send = (level: number, count: number) => {
      for (let frame = 0; frame < count; frame += 1) {
        nowMs += 50;
        meter.frame(level);
      }
    };
    return { meter, send, wait: (ms: number) => (nowMs += ms) };
  }

  it('measures the first interim text from the first frame with speech, once', () => {
    const { meter, send } = begin();
    send(0, 20);
    send(0.1, 4);
    expect(meter.transcript(false)).toEqual({ firstInterimMs: 150 });
    send(0.1, 10);
    expect(meter.transcript(false)).toEqual({ firstInterimMs: 150 });
  });

  it('measures a final text from the last frame with speech before the pause', () => {
    const { meter, send } = begin();
    send(0.1, 10);
    send(0, 8);
    expect(meter.transcript(true)).toEqual({ finalMs: 400 });
  });

  it('ends a sentence at its pause when the next one has begun already', () => {
    const { meter, send } = begin();
    send(0.1, 10);
    send(0, 8);
    send(0.1, 6);
    expect(meter.transcript(true)).toEqual({ finalMs: 700 });
  });

  it('has no figure for a final text during speech without a pause', () => {
    const { meter, send } = begin();
    send(0.1, 100);
    expect(meter.transcript(true)).toEqual({});
  });

  it('counts the frames of a microphone that was never heard', () => {
    const { meter, send } = begin();
    send(0.001, 90);
    expect(meter.silentFrames()).toBe(90);
    send(0.2, 1);
    expect(meter.silentFrames()).toBe(0);
  });
});

describe('createMessageLog', () => {
  it('joins successive audio of one direction into one entry, and shows text as it was sent', () => {
    let nowMs = 10;
    const log = createMessageLog(() => nowMs);
    log.start();
    log.add({ direction: 'sent', data: '{"type":"configure","model":"sandbox-stt"}' });
    nowMs = 60;
    log.add({ direction: 'sent', data: 1_600 });
    log.add({ direction: 'sent', data: 1_600 });
    nowMs = 1_310;
    log.add({ direction: 'received', data: '{"type":"transcript","text":"Hello","is_final":true}' });
    expect(logText(log.entries())).toBe(
      [
        '+0.000 s  sent      {"type":"configure","model":"sandbox-stt"}',
        '+0.050 s  sent      2 binary frames, 3,200 bytes',
        '+1.300 s  received  {"type":"transcript","text":"Hello","is_final":true}',
      ].join('\n'),
    );
  });

  it('shows the size of received audio instead of its base64, and separates texts by their context', () => {
    const log = createMessageLog(() => 0);
    for (const contextId of ['one', 'one', 'two'])
      log.add({ direction: 'received', data: `{"type":"audio","data":"AAAAAA==","context_id":"${contextId}"}` });
    expect(log.entries().map(({ text }) => text)).toEqual([
      '2 × {"type":"audio", "data": 8 bytes of audio, "context_id":"one"}',
      '1 × {"type":"audio", "data": 4 bytes of audio, "context_id":"two"}',
    ]);
  });

  it('keeps the newest entries, and says that older ones are missing', () => {
    const log = createMessageLog(() => 0);
    for (let index = 0; index < MAX_ENTRIES; index += 1) log.add({ direction: 'received', data: `message ${index}` });
    expect(log.isCut()).toBe(false);
    log.add({ direction: 'received', data: 'the last' });
    expect([log.entries().length, log.isCut()]).toEqual([MAX_ENTRIES, true]);
    expect([log.entries()[0]?.text, log.entries().at(-1)?.text]).toEqual(['message 1', 'the last']);
  });
});

describe('wavFile', () => {
  it('has the length, the rate and the samples of the sound', () => {
    const file = Buffer.from(wavFile(toInt16(Float32Array.of(0, 1, -1, 0.5, 2)), 24_000));
    expect([file.toString('latin1', 0, 4), file.toString('latin1', 8, 16), file.toString('latin1', 36, 40)]).toEqual([
      'RIFF',
      'WAVEfmt ',
      'data',
    ]);
    expect([file.readUInt32LE(4), file.readUInt32LE(24), file.readUInt32LE(28), file.readUInt32LE(40)]).toEqual([
      46, 24_000, 48_000, 10,
    ]);
    expect([0, 1, 2, 3, 4].map((index) => file.readInt16LE(44 + index * 2))).toEqual([
      0, 32_767, -32_768, 16_384, 32_767,
    ]);
  });
});

describe('peaksOf', () => {
  it('has the loudest sample of each part', () => {
    expect(peaksOf(Float32Array.of(0, -0.5, 0.25, 0.125, 1), 2)).toEqual([0.5, 0.25, 1]);
  });
});

const identity = { name: 'Model', description: '', family: 'test', created: 0 };
const price = { source: '', verified: true };

describe('sessionOptions', () => {
  const model = sttModel({
    ...identity,
    id: 'hears',
    facts: {
      encodings: ['pcm_s16le', 'pcm_mulaw'],
      sampleRatesHz: [8_000, 16_000],
      languages: ['de', 'en'],
      withoutLanguage: { detects: true },
      wordTimes: 'exact',
      maxSessionSeconds: 60,
    },
    bindings: [{ providerId: 'deepgram', modelName: 'x', price: { ...price, perMinute: '1', meter: 'audio' } }],
  });

  it('sends what was chosen', () => {
    const settings = { ...firstTranscriptionSettings, encoding: 'pcm_mulaw', sampleRate: 8_000, language: 'de' };
    expect(sessionOptions({ ...settings, provider: 'deepgram' }, model)).toEqual({
      model: 'deepgram/hears',
      encoding: 'pcm_mulaw',
      sampleRate: 8_000,
      language: 'de',
    });
  });

  it('replaces what the model does not have by its default', () => {
    const settings = { ...firstTranscriptionSettings, encoding: 'pcm_alaw', sampleRate: 44_100, language: 'fr' };
    expect(sessionOptions({ ...settings, provider: 'soniox' }, model)).toEqual({
      model: 'hears',
      encoding: 'pcm_s16le',
      sampleRate: 16_000,
    });
  });
});

describe('spokenText', () => {
  const tts = (part: {
    readonly otherVoices: boolean;
    readonly speed?: { readonly min: number; readonly max: number };
  }) =>
    ttsModel({
      ...identity,
      id: 'speaks',
      facts: {
        voices: [{ name: 'Anna', id: 'id-of-anna' }, { name: 'Ben' }],
        languages: ['en'],
        formats: ['pcm_24000'],
        maxInputCharacters: 100,
        maxSessionSeconds: 60,
        ...part,
      },
      bindings: [{ providerId: 'cartesia', modelName: 'x', price: { ...price, perMillionCharacters: '1' } }],
    });

  it('leaves out what the model does not have, and the defaults', () => {
    const settings = { ...firstSpeechSettings, input: 'Hello.', voice: 'Carla', speed: 150, language: 'de' };
    expect(spokenText(settings, tts({ otherVoices: false }))).toEqual({
      model: 'speaks',
      input: 'Hello.',
      voice: 'Anna',
    });
  });

  it('sends a voice that only the provider knows, and a speed within the range', () => {
    const settings = { ...firstSpeechSettings, input: 'Hello.', voice: 'Carla', speed: 150, language: 'en' };
    expect(spokenText(settings, tts({ otherVoices: true, speed: { min: 0.7, max: 1.2 } }))).toEqual({
      model: 'speaks',
      input: 'Hello.',
      voice: 'Carla',
      speed: 1.2,
      language: 'en',
    });
  });
});
