import { describe, expect, it } from 'vitest';
import { openTranscription, Patchbay } from '../../../lib/client/index';
import { scriptSockets, type ScriptedSocket } from './scripted-socket';

// The frames that the client sends, to a gateway that the test plays.

const client = new Patchbay({ baseUrl: 'http://gateway.test', apiKey: 'x' });

describe('openTranscription', () => {
  function listening() {
    return scriptSockets((socket, message) => {
      if (typeof message !== 'string') return;
      const { type } = JSON.parse(message) as { type: string };
      if (type === 'configure') socket.receive({ type: 'session_started', session_id: 'a' });
    });
  }

  const framesOf = ({ sent }: ScriptedSocket) => sent.filter((message) => typeof message !== 'string');
  const bytesOf = (socket: ScriptedSocket) => new Uint8Array(Buffer.concat(framesOf(socket)));
  const sound = Uint8Array.from({ length: 9_600 }, (_, at) => at % 251);

  it('sends whole samples, whatever the lengths of what it is given', async () => {
    const { sockets, webSocket } = listening();
    const session = await openTranscription(client, { model: 'm', webSocket, onTranscript: () => {} });
    const buffer = sound.slice(0, 4_801);
    session.send(buffer);
    buffer.fill(0); // The caller uses its buffer again.
    session.send(sound.slice(4_801));
    session.send(new Uint8Array());
    expect(framesOf(sockets[0]!).every((frame) => frame.length > 0 && frame.length % 2 === 0)).toBe(true);
    expect(bytesOf(sockets[0]!)).toEqual(sound);
    session.close();
  });

  it.each([
    ['pcm_s16le', 16_000, 3_200],
    ['pcm_s16le', 11_025, 2_206],
    ['pcm_f32le', 16_000, 6_400],
    ['pcm_mulaw', 8_000, 800],
  ])('sends a long piece of %s at %i Hz in frames of at most 100 ms', async (encoding, sampleRate, largest) => {
    const { sockets, webSocket } = listening();
    const session = await openTranscription(client, {
      model: 'm',
      encoding,
      sampleRate,
      webSocket,
      onTranscript: () => {},
    });
    const long = Uint8Array.from({ length: 400_000 }, (_, at) => at % 251);
    session.send(long);
    const lengths = framesOf(sockets[0]!).map(({ length }) => length);
    expect(Math.max(...lengths)).toBe(largest);
    expect(bytesOf(sockets[0]!)).toEqual(long);
    session.close();
  });

  it('sends whole samples again over another connection', async () => {
    const { sockets, webSocket } = listening();
    let reconnects = 0;
    const session = await openTranscription(client, {
      model: 'm',
      sampleRate: 11_025,
      webSocket,
      onTranscript: () => {},
      onReconnect: () => (reconnects += 1),
    });
    session.send(sound.slice(0, 4_801));
    sockets[0]!.lose(1006);
    await expect.poll(() => reconnects, { timeout: 5_000 }).toBe(1);
    session.send(sound.slice(4_801));
    expect(framesOf(sockets[1]!).every(({ length }) => length % 2 === 0)).toBe(true);
    expect(bytesOf(sockets[1]!)).toEqual(sound);
    session.close();
  });
});
