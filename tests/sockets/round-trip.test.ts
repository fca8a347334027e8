import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startAudioServer, type AudioServer } from '../support/audio-server';

// What one socket says, the other one understands: the sandbox really speaks and really hears, at the pace of speech.

let server: AudioServer;
beforeAll(async () => {
  server = await startAudioServer();
});
afterAll(() => server.close());

const sentences = [
  'The weather is nice today.',
  'I would like to walk in the park with my dog.',
  'Please send the report before noon.',
  'She bought three apples and a loaf of bread.',
  'The train to the city leaves in ten minutes.',
  'We should meet again next week.',
  'He opened the window and looked outside.',
  'There is a small shop on the corner of the street.',
  'My brother works in a large hospital.',
  'The children are playing in the garden.',
  'Can you tell me what time it is?',
  'They decided to stay at home because of the rain.',
  'This book was written many years ago.',
  'I forgot my keys on the kitchen table.',
  'The meeting will begin at nine in the morning.',
  'She speaks English and a little French.',
  'We had dinner at a restaurant near the river.',
  'The old man told us a wonderful story.',
  'Please turn off the light when you leave the room.',
  'It takes two hours to drive to the mountains.',
];

describe('a spoken sentence', () => {
  it('comes back as text: twenty of them, streamed in frames of 20 ms, with few wrong words', async () => {
    const speaker = server.speak();
    let wrong = 0;
    let words = 0;
    let interimWhileSpeaking = 0;
    for (const batch of [sentences.slice(0, 10), sentences.slice(10)]) {
      const sounds: Buffer[] = [];
      for (const input of batch) sounds.push(await say(speaker, input));
      const heard = await Promise.all(sounds.slice(0, 5).map(hear));
      heard.push(...(await Promise.all(sounds.slice(5).map(hear))));
      for (const [index, { text, interims }] of heard.entries()) {
        const said = plain(batch[index]!);
        const errors = editDistance(said, plain(text));
        if (errors > 0) console.log(`said  ${batch[index]}\nheard ${text}`);
        wrong += errors;
        words += said.length;
        if (interims > 0) interimWhileSpeaking += 1;
      }
    }
    const rate = wrong / words;
    console.log(
      `word error rate of the round trip: ${(rate * 100).toFixed(1)} % (${wrong} of ${words} words in ${sentences.length} sentences)`,
    );
    expect(rate).toBeLessThan(0.12);
    expect(interimWhileSpeaking).toBeGreaterThan(10);
    speaker.socket.close();
  }, 180_000);
});

async function say(speaker: ReturnType<AudioServer['speak']>, input: string): Promise<Buffer> {
  speaker.send({ type: 'tts', model: 'sandbox-tts', input, voice: 'rms', output_format: 'pcm_16000' });
  const parts: Buffer[] = [];
  for (;;) {
    const message = await speaker.next();
    if (message.type === 'done') return Buffer.concat(parts);
    expect(message.type).toBe('audio');
    parts.push(Buffer.from(String(message.data), 'base64'));
  }
}

async function hear(sound: Buffer): Promise<{ text: string; interims: number }> {
  const listener = server.transcribe();
  listener.send({
    type: 'configure',
    model: 'sandbox-stt',
    encoding: 'pcm_s16le',
    sample_rate: 16_000,
    language: 'en',
  });
  await listener.next(({ type }) => type === 'session_started');
  let interims = 0;
  for (let at = 0; at < sound.byteLength; at += 640) {
    listener.send(sound.subarray(at, at + 640));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  interims = listener.messages.filter((message) => message.type === 'transcript' && message.is_final === false).length;
  listener.send({ type: 'stop' });
  const done = await listener.next(({ type }) => type === 'done');
  expect(done.audio_duration_seconds).toBeCloseTo(sound.byteLength / 32_000, 1);
  expect(await listener.closed).toEqual({ code: 1000, reason: 'done' });
  const finals = listener.messages.filter((message) => message.type === 'transcript' && message.is_final === true);
  return { text: finals.map(({ text }) => text).join(' '), interims };
}

const numbers: Record<string, string> = { '2': 'two', '3': 'three', '9': 'nine', '10': 'ten' };
const plain = (text: string) =>
  text
    .toLowerCase()
    .replace(/to[- ]day/g, 'today')
    .replace(/[^a-z0-9' ]/g, ' ')
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => numbers[word] ?? word);

function editDistance(from: readonly string[], to: readonly string[]): number {
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const substituted = previous[column - 1]! + (from[row - 1] === to[column - 1] ? 0 : 1);
      current.push(Math.min(substituted, previous[column]! + 1, current[column - 1]! + 1));
    }
    previous = current;
  }
  return previous[to.length]!;
}
