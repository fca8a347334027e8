import { describe, expect, it } from 'vitest';
import { openSpeech, Patchbay, type Speech } from '../../../lib/client/index';
import { scriptSockets } from './scripted-socket';

// How the client reads the answers of a gateway that the test plays, when texts follow one another.

const client = new Patchbay({ baseUrl: 'http://gateway.test', apiKey: 'x' });

describe('openSpeech', () => {
  const voice = { model: 'm', voice: 'v' };
  const audio = (context: string, text: string) => ({ type: 'audio', data: btoa(text), context_id: context });
  const done = (context: string) => ({ type: 'done', context_id: context });
  const refusal = (input: string) => ({ type: 'error', message: `${input} is refused.`, code: 400 });
  const ignoreAll = () => {};
  const turn = () => new Promise((resolve) => setTimeout(resolve));

  /** What is heard of a text, or the message of its error. */
  async function hear(speech: Speech, input: string): Promise<string> {
    let heard = '';
    try {
      for await (const chunk of speech.speak(input)) heard += Buffer.from(chunk).toString();
      return heard;
    } catch (error) {
      return (error as Error).message;
    }
  }

  /** Speaks its name for every text, and refuses those that begin with "bad". */
  const speaking = () =>
    scriptSockets((socket, message) => {
      const { type, input } = JSON.parse(String(message)) as { type: string; input: string };
      if (type !== 'tts') return;
      setTimeout(() => {
        if (input.startsWith('bad')) return socket.receive(refusal(input));
        socket.receive(audio(input, input));
        socket.receive(done(input));
      });
    });

  it('refuses a text after close', { timeout: 2_000 }, async () => {
    const { webSocket } = speaking();
    const speech = await openSpeech(client, { ...voice, webSocket });
    speech.close();
    await expect(speech.speak('Hello.').next()).rejects.toMatchObject({ name: 'SocketError', code: 1000 });
  });

  it('throws the refusal of a text in its loop, and speaks the next one over the same connection', async () => {
    const { sockets, webSocket } = speaking();
    const speech = await openSpeech(client, { ...voice, webSocket });
    expect(await hear(speech, 'bad')).toBe('bad is refused.');
    expect(await hear(speech, 'good')).toBe('good');
    expect(await hear(speech, 'bad again')).toBe('bad again is refused.');
    expect(sockets).toHaveLength(1);
  });

  it('speaks a text whose predecessor is refused after it was sent', async () => {
    const { webSocket } = speaking();
    const speech = await openSpeech(client, { ...voice, webSocket });
    const first = hear(speech, 'bad');
    const second = hear(speech, 'good');
    expect(await Promise.all([first, second])).toEqual(['', 'good']);
    expect(await hear(speech, 'better')).toBe('better');
  });

  it('throws the refusal of a text that superseded another one', { timeout: 2_000 }, async () => {
    const { sockets, webSocket } = scriptSockets((socket, message) => {
      const { input } = JSON.parse(String(message)) as { input?: string };
      if (input === 'bad') setTimeout(() => socket.receive(refusal('bad')));
    });
    const speech = await openSpeech(client, { ...voice, webSocket });
    const first = hear(speech, 'slow');
    await turn();
    const second = hear(speech, 'bad');
    expect(await Promise.all([first, second])).toEqual(['', 'bad is refused.']);
    expect(sockets).toHaveLength(2);
  });

  it('leaves out audio of the text before that was on its way', async () => {
    const { sockets, webSocket } = scriptSockets(ignoreAll);
    const speech = await openSpeech(client, { ...voice, webSocket });
    const first = hear(speech, 'one');
    await turn();
    const second = hear(speech, 'two');
    await turn();
    sockets[0]!.receive(audio('1', 'one'));
    sockets[0]!.receive(audio('2', 'two'));
    sockets[0]!.receive(done('2'));
    expect(await Promise.all([first, second])).toEqual(['', 'two']);
  });

  it('speaks the next text when the session of the one before ended with its failure', async () => {
    const { sockets, webSocket } = scriptSockets((socket, message) => {
      const { input } = JSON.parse(String(message)) as { input?: string };
      if (input !== 'two' || sockets.length !== 2) return;
      socket.receive(audio('2', 'two'));
      socket.receive(done('2'));
    });
    const speech = await openSpeech(client, { ...voice, webSocket });
    const first = hear(speech, 'one');
    await turn();
    sockets[0]!.receive(audio('1', 'one'));
    await turn();
    const second = hear(speech, 'two');
    await turn();
    sockets[0]!.receive({ type: 'error', message: 'The provider failed.', code: 502 });
    sockets[0]!.lose(1011, 'upstream_timeout');
    expect(await Promise.all([first, second])).toEqual(['one', 'two']);
  });
});
