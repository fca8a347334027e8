import type { RequestListener, ServerResponse } from 'node:http';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { newId } from '../../../lib/domain/ids';
import { createMediaSource } from '../../../lib/net/media-source';
import { recordLog } from '../../support/log';
import { makeOutbound } from '../../support/make-outbound';
import { mp4Bytes, pngBytes } from '../../support/media-bytes';
import { probeHere } from '../../support/probe';
import { startSentinel, type Sentinel } from '../../support/sentinel';

// The memory and the turns that reads of media share. The servers answer when the test says so.

const newOwner = () => ({ orgId: newId('org'), mode: 'live' }) as const;
/** A call is recognised by its signal. */
const newCall = (signal = new AbortController().signal) => ({ signal, log: recordLog() });

let sentinels: Sentinel[] = [];
afterEach(async () => {
  await Promise.all(sentinels.map((sentinel) => sentinel.close()));
  sentinels = [];
});

/** A server at an address of its own, so a host of its own. */
async function serve(answer: RequestListener): Promise<Sentinel & { readonly url: string }> {
  const sentinel = await startSentinel(answer);
  sentinels.push(sentinel);
  return { ...sentinel, url: `http://127.0.0.1:${sentinel.port}` };
}

/** A server whose answers wait in `open` until the test ends them, or the client disconnects. */
async function serveHeld(begin: (response: ServerResponse, range: string | undefined) => void = () => {}) {
  const open = new Set<ServerResponse>();
  const server = await serve((request, response) => {
    open.add(response);
    response.on('close', () => open.delete(response));
    begin(response, request.headers.range);
  });
  return { ...server, open };
}

function makeReader(maxInlineBytes?: number) {
  const source = createMediaSource({
    outbound: makeOutbound({}, { allow: ['127.0.0.0/8'] }),
    openOwn: async () => undefined,
    probe: probeHere,
    ...(maxInlineBytes !== undefined && { maxInlineBytes }),
  });
  return {
    measure: source.measure,
    picture: async (url: string, owner = newOwner(), call = newCall()) => {
      const media = await source.as({ role: 'first_frame', url }, [{ form: 'bytes' }], owner, call);
      // Safe: the only form that is accepted.
      return media as Extract<typeof media, { form: 'bytes' }>;
    },
  };
}

const owner = newOwner();

describe.each([
  ['another organisation', newOwner()],
  ['the same organisation', owner],
])('a picture of %s', (_name, other) => {
  const times = <Value>(count: number, make: (index: number) => Value) =>
    Array.from({ length: count }, (_, i) => make(i));

  it('does not wait for 96 pictures of a host that does not answer', async () => {
    const { picture } = makeReader();
    const slow = await serveHeld();
    const fast = await serve((_request, response) => void response.end(pngBytes()));
    const stop = new AbortController();
    const waiting = times(96, (i) => picture(`${slow.url}/${i}`, owner, newCall(AbortSignal.any([stop.signal]))));
    const ended = Promise.allSettled(waiting);
    await expect.poll(() => slow.open.size).toBe(5);
    const read = vi.fn();
    void picture(fast.url, other).then(({ bytes }) => read(bytes.length));
    await expect.poll(() => read.mock.calls).toEqual([[pngBytes().length]]);
    expect(slow.requests).toHaveLength(5);
    stop.abort();
    await ended;
  });

  it('does not wait for 12 videos of 200 MB that must be read whole, of which one is read at a time', async () => {
    const { measure, picture } = makeReader();
    const whole = new Set<ServerResponse>();
    const slow = await serveHeld((response, range) => {
      // More than the part that is asked for, and never the rest.
      response.writeHead(200, { 'content-length': 200 * 1024 * 1024 }).write(hugeBox());
      if (range !== undefined) return;
      whole.add(response);
      response.on('close', () => whole.delete(response));
    });
    const fast = await serve((_request, response) => void response.end(pngBytes()));
    const stop = new AbortController();
    const waiting = times(12, (i) => measure(`${slow.url}/${i}`, owner, newCall(AbortSignal.any([stop.signal]))));
    const ended = Promise.allSettled(waiting);
    await expect.poll(() => slow.requests.filter(({ headers }) => !headers.range)).not.toHaveLength(0);
    const read = vi.fn();
    void picture(fast.url, other).then(({ bytes }) => read(bytes.length));
    await expect.poll(() => read.mock.calls).toEqual([[pngBytes().length]]);
    // The others have given up their turn at the host, and wait without a connection.
    await expect.poll(() => [slow.requests.length, whole.size]).toEqual([24, 1]);
    stop.abort();
    await ended;
  });
});

/** The beginning of a video whose index comes after 200 MB. */
function hugeBox(): Buffer {
  const bytes = mp4Bytes(300 * 1024);
  bytes.writeUInt32BE(190 * 1024 * 1024, 32);
  bytes.write('free', 36, 'latin1');
  return bytes;
}

it('pictures hold the length that their server states, and not the limit', async () => {
  const { picture } = makeReader(200_000);
  const file = pngBytes(20_000);
  const slow = await serveHeld(
    (response) => void response.writeHead(200, { 'content-length': file.length }).write(file.subarray(0, 100)),
  );
  const reads = [1, 2, 3, 4].map((i) => picture(`${slow.url}/${i}`));
  // With the limit for each, the second would not begin before the first has ended.
  await expect.poll(() => slow.open.size).toBe(4);
  for (const response of slow.open) response.end(file.subarray(100));
  for (const { bytes } of await Promise.all(reads)) expect(bytes).toHaveLength(file.length);
  expect(slow.requests).toHaveLength(4);
});

it('a call that holds memory gets its turn at a host where five others find no memory', async () => {
  const { picture } = makeReader(16_000);
  const file = pngBytes(6_000);
  let isHeld = true;
  const slow = await serveHeld((response) => void (isHeld || response.end(file)));
  const call = newCall();
  const held = await picture(`data:image/png;base64,${pngBytes(3_000).toString('base64')}`, owner, call);

  const others = [1, 2, 3, 4, 5].map(async (i) => (await picture(`${slow.url}/${i}`)).release());
  await expect.poll(() => slow.open.size).toBe(5);
  const rest = picture(`${slow.url}/rest`, owner, call);
  isHeld = false;
  for (const response of slow.open) response.end(file);
  (await rest).release();
  held.release();
  await Promise.all(others);
  // The five have read again, once there was memory for them.
  expect(slow.requests).toHaveLength(5 + 1 + 5);
});
