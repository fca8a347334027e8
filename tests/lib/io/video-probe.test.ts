import { afterEach, expect, it } from 'vitest';
import { createVideoProbe } from '../../../lib/io/video-probe';
import { hurriedClock } from '../../support/hurried-clock';
import { RESULT } from '../../support/upstreams/fake-video-vendor';
import { startWorker } from '../../support/workers';

let running: ReturnType<typeof createVideoProbe>;
afterEach(() => running.close());

/** With the real thread. */
function probe(file: Buffer, signal = new AbortController().signal) {
  const readPart = async (start: number, end: number) => ({ bytes: file.subarray(start, end + 1), total: file.length });
  return running.probe(readPart, 12, signal);
}

/** The video with a table of two thousand million samples, which the reader would count one by one. */
function endless(): Buffer {
  const file = Buffer.from(RESULT);
  const sizes = file.indexOf('stsz', 0, 'latin1');
  file.writeUInt32BE(1, sizes + 8);
  file.writeUInt32BE(0x7fff_ffff, sizes + 12);
  const times = file.indexOf('stts', 0, 'latin1');
  file.writeUInt32BE(0x7fff_ffff, times + 12);
  return file;
}

it('reads the facts of a video in a thread', async () => {
  running = createVideoProbe({ startWorker, clock: hurriedClock(1) });
  expect(await probe(RESULT)).toMatchObject({ durationSeconds: 2, width: 160, height: 90, fps: 12 });
  expect(await probe(Buffer.from('no video'))).toBeUndefined();
});

it('gives up a file that keeps the thread busy, and reads the next one', async () => {
  // A second instead of twenty.
  running = createVideoProbe({ startWorker, clock: hurriedClock(20) });
  expect(await probe(endless())).toBeUndefined();
  await running.close();
  running = createVideoProbe({ startWorker, clock: hurriedClock(1) });
  expect(await probe(RESULT)).toMatchObject({ durationSeconds: 2 });
});

it('ends with the reason of the signal', async () => {
  running = createVideoProbe({ startWorker, clock: hurriedClock(1) });
  const stop = new AbortController();
  const probing = probe(endless(), stop.signal);
  const reason = new Error('enough');
  setTimeout(() => stop.abort(reason), 50);
  await expect(probing).rejects.toBe(reason);
});
