import { Duplex } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createUnfinishedRequests } from '../../server/request-guards';
import { createTestClock } from '../support/clock';
import { startEdge, type RunningEdge } from '../support/edge';

const socket = () => new Duplex({ read: () => {}, write: (_chunk, _encoding, done) => done() });

function scene() {
  const clock = createTestClock();
  const cut: Duplex[] = [];
  return { clock, cut, unfinished: createUnfinishedRequests(clock, (each) => void cut.push(each)) };
}

describe('unfinished requests of one network', () => {
  it('above 100 are cut when they stay unfinished for 5 s, the oldest first', async () => {
    const { clock, cut, unfinished } = scene();
    const sockets = Array.from({ length: 130 }, socket);
    for (const each of sockets) unfinished.begin(each, '192.0.2.1');
    await clock.advance(4_900);
    expect(cut).toEqual([]);
    await clock.advance(3_000);
    expect(cut).toEqual(sockets.slice(0, 30));
  });

  it('are cut a few at a time, and ten thousand of them are gone within seconds', async () => {
    const { clock, cut, unfinished } = scene();
    for (let at = 0; at < 10_000; at += 1) unfinished.begin(socket(), '192.0.2.1');
    const cuts: number[] = [];
    await clock.advance(5_000);
    for (let ms = 0; ms < 10_000; ms += 100) {
      const before = cut.length;
      await clock.advance(100);
      cuts.push(cut.length - before);
    }
    expect(cut).toHaveLength(9_900);
    expect(Math.max(...cuts)).toBeLessThan(1_000);
  });

  it('that complete in time are not, whatever their number', async () => {
    const { clock, cut, unfinished } = scene();
    const sockets = Array.from({ length: 1_000 }, socket);
    for (const each of sockets) unfinished.begin(each, '192.0.2.1');
    for (const each of sockets.slice(50)) unfinished.end(each);
    await clock.advance(60_000);
    expect(cut).toEqual([]);
  });

  it('of several crowded networks are cut in each, and of no other', async () => {
    const { clock, cut, unfinished } = scene();
    const sockets = [150, 120, 100].map((count, network) =>
      Array.from({ length: count }, socket).map((each) => (unfinished.begin(each, `192.0.2.${network}`), each)),
    );
    await clock.advance(12_000);
    expect(new Set(cut)).toEqual(new Set([...sockets[0]!.slice(0, 50), ...sockets[1]!.slice(0, 20)]));
  });

  it('do not count for another network', async () => {
    const { clock, cut, unfinished } = scene();
    for (let at = 0; at < 300; at += 1) unfinished.begin(socket(), `192.0.2.${at % 3}`);
    await clock.advance(60_000);
    expect(cut).toEqual([]);
  });
});

/** Opens connections that send this much, waits for those that are cut, and returns how many are left. */
async function leftOf(edge: RunningEdge, count: number, text: string): Promise<{ left: number; answers: string[] }> {
  const sockets = await Promise.all(Array.from({ length: count }, () => edge.connect()));
  const answers: string[] = [];
  let left = sockets.length;
  for (const each of sockets) {
    each.on('error', () => {}).on('close', () => (left -= 1));
    each.on('data', (chunk: Buffer) => answers.push(chunk.toString('latin1')));
    each.write(text);
  }
  await new Promise((resolve) => setTimeout(resolve, 10_500));
  for (const each of sockets) each.destroy();
  return { left, answers };
}

// Each waits for seconds at a server of its own.
describe.concurrent('connections of one address', () => {
  it.each([
    ['half a header', 50, 'GET /livez HTTP/1.1\r\nHost: x\r\n'],
    [
      'half a body for the API',
      50,
      'POST /v1/videos HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer live-key\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
    ],
    [
      'half a body behind a page that is not answered yet',
      0,
      'GET /console HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nPOST /v1/videos HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer live-key\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
    ],
    [
      'half a body for Next',
      0,
      'POST /api/auth/callback/credentials HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n{',
    ],
  ])(
    'with %s are at most 100, and are refused with the reason where that is possible',
    { timeout: 30_000 },
    async (_what, refused, text) => {
      const edge = await startEdge({ nextHandler: () => {} });
      const { left, answers } = await leftOf(edge, 150, text);
      expect(left).toBe(100);
      expect(answers).toHaveLength(refused);
      for (const answer of answers)
        expect(answer).toMatch(
          /^HTTP\/1\.1 429 [^]*retry-after: 5[^]*connection: close[^]*Too many unfinished requests/i,
        );
      await edge.close();
    },
  );

  it('with half a body behind a request that is answered are at most 100', { timeout: 30_000 }, async () => {
    const edge = await startEdge({});
    const { left, answers } = await leftOf(
      edge,
      150,
      'GET /livez HTTP/1.1\r\nHost: x\r\n\r\nPOST /v1/videos HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer live-key\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
    );
    expect(left).toBe(100);
    expect(answers.filter((answer) => answer.startsWith('HTTP/1.1 429 '))).toHaveLength(50);
    await edge.close();
  });

  it('with a complete body that is not read are not limited', { timeout: 30_000 }, async () => {
    const edge = await startEdge({});
    Object.assign(edge.gateway.videos, { cancel: () => new Promise(() => {}) });
    const { left } = await leftOf(
      edge,
      150,
      'POST /v1/videos/video_00000000000000000000000000000001/cancel HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer live-key\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}',
    );
    expect(left).toBe(150);
    await edge.close();
  });

  it(
    'with complete requests are not limited, whether answered or waiting for their answer',
    { timeout: 30_000 },
    async () => {
      const edge = await startEdge({ nextHandler: () => {} });
      const left = await Promise.all([
        leftOf(edge, 150, 'GET /livez HTTP/1.1\r\nHost: x\r\n\r\n'),
        leftOf(edge, 150, 'GET /console HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'),
      ]);
      expect(left.map((each) => each.left)).toEqual([150, 150]);
      await edge.close();
    },
  );

  it('of a trusted proxy are not limited', { timeout: 30_000 }, async () => {
    const edge = await startEdge({}, { trustedProxies: ['127.0.0.1'] });
    expect((await leftOf(edge, 150, 'GET /livez HTTP/1.1\r\n')).left).toBe(150);
    await edge.close();
  });
});
