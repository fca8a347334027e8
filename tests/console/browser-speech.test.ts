import { afterEach, expect, it, vi } from 'vitest';
import { openSpeaker } from '../../public/audio/patchbay-audio.js';

// The library for browsers with a scripted socket and sound device: only the order of messages matters here. The pages
// run it in a real browser.

/** The sources that play, by the first sample of their sound. */
const playing = new Set<number>();

class FakeSource extends EventTarget {
  buffer: { first: number } | undefined;
  connect() {}
  start() {
    playing.add(this.buffer?.first ?? Number.NaN);
  }
  stop() {
    playing.delete(this.buffer?.first ?? Number.NaN);
  }
  finish() {
    this.stop();
    this.dispatchEvent(new Event('ended'));
  }
}

const sources: FakeSource[] = [];

class FakeContext {
  readonly currentTime = 0;
  async resume() {}
  async close() {}
  createAnalyser() {
    return { connect() {}, fftSize: 0 };
  }
  createBuffer(_channels: number, length: number, rate: number) {
    const buffer = {
      duration: length / rate,
      first: 0,
      copyToChannel: (samples: Float32Array) => (buffer.first = samples[0]!),
    };
    return buffer;
  }
  createBufferSource() {
    const source = new FakeSource();
    sources.push(source);
    return source;
  }
}

class FakeSocket extends EventTarget {
  static readonly OPEN = 1;
  readonly readyState = 1;
  constructor() {
    super();
    sockets.push(this);
    queueMicrotask(() => this.dispatchEvent(new Event('open')));
  }
  send() {}
  close() {}
  receive(message: object) {
    this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(message) }));
  }
}

const sockets: FakeSocket[] = [];

/** Sound whose first sample is this, of 16 bits. */
const sound = (sample: number, id: string) => ({
  type: 'audio',
  data: Buffer.from(Int16Array.of(sample * 32_768).buffer).toString('base64'),
  context_id: id,
});

const text = { model: 'm', input: 'Hello.', voice: 'v' };
const refusal = (sentence: string) => ({ type: 'error', message: sentence, code: 400 });

async function open() {
  vi.stubGlobal('AudioContext', FakeContext);
  vi.stubGlobal('WebSocket', FakeSocket);
  vi.stubGlobal('window', { location: { href: 'http://127.0.0.1/' } });
  const speaker = await openSpeaker({ url: 'http://127.0.0.1/v1/audio/speech/ws', token: 'pb_test' });
  return { speaker, socket: sockets.at(-1) };
}

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('late sound of a text that was superseded gives way to that of the new one', async () => {
  const { speaker, socket } = await open();
  const first = speaker.speak(text);
  const second = speaker.speak(text);
  expect(await first).toBe('cancelled');
  socket!.receive(sound(0.25, 'first'));
  expect([...playing]).toEqual([0.25]);
  socket!.receive(sound(0.5, 'second'));
  expect([...playing]).toEqual([0.5]);
  socket!.receive({ type: 'done', context_id: 'second' });
  sources.at(-1)?.finish();
  expect(await second).toBe('played');
});

it('the refusal of a text that was superseded leaves the new one', async () => {
  const { speaker, socket } = await open();
  const first = speaker.speak(text);
  const second = speaker.speak(text);
  expect(await first).toBe('cancelled');
  socket!.receive(refusal('Of the first.'));
  socket!.receive(sound(0.75, 'second'));
  socket!.receive({ type: 'done', context_id: 'second' });
  sources.at(-1)?.finish();
  expect(await second).toBe('played');
});

it('a refused text is rejected at once, also after others', async () => {
  const { speaker, socket } = await open();
  const only = speaker.speak(text);
  socket!.receive(refusal('Of the only one.'));
  await expect(only).rejects.toThrow('Of the only one.');
  void speaker.speak(text);
  const last = speaker.speak(text);
  socket!.receive(refusal('Of the first.'));
  socket!.receive(refusal('Of the last.'));
  await expect(last).rejects.toThrow('Of the last.');
});

it('a text is rejected at once if those before it were sent too long ago to be refused now', async () => {
  const { speaker, socket } = await open();
  vi.useFakeTimers();
  void speaker.speak(text);
  speaker.cancel();
  await vi.advanceTimersByTimeAsync(3_000);
  const second = speaker.speak(text);
  const rejected = expect(second).rejects.toThrow('Of the second.');
  socket!.receive(refusal('Of the second.'));
  await vi.advanceTimersByTimeAsync(0);
  await rejected;
});

it('a refusal that nothing follows is that of the current text', async () => {
  const { speaker, socket } = await open();
  vi.useFakeTimers();
  void speaker.speak(text);
  const second = speaker.speak(text);
  const rejected = expect(second).rejects.toThrow('Of the second.');
  socket!.receive(refusal('Of the second.'));
  await vi.advanceTimersByTimeAsync(10_000);
  await rejected;
});
