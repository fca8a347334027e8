import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startAudioServer, type AudioServer } from '../support/audio-server';
import { hurriedClock } from '../support/hurried-clock';
import { proofRuns } from '../support/proof-runs';

// The speech of one socket is transcribed by the other: the sandbox synthesises and recognises it, in real time.

let server: AudioServer;
beforeAll(async () => {
  // Ten times the usual time limits: on a busy machine the last text of five sessions at once can take longer than the ten
  // seconds that a session waits after "stop", and then its last interim text, without the last words, becomes final.
  server = await startAudioServer({ clock: hurriedClock(0.1) });
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
].slice(0, proofRuns(20, 4));

const AT_ONCE = 5;

describe('a spoken sentence', () => {
  it(`comes back as text: ${sentences.length} of them, streamed in frames of 20 ms, with few wrong words`, async () => {
    const speaker = server.speak();
    let wrong = 0;
    let words = 0;
    for (let first = 0; first < sentences.length; first += AT_ONCE) {
      const batch = sentences.slice(first, first + AT_ONCE);
      const sounds: Buffer[] = [];
      for (const input of batch) sounds.push(await say(speaker, input));
      const transcripts = await Promise.all(sounds.map(transcribe));
      for (const [index, { text }] of transcripts.entries()) {
        const said = plain(batch[index]!);
        const errors = editDistance(said, plain(text));
        if (errors > 0) console.log(`said  ${batch[index]}\nheard ${text}`);
        wrong += errors;
        words += said.length;
      }
    }
    const rate = wrong / words;
    console.log(
      `word error rate of the round trip: ${(rate * 100).toFixed(1)} % (${wrong} of ${words} words in ${sentences.length} sentences)`,
    );
    expect(rate).toBeLessThan(0.12);
    speaker.socket.close();
  });

  it('comes back as interim text before the final text when it is the only one', async () => {
    const speaker = server.speak();
    const { interimsBeforeFinal } = await transcribe(
      await say(speaker, 'I would like to walk in the park with my dog.'),
    );
    expect(interimsBeforeFinal).toBeGreaterThan(0);
    speaker.socket.close();
  });
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

async function transcribe(sound: Buffer): Promise<{ text: string; interimsBeforeFinal: number }> {
  const listener = server.transcribe();
  listener.send({
    type: 'configure',
    model: 'sandbox-stt',
    encoding: 'pcm_s16le',
    sample_rate: 16_000,
    language: 'en',
  });
  await listener.next(({ type }) => type === 'session_started');
  for (let at = 0; at < sound.byteLength; at += 640) {
    listener.send(sound.subarray(at, at + 640));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  listener.send({ type: 'stop' });
  const done = await listener.next(({ type }) => type === 'done');
  expect(done.audio_duration_seconds).toBeCloseTo(sound.byteLength / 32_000, 1);
  expect(await listener.closed).toEqual({ code: 1000, reason: 'done' });
  const transcripts = listener.messages.filter(({ type }) => type === 'transcript');
  const finals = transcripts.filter((message) => message.is_final === true);
  const interimsBeforeFinal = transcripts.findIndex((message) => message.is_final === true);
  return { text: finals.map(({ text }) => text).join(' '), interimsBeforeFinal };
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
