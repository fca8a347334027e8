import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../lib/domain/clock';
import { pcmSeconds, type PcmFormat } from '../../../lib/domain/pcm';
import type { SpeechChunk, SpeechRequest } from '../../../lib/domain/speech';
import type { SttEvent, SttRequest } from '../../../lib/domain/transcription';
import { createUtteranceCutter } from '../../../lib/providers/sandbox/stt/utterances';
import { createSandboxStt } from '../../../lib/providers/sandbox/stt';
import { createSandboxTts } from '../../../lib/providers/sandbox/tts';
import { sentencesOf, speakable } from '../../../lib/providers/sandbox/tts/sentences';
import { recordLog } from '../../support/log';
import { startWorker } from '../../support/database';

// The sandbox's own speech synthesis and recognition, without a session.

const narrow: PcmFormat = { encoding: 'pcm_s16le', sampleRateHz: 16_000 };
const log = recordLog();
const price = { perCharacter: 1n, source: 'tests', verified: true };
const request = (input: string, change: Partial<SpeechRequest> = {}): SpeechRequest => ({
  contextId: 'ctx',
  binding: { providerId: 'sandbox', modelName: 'sandbox-tts', stability: 'stable', price },
  input,
  voice: 'rms',
  format: narrow,
  ...change,
});
const sttRequest: SttRequest = {
  binding: {
    providerId: 'sandbox',
    modelName: 'sandbox-stt',
    stability: 'stable',
    price: { perMinute: 1n, meter: 'audio', source: 'tests', verified: true },
  },
  format: narrow,
};

let tts: ReturnType<typeof createSandboxTts>;
let stt: ReturnType<typeof createSandboxStt>;
beforeAll(async () => {
  tts = createSandboxTts({ clock: systemClock, startWorker });
  stt = createSandboxStt({ clock: systemClock, startWorker, cores: 2 });
  // The first sentence loads the model, which takes longer than speaking it.
  await transcribe(frames((await say('Hello there, everybody.')).sound));
});
afterAll(async () => {
  await Promise.all([tts.close(), stt.close()]);
});

async function say(
  input: string,
  change: Partial<SpeechRequest> = {},
  signal = new AbortController().signal,
): Promise<{ sound: Buffer; chunks: SpeechChunk[] }> {
  const chunks: SpeechChunk[] = [];
  for await (const chunk of tts.open({ signal, log }).speak(request(input, change), signal)) chunks.push(chunk);
  return {
    chunks,
    sound: Buffer.concat(chunks.map(({ base64 }) => Buffer.from(base64, 'base64'))),
  };
}

async function transcribe(
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  signal = new AbortController().signal,
  change: Partial<SttRequest> = {},
): Promise<SttEvent[]> {
  async function* stream() {
    yield* pieces;
  }
  const events: SttEvent[] = [];
  for await (const event of stt.transcribe(stream(), { ...sttRequest, ...change }, { signal, log })) events.push(event);
  return events;
}

function* frames(sound: Buffer, bytes = 640) {
  for (let at = 0; at < sound.byteLength; at += bytes) yield sound.subarray(at, at + bytes);
}
const textsOf = (events: readonly SttEvent[], isFinal: boolean) =>
  events.flatMap((event) =>
    event.kind === 'transcript' && event.transcript.isFinal === isFinal ? [event.transcript.text] : [],
  );

describe('the tts', () => {
  it('sends its first audio before the other sentences are synthesised', async () => {
    let synthesised = 0;
    const counting = createSandboxTts({
      clock: systemClock,
      startWorker(source, data) {
        const worker = startWorker(source, data);
        worker.on('message', () => (synthesised += 1));
        return worker;
      },
    });
    const { signal } = new AbortController();
    const text = 'The first sentence. The second sentence. The third sentence.';
    for await (const { base64 } of counting.open({ signal, log }).speak(request(text), signal)) {
      expect(base64).not.toBe('');
      expect(synthesised).toBe(1);
      break;
    }
    await counting.close();
  });

  it.each(['slt', 'rms', 'awb', 'kal', 'KAL', 'a voice of somebody else'])('%s is recognisable', async (voice) => {
    const { sound } = await say('Hello.', { voice });
    expect(Math.max(...new Int16Array(sound.buffer, sound.byteOffset, sound.byteLength / 2))).toBeGreaterThan(3_000);
  });

  it.each([
    [{ encoding: 'pcm_s16le', sampleRateHz: 48_000 }],
    [{ encoding: 'pcm_f32le', sampleRateHz: 24_000 }],
    [{ encoding: 'pcm_mulaw', sampleRateHz: 8000 }],
  ] as const)('has the same length in %j', async (format) => {
    const { sound } = await say('This is a sentence.', { format });
    const { sound: reference } = await say('This is a sentence.');
    expect(pcmSeconds(sound.byteLength, format)).toBeCloseTo(pcmSeconds(reference.byteLength, narrow), 2);
  });

  it('follows the requested speed', async () => {
    const [slow, usual, fast] = await Promise.all(
      [0.5, 1, 2].map(async (speed) => (await say('This is a longer sentence.', { speed })).sound.byteLength),
    );
    expect([slow! / usual! > 1.6, usual! / fast! > 1.6]).toEqual([true, true]);
  });

  it('stops at once when it is cancelled, in the middle of a long text', async () => {
    const stop = new AbortController();
    let chunks = 0;
    for await (const _chunk of tts
      .open({ signal: new AbortController().signal, log })
      .speak(request('One more sentence. '.repeat(100)), stop.signal)) {
      if (++chunks === 3) stop.abort();
    }
    expect(chunks).toBeLessThan(30);
  });

  it('speaks something for any text, within bounds', async () => {
    for (const input of [
      '。。。',
      '🎉',
      '-h',
      '--help',
      'it\'s "quoted" <speak>',
      'a'.repeat(600),
      '\u0007bell',
      '...',
    ]) {
      const { sound } = await say(input);
      expect(sound.byteLength).toBeGreaterThan(0);
      expect(pcmSeconds(sound.byteLength, narrow)).toBeLessThan(120);
    }
  }, 30_000);

  it('refuses more generations than it can hold with a clear message', async () => {
    const stops = Array.from({ length: 24 }, () => new AbortController());
    const waits = stops.map(({ signal }) => {
      const parts = tts.open({ signal, log }).speak(request('Wait.', { scenario: 'hang' }), signal);
      return parts[Symbol.asyncIterator]().next();
    });
    await expect(say('One too many.')).rejects.toMatchObject({ code: 'overloaded' });
    for (const stop of stops) stop.abort();
    await Promise.all(waits);
    expect((await say('Room again.')).sound.byteLength).toBeGreaterThan(0);
  });

  it('fails, drops and refuses as the scenarios say', async () => {
    await expect(say('Hello.', { scenario: 'fail' })).rejects.toMatchObject({ extra: { upstream: { started: 'no' } } });
    await expect(say('Hello. And more.', { scenario: 'drop' })).rejects.toMatchObject({
      extra: { upstream: { started: 'maybe' } },
    });
    await expect(say('Hello.', { scenario: 'moderated-input' })).rejects.toMatchObject({
      code: 'content_policy_violation',
    });
  });
});

describe('sentences', () => {
  it.each([
    ['One. Two! Three?', ['One. ', 'Two! ', 'Three?']],
    ['No end', ['No end']],
    ['"Quoted." Then more.', ['"Quoted." ', 'Then more.']],
    ['Line\nbreak', ['Line\n', 'break']],
    ['', []],
  ])('of %j are %j', (text, expected) => {
    expect(sentencesOf(text)).toEqual(expected);
  });

  it('are the whole text, none of them long', () => {
    const text = `${'word '.repeat(100)}, ${'x'.repeat(450)} ${'🎉'.repeat(150)}. End.`;
    const sentences = sentencesOf(text);
    expect(sentences.join('')).toBe(text);
    expect(sentences.every((sentence) => sentence.length <= 200 && sentence.isWellFormed())).toBe(true);
  });

  it('are normalised before they are spoken', () => {
    expect(speakable('Café – “naïve” … 日本 it’s\u0000ok')).toBe(
      'Cafe , "naive" ... it\'s ok'.replace("it's ok", "it'sok"),
    );
  });
});

describe('the stt', () => {
  it('gives interim text during speech, then one final text with approximate times', async () => {
    const { sound } = await say('The children are playing in the garden.');
    async function* paced() {
      for (const frame of frames(sound, 3_200)) {
        yield frame;
        await systemClock.sleep(60);
      }
    }
    const events = await transcribe(paced());
    expect(events[0]).toEqual({ kind: 'ready' });
    expect(textsOf(events, false).length).toBeGreaterThan(0);
    expect(textsOf(events, true).join(' ').toLowerCase()).toContain('playing in the garden');
    const words = events.flatMap((event) =>
      event.kind === 'transcript' && event.transcript.isFinal ? (event.transcript.words ?? []) : [],
    );
    const seconds = pcmSeconds(sound.byteLength, narrow);
    for (const [index, { startSeconds, endSeconds }] of words.entries()) {
      expect(startSeconds).toBeGreaterThanOrEqual(words[index - 1]?.startSeconds ?? 0);
      expect(endSeconds).toBeGreaterThan(startSeconds);
      expect(endSeconds).toBeLessThanOrEqual(seconds + 0.1);
    }
  }, 40_000);

  it('returns nothing for silence, a hum, or a click', async () => {
    const silence = Buffer.alloc(64_000);
    const hum = Buffer.from(Int16Array.from({ length: 48_000 }, (_, index) => 60 * Math.sin(index / 20)).buffer);
    const click = Buffer.from(
      Int16Array.from({ length: 32_000 }, (_, index) => (index > 8000 && index < 8200 ? 20_000 : 0)).buffer,
    );
    for (const sound of [silence, hum, click]) expect(await transcribe(frames(sound))).toEqual([{ kind: 'ready' }]);
  }, 30_000);

  it('splits speech at its pauses', async () => {
    const [one, two] = [
      await say('Please send the report before noon.'),
      await say('My brother works in a large hospital.'),
    ];
    const events = await transcribe(
      frames(Buffer.concat([one.sound, Buffer.alloc(48_000), two.sound, Buffer.alloc(48_000)]), 3_200),
    );
    const finals = textsOf(events, true);
    expect(finals).toHaveLength(2);
    expect(finals[1]?.toLowerCase()).toContain('hospital');
  }, 30_000);

  it('accepts the encodings and rates that it lists', async () => {
    for (const format of [
      { encoding: 'pcm_mulaw', sampleRateHz: 8000 },
      { encoding: 'pcm_f32le', sampleRateHz: 48_000 },
    ] as const) {
      const { sound } = await say('The meeting will begin in the morning.', { format });
      expect(
        textsOf(await transcribe(frames(sound, 6_400), undefined, { format }), true)
          .join(' ')
          .toLowerCase(),
      ).toContain('morning');
    }
  }, 30_000);

  it('refuses more sessions than it can follow with a clear message, and has room again afterwards', async () => {
    const stops = Array.from({ length: 6 }, () => new AbortController());
    const untilStopped = (signal: AbortSignal): AsyncIterable<Uint8Array> => ({
      [Symbol.asyncIterator]: () => ({
        next: () =>
          new Promise((resolve) =>
            signal.addEventListener('abort', () => resolve({ done: true, value: undefined }), { once: true }),
          ),
      }),
    });
    const running = stops.map(({ signal }) =>
      stt.transcribe(untilStopped(signal), sttRequest, { signal, log })[Symbol.asyncIterator](),
    );
    for (const iterator of running) expect(await iterator.next()).toEqual({ done: false, value: { kind: 'ready' } });
    await expect(transcribe([])).rejects.toMatchObject({ code: 'overloaded' });
    const rest = running.map((iterator) => iterator.next());
    for (const stop of stops) stop.abort();
    await Promise.all(rest);
    expect(await transcribe([])).toEqual([{ kind: 'ready' }]);
  });

  it('ends without an error when the session is aborted in the middle of a sentence', async () => {
    const { sound } = await say('The children are playing in the garden.');
    const stop = new AbortController();
    async function* endless() {
      yield* frames(sound, 3_200);
      stop.abort();
      await new Promise(() => {});
    }
    expect(textsOf(await transcribe(endless(), stop.signal), true)).toEqual([]);
  }, 20_000);
});

describe('createUtteranceCutter', () => {
  const noise = (seconds: number, loudness: number) =>
    Float32Array.from({ length: 16_000 * seconds }, (_, index) => loudness * Math.sin(index * 0.7));
  /** Loud and quiet four times a second, like syllables. */
  const babble = (seconds: number) =>
    noise(seconds, 0.3).map((sample, index) => sample * Math.max(0.02, Math.sin((index / 16_000) * 4 * Math.PI)));

  it('keeps some audio before the onset and reports where the speech itself begins', () => {
    const cutter = createUtteranceCutter();
    const ended = [...cutter.push(noise(1, 0)), ...cutter.push(babble(1)), ...cutter.push(noise(1, 0))];
    expect(ended).toHaveLength(1);
    expect(ended[0]).toMatchObject({ cut: false });
    expect([ended[0]!.startSeconds, ended[0]!.endSeconds]).toEqual([expect.closeTo(1, 1), expect.closeTo(2, 1)]);
    expect(ended[0]!.samples.length).toBeGreaterThan(16_000);
  });

  it('cuts endless speech into segments without gaps', () => {
    const cutter = createUtteranceCutter();
    const pieces = [...cutter.push(babble(35)), ...cutter.flush()];
    expect(pieces.length).toBeGreaterThan(3);
    expect(pieces.every(({ samples }) => samples.length <= 16_000 * 10.1)).toBe(true);
    expect(pieces.reduce((sum, { samples }) => sum + samples.length, 0) / 16_000).toBeGreaterThan(34.5);
    for (const [index, piece] of pieces.entries())
      if (index > 0) expect(piece.startSeconds).toBeCloseTo(pieces[index - 1]!.endSeconds, 1);
  });

  it('adapts to a steady noise', () => {
    const cutter = createUtteranceCutter();
    expect([...cutter.push(noise(20, 0.02)), ...cutter.flush()]).toEqual([]);
    const room = noise(3, 0.02);
    const spoken = babble(1);
    expect([...cutter.push(room.map((sample, index) => sample + (spoken[index - 16_000] ?? 0)))]).toHaveLength(1);
  });
});
