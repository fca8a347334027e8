import { EventEmitter } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import type { SttEvent } from '../../../lib/domain/transcription';
import { createSandboxStt } from '../../../lib/providers/sandbox/stt';
import { createTestClock } from '../../support/clock';
import { recordLog } from '../../support/log';

// A slow recogniser, as on a busy machine.

const settle = async () => {
  for (let round = 0; round < 8; round++) await new Promise((resolve) => setImmediate(resolve));
};

function makeStt() {
  const clock = createTestClock();
  const asked: Float32Array[] = [];
  const worker = Object.assign(new EventEmitter(), {
    ref: () => {},
    unref: () => {},
    terminate: () => Promise.resolve(0),
    postMessage: (samples: Float32Array) => asked.push(samples),
  });
  // Safe: the threads use nothing else of a worker.
  const stt = createSandboxStt({ clock, cores: 2, startWorker: () => worker as unknown as Worker });
  return { clock, asked, answer: (text: string) => worker.emit('message', { answer: text }), stt };
}

const format = { encoding: 'pcm_s16le', sampleRateHz: 16_000 } as const;
const binding = {
  providerId: 'sandbox',
  modelName: 'sandbox-stt',
  stability: 'stable',
  price: { perMinute: 1n, meter: 'audio', source: 'tests', verified: true },
} as const;
const babble = Buffer.from(
  Int16Array.from(
    { length: 16_000 },
    (_, index) => 9_000 * Math.sin(index * 0.7) * Math.max(0.02, Math.sin((index / 16_000) * 4 * Math.PI)),
  ).buffer,
);

it('an stt session whose last text is late reports every second that it is working, and then the text', async () => {
  const { clock, asked, answer, stt } = makeStt();
  const events: SttEvent[] = [];
  async function* sound() {
    yield babble;
  }
  const running = (async () => {
    for await (const event of stt.transcribe(
      sound(),
      { binding, format },
      { signal: new AbortController().signal, log: recordLog() },
    ))
      events.push(event);
  })();
  await settle();
  answer('');
  await settle();
  // The interim recognition started before the audio ended, and its thread is busy with it.
  expect(asked).toHaveLength(2);
  for (let second = 0; second < 4; second++) await clock.advance(1_000);
  answer('a guess');
  await settle();
  expect(asked).toHaveLength(3);
  for (let second = 0; second < 4; second++) await clock.advance(1_000);
  answer('late but here');
  await running;
  expect(
    events.map((event) =>
      event.kind === 'transcript' ? `${event.transcript.text} ${event.transcript.isFinal}` : event.kind,
    ),
  ).toEqual([
    'ready',
    ...Array.from({ length: 4 }, () => 'working'),
    'a guess false',
    ...Array.from({ length: 4 }, () => 'working'),
    'late but here true',
  ]);
  await stt.close();
  expect(clock.pending()).toBe(0);
});

it('an stt session that falls behind takes no more audio until it has caught up, and returns every utterance', async () => {
  const { asked, answer, stt } = makeStt();
  const finals: string[] = [];
  let taken = 0;
  async function* sound() {
    for (let utterance = 0; utterance < 12; utterance++) {
      taken += 1;
      yield Buffer.concat([babble, Buffer.alloc(48_000)]);
    }
  }
  const running = (async () => {
    for await (const event of stt.transcribe(
      sound(),
      { binding, format },
      { signal: new AbortController().signal, log: recordLog() },
    )) {
      if (event.kind === 'transcript' && event.transcript.isFinal) finals.push(event.transcript.text);
    }
  })();
  await settle();
  answer('');
  await settle();
  const takenAtFirst = taken;
  expect(takenAtFirst).toBeLessThan(8);
  // The event loop is not blocked: otherwise the next line would not be reached.
  await settle();
  expect(taken).toBe(takenAtFirst);
  for (let answered = 1; asked.length > answered; answered++) {
    answer(`text ${answered}`);
    await settle();
  }
  await running;
  expect(taken).toBe(12);
  expect(finals.length).toBeGreaterThanOrEqual(12);
  await stt.close();
});

describe('the first session', () => {
  async function* oneSecond() {
    yield babble;
  }
  function transcribe(stt: ReturnType<typeof makeStt>['stt']) {
    const events: string[] = [];
    const leaving = new AbortController();
    const ended = (async () => {
      for await (const { kind } of stt.transcribe(
        oneSecond(),
        { binding, format },
        { signal: leaving.signal, log: recordLog() },
      ))
        events.push(kind);
    })();
    return { events, ended, leave: () => leaving.abort() };
  }

  it('is ready when the recogniser is loaded, and later ones are at once', async () => {
    const { asked, answer, stt } = makeStt();
    const first = transcribe(stt);
    await settle();
    expect([first.events, asked.map(({ length }) => length)]).toEqual([[], [0]]);
    answer('');
    await settle();
    expect(first.events).toEqual(['ready']);
    first.leave();
    answer('of nobody');
    await first.ended;
    const second = transcribe(stt);
    await settle();
    expect(second.events).toEqual(['ready']);
    second.leave();
    await second.ended;
    await stt.close();
  });

  it('is ready after four seconds on a machine that needs longer to load it', async () => {
    const { clock, stt } = makeStt();
    const first = transcribe(stt);
    await settle();
    await clock.advance(3_999);
    expect(first.events).toEqual([]);
    await clock.advance(1);
    await settle();
    expect(first.events).toEqual(['ready']);
    first.leave();
    await first.ended;
    await stt.close();
  });

  it('that is abandoned during loading leaves nothing behind, and the next one finds it loaded', async () => {
    const { asked, answer, stt } = makeStt();
    const first = transcribe(stt);
    await settle();
    first.leave();
    await first.ended;
    answer('');
    const second = transcribe(stt);
    await settle();
    expect([first.events, second.events, asked.length]).toEqual([[], ['ready'], 2]);
    second.leave();
    await second.ended;
    await stt.close();
  });
});
