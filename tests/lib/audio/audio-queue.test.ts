import { describe, expect, it } from 'vitest';
import { createAudioQueue, type AudioReading } from '../../../lib/audio/audio-queue';

const piece = (...bytes: number[]) => Uint8Array.from(bytes);
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Both ways of reading: what they receive, and how it ended. */
const ways: Readonly<Record<string, (reading: AudioReading, heard: number[]) => Promise<void>>> = {
  async iteration(reading, heard) {
    for await (const each of reading) heard.push(...each);
  },
  flow: (reading, heard) => reading.flow((each) => void heard.push(...each)),
};

describe.each(Object.entries(ways))('audio that is read by %s', (_name, read) => {
  it('comes in order, after what is replayed first, and ends when it is finished', async () => {
    const queue = createAudioQueue(() => {});
    queue.push(piece(3));
    const heard: number[] = [];
    const ended = read(queue.read({ again: [piece(1), piece(2)], pass: () => true }), heard);
    await turn();
    expect([heard, queue.bytes()]).toEqual([[1, 2, 3], 0]);
    queue.push(piece(4));
    queue.push(piece(5));
    queue.finish();
    await ended;
    expect(heard).toEqual([1, 2, 3, 4, 5]);
  });

  it('waits until it is passed', async () => {
    const queue = createAudioQueue(() => {});
    const heard: number[] = [];
    let allow: (may: boolean) => void = () => {};
    void read(queue.read({ pass: () => new Promise((resolve) => (allow = resolve)) }), heard);
    queue.push(piece(1));
    queue.push(piece(2));
    await turn();
    expect(heard).toEqual([]);
    allow(true);
    await turn();
    expect(heard).toEqual([1]);
  });

  it('ends with the chunk that is not passed', async () => {
    const queue = createAudioQueue(() => {});
    const heard: number[] = [];
    const ended = read(queue.read({ pass: ([byte]) => byte !== 2 }), heard);
    for (const byte of [1, 2, 3]) queue.push(piece(byte));
    await ended;
    expect(heard).toEqual([1]);
  });

  it('that is stopped leaves the rest to the next reading', async () => {
    const queue = createAudioQueue(() => {});
    const [first, second]: [number[], number[]] = [[], []];
    const reading = queue.read({ pass: () => true });
    const ended = read(reading, first);
    queue.push(piece(1));
    await turn();
    reading.stop();
    await ended;
    queue.push(piece(2));
    const next = read(queue.read({ pass: () => true }), second);
    queue.push(piece(3));
    queue.finish();
    await next;
    expect([first, second]).toEqual([[1], [2, 3]]);
  });

  it('is reported as pulled, chunk by chunk', async () => {
    const left: number[] = [];
    const queue = createAudioQueue(() => left.push(queue.bytes()));
    for (const byte of [1, 2, 3]) queue.push(piece(byte));
    queue.finish();
    await read(queue.read({ pass: () => true }), []);
    expect(left).toEqual([2, 1, 0]);
  });
});

describe('audio that flows', () => {
  it('is taken in the moment in which it arrives', () => {
    const queue = createAudioQueue(() => {});
    const heard: number[] = [];
    void queue.read({ pass: () => true }).flow((each) => void heard.push(...each));
    queue.push(piece(1));
    expect(heard).toEqual([1]);
  });

  it('waits for its consumer', async () => {
    const queue = createAudioQueue(() => {});
    const heard: number[] = [];
    let goOn = () => {};
    void queue.read({ pass: () => true }).flow((each) => {
      heard.push(...each);
      return new Promise((resolve) => (goOn = resolve));
    });
    queue.push(piece(1));
    queue.push(piece(2));
    await turn();
    expect([heard, queue.bytes()]).toEqual([[1], 1]);
    goOn();
    await turn();
    expect(heard).toEqual([1, 2]);
  });

  it('rejects when it cannot be taken, then or later', async () => {
    for (const take of [
      () => Promise.reject(new Error('full')),
      (): undefined => {
        throw new Error('full');
      },
    ]) {
      const queue = createAudioQueue(() => {});
      const flowing = queue.read({ pass: () => true }).flow(take);
      queue.push(piece(1));
      await expect(flowing).rejects.toThrow('full');
    }
  });

  it('ends when its iterator returns', async () => {
    const queue = createAudioQueue(() => {});
    const reading = queue.read({ pass: () => true });
    const flowing = reading.flow(() => undefined);
    await reading[Symbol.asyncIterator]().return?.();
    await expect(flowing).resolves.toBeUndefined();
  });
});
