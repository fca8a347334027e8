import { WebSocket } from 'ws';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSpeech, openTranscription, Patchbay, SocketError } from '../../../lib/client/index';
import { startAudioServer, type AudioServer } from '../../support/audio-server';
import { hurriedClock } from '../../support/hurried-clock';
import { startTcpRelay, type TcpRelay } from '../../support/tcp-relay';

// The sockets of the client against the product, over a connection that the test can cut.

let server: AudioServer;
let relay: TcpRelay;
let client: Patchbay;
beforeAll(async () => {
  server = await startAudioServer({ clock: hurriedClock(0.1) });
  relay = await startTcpRelay({ targetPort: server.port });
  client = new Patchbay({ baseUrl: `http://127.0.0.1:${relay.port}`, apiKey: server.firstRun.keys.test });
});
afterAll(async () => {
  await relay.close();
  await server.close();
});

const RATE = 16_000;
const webSocket = (url: string) => new WebSocket(url);
const voice = { model: 'sandbox-tts', voice: 'rms', outputFormat: `pcm_${RATE}`, webSocket };

/** The samples of each text, with the pause of one and a half seconds that ends a sentence. */
async function say(...texts: string[]): Promise<Uint8Array<ArrayBuffer>[]> {
  const speech = await openSpeech(client, voice);
  const sentences: Uint8Array<ArrayBuffer>[] = [];
  for (const text of texts) {
    const parts: Uint8Array[] = [];
    for await (const chunk of speech.speak(text)) parts.push(chunk);
    sentences.push(new Uint8Array(Buffer.concat([...parts, new Uint8Array(RATE * 3)])));
  }
  speech.close();
  return sentences;
}

describe('openSpeech', () => {
  it('speaks one text after another, and stops when the loop is left', { timeout: 120_000 }, async () => {
    const speech = await openSpeech(client, voice);
    let bytes = 0;
    for await (const chunk of speech.speak('The boat is on the lake.')) bytes += chunk.length;
    expect(bytes / (2 * RATE)).toBeGreaterThan(0.5);
    for await (const chunk of speech.speak('One. Two. Three. Four. Five.')) {
      expect(chunk.length).toBeGreaterThan(0);
      break;
    }
    let again = 0;
    for await (const chunk of speech.speak('The boat is on the lake.')) again += chunk.length;
    expect(Math.abs(again - bytes)).toBeLessThan(0.1 * bytes);
    speech.close();
  });

  it('speaks over another connection when the first broke between two texts', { timeout: 120_000 }, async () => {
    const speech = await openSpeech(client, voice);
    for await (const chunk of speech.speak('Hello.')) expect(chunk.length).toBeGreaterThan(0);
    relay.cut();
    relay.mend();
    let bytes = 0;
    for await (const chunk of speech.speak('Hello again.')) bytes += chunk.length;
    expect(bytes).toBeGreaterThan(0);
    speech.close();
  });

  it('throws the reason of the gateway', { timeout: 60_000 }, async () => {
    const speech = await openSpeech(client, { ...voice, voice: 'nobody' });
    const refused = await speech
      .speak('Hello.')
      .next()
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(SocketError);
    expect(refused).toMatchObject({ code: 400, message: expect.stringContaining('voice') as string });
    speech.close();
  });
});

describe('openTranscription', () => {
  it(
    'goes on over another connection: every sentence comes once, and times continue',
    { timeout: 240_000 },
    async () => {
      const [first, second] = await say(
        'I would like to walk in the park with my dog.',
        'She bought three apples and a loaf of bread.',
      );
      if (!first || !second) throw new Error('There are two sentences.');
      const finals: { text: string; start: number }[] = [];
      let reconnects = 0;
      const session = await openTranscription(client, {
        model: 'sandbox-stt',
        language: 'en',
        sampleRate: RATE,
        webSocket,
        onTranscript({ text, isFinal, words }) {
          if (isFinal) finals.push({ text, start: words[0]?.start ?? 0 });
        },
        onReconnect: () => (reconnects += 1),
      });
      const send = async (audio: Uint8Array<ArrayBuffer>) => {
        const frame = RATE / 5; // 100 ms
        for (let at = 0; at < audio.length; at += frame) {
          session.send(audio.subarray(at, at + frame));
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      };
      await send(first);
      await expect.poll(() => finals.length, { timeout: 60_000 }).toBe(1);
      // In the middle of a sentence.
      const middle = 2 * Math.round(second.length / 6);
      await send(second.subarray(0, middle));
      relay.cut();
      relay.mend();
      await expect.poll(() => reconnects, { timeout: 60_000 }).toBe(1);
      await send(second.subarray(middle));
      const { audioSeconds } = await session.stop();
      expect(reconnects).toBe(1);
      const text = finals
        .map((each) => each.text)
        .join(' ')
        .toLowerCase();
      expect(text.match(/my dog/g)).toHaveLength(1);
      expect(text.match(/bread/g)).toHaveLength(1);
      expect(Math.abs(audioSeconds - (first.length + second.length) / (2 * RATE))).toBeLessThan(0.5);
      const starts = finals.map(({ start }) => start);
      expect(starts).toEqual(starts.toSorted((one, other) => one - other));
      expect(starts.at(-1)).toBeGreaterThan(2);
    },
  );

  it('ends with the reason of the gateway, and does not try again what is refused', { timeout: 60_000 }, async () => {
    const refused = await openTranscription(client, { model: 'nothing', webSocket, onTranscript: () => {} }).catch(
      (error: unknown) => error,
    );
    expect(refused).toBeInstanceOf(SocketError);
    expect(refused).toMatchObject({ code: 400 });
  });
});
