import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../../lib/domain/clock';
import { createUpstream, type Upstream } from '../../../../lib/providers/kit/http/http';
import { readEvents } from '../../../../lib/providers/kit/http/sse-stream';
import { createTestClock } from '../../../support/clock';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

async function startServer(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push({
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function openUpstream(baseUrl: string, clock = systemClock): Upstream {
  const upstream = createUpstream({ baseUrl, clock });
  open.push(upstream);
  return upstream;
}

const post = (signal = new AbortController().signal) => ({
  method: 'POST' as const,
  path: '/v1/x',
  headers: { authorization: 'Bearer secret' },
  body: '{}',
  headersMs: 1_000,
  signal,
});
const soon = () => new Promise((resolve) => setTimeout(resolve, 30));

describe('createUpstream', () => {
  it('asks below the path of its address', async () => {
    let path: string | undefined;
    const url = await startServer((request, response) => {
      path = request.url;
      response.end('ok');
    });
    const answer = await openUpstream(`${url}/api/anthropic/`).send(post());
    answer.body.destroy();
    expect(path).toBe('/api/anthropic/v1/x');
  });

  it('a redirect is an answer, and no credential goes anywhere else', async () => {
    let visits = 0;
    const elsewhere = await startServer((_request, response) => {
      visits++;
      response.end();
    });
    const url = await startServer((_request, response) => void response.writeHead(307, { location: elsewhere }).end());
    const answer = await openUpstream(url).send(post());
    answer.body.destroy();
    expect(answer.status).toBe(307);
    expect(visits).toBe(0);
  });

  it('a server that nobody runs was never asked: the order may be given again', async () => {
    const url = await startServer(() => {});
    await open.pop()?.close();
    await expect(openUpstream(url).send(post())).rejects.toMatchObject({
      code: 'upstream_invalid_response',
      extra: { upstream: { retry: 'later', started: 'no' } },
    });
  });

  it('headers that do not come in time are a timeout', async () => {
    const clock = createTestClock();
    const url = await startServer(() => {});
    const asked = openUpstream(url, clock).send(post());
    asked.catch(() => {});
    await soon();
    await clock.advance(1_001);
    await expect(asked).rejects.toMatchObject({
      code: 'upstream_timeout',
      extra: { upstream: { retry: 'elsewhere' } },
    });
  });

  it('the deadline of the headers does not end the body', async () => {
    const clock = createTestClock();
    const url = await startServer((_request, response) => {
      response.write('first');
      setTimeout(() => response.end('second'), 50);
    });
    const answer = await openUpstream(url, clock).send(post());
    await clock.advance(10_000);
    let text = '';
    for await (const chunk of answer.body) text += String(chunk);
    expect(text).toBe('firstsecond');
  });
});

describe('readEvents', () => {
  const read = async (
    url: string,
    clock: ReturnType<typeof createTestClock>,
    signal = new AbortController().signal,
  ) => {
    const answer = await openUpstream(url).send(post(signal));
    return readEvents(answer, { clock, quietMs: 60_000, isProgress: ({ name }) => name !== 'ping', signal });
  };

  it('pings do not end a silence', async () => {
    const clock = createTestClock();
    let response: ServerResponse | undefined;
    const url = await startServer((_request, given) => {
      response = given;
      given.write('event: a\ndata: 1\n\n');
    });
    const events = await read(url, clock);
    expect((await events.next()).value).toHaveLength(1);
    for (const ms of [40_000, 19_000]) {
      const next = events.next();
      await soon();
      await clock.advance(ms);
      response?.write('event: ping\ndata: {}\n\n');
      expect((await next).value).toEqual([{ name: 'ping', data: '{}' }]);
    }
    const last = events.next();
    last.catch(() => {});
    await soon();
    await clock.advance(1_500);
    await expect(last).rejects.toMatchObject({ code: 'upstream_timeout' });
  });

  it('the time that a slow reader takes is no silence of the upstream', async () => {
    const clock = createTestClock();
    let response: ServerResponse | undefined;
    const url = await startServer((_request, given) => {
      response = given;
      given.write('data: 1\n\n');
    });
    const events = await read(url, clock);
    await events.next();
    await clock.advance(3_600_000);
    response?.end('data: 2\n\n');
    expect((await events.next()).value).toEqual([{ name: '', data: '2' }]);
    expect((await events.next()).done).toBe(true);
  });

  it('a reader who does not read holds the upstream back', async () => {
    let written = 0;
    const url = await startServer((_request, response) => {
      const block = `data: ${'x'.repeat(64 * 1024)}\n\n`;
      const fill = () => {
        while (!response.destroyed && written < 200_000_000) {
          written += block.length;
          if (!response.write(block)) return void response.once('drain', fill);
        }
      };
      fill();
    });
    const events = await read(url, createTestClock());
    await events.next();
    await new Promise((resolve) => setTimeout(resolve, 300));
    const held = written;
    await new Promise((resolve) => setTimeout(resolve, 300));
    // What the sockets of both ends buffer, and not a byte more.
    expect(written).toBe(held);
    expect(written).toBeLessThan(20_000_000);
    await events.return(undefined);
  });
});
