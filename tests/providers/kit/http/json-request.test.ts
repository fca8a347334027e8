import { createServer } from 'node:http';
import type { Server, ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { requestJson } from '../../../../lib/providers/kit/http/json-request';
import { hurriedClock } from '../../../support/hurried-clock';

describe('requestJson', () => {
  let server: Server | undefined;
  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
  });

  async function ask(
    answer: (response: ServerResponse) => void,
    signal = new AbortController().signal,
  ): Promise<unknown> {
    server = createServer((_request, response) => answer(response));
    await new Promise<void>((resolve) => void server?.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    if (typeof address !== 'object' || !address) throw new Error('no port');
    return requestJson(
      { method: 'GET', url: `http://127.0.0.1:${address.port}/`, headers: {}, signal },
      { clock: hurriedClock(20) },
    );
  }

  it('gives the parsed answer', async () => {
    expect(await ask((response) => void response.writeHead(201).end('{"id":1}'))).toEqual({ id: 1 });
  });

  it('tells a refused key, a busy upstream and a broken one apart, and survives their long bodies', async () => {
    for (const [status, code] of [
      [401, 'upstream_auth_failed'],
      [429, 'upstream_invalid_response'],
      [500, 'upstream_invalid_response'],
      [302, 'upstream_invalid_response'],
    ] as const) {
      await expect(
        ask(
          (response) =>
            void response
              .writeHead(status, { 'retry-after': '7', location: 'http://127.0.0.1:1/' })
              .end('x'.repeat(300_000)),
        ),
      ).rejects.toMatchObject({
        code,
        extra: { upstream: { started: 'no', retry: 'elsewhere', retryAfterMs: 7_000 } },
      });
    }
  });

  it('takes neither HTML nor an answer without end', async () => {
    await expect(ask((response) => void response.end('<html>'))).rejects.toMatchObject({
      code: 'upstream_invalid_response',
    });
    await expect(ask((response) => void response.end('"' + 'x'.repeat(6 * 1024 * 1024) + '"'))).rejects.toMatchObject({
      code: 'upstream_invalid_response',
    });
  });

  it('waits only so long', async () => {
    await expect(ask(() => {})).rejects.toMatchObject({ code: 'upstream_timeout' });
    await expect(ask((response) => void response.writeHead(200).write('{'))).rejects.toMatchObject({
      code: 'upstream_timeout',
    });
  });

  it('ends with its signal', async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 20);
    await expect(ask(() => {}, stop.signal)).rejects.toMatchObject({ name: 'AbortError' });
  });
});
