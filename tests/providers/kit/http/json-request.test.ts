import { createServer } from 'node:http';
import type { Server, ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { requestJson } from '../../../../lib/providers/kit/http/json-request';
import { createTestClock } from '../../../support/clock';

describe('requestJson', () => {
  let server: Server | undefined;
  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
  });

  /**
   * The time limit runs on `clock`, which stands still until a test moves it: a slow machine never reaches the limit.
   */
  async function ask(
    answer: (response: ServerResponse) => void,
    { clock = createTestClock(), signal = new AbortController().signal } = {},
  ): Promise<unknown> {
    server = createServer((_request, response) => answer(response));
    await new Promise<void>((resolve) => void server?.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    if (typeof address !== 'object' || !address) throw new Error('no port');
    return requestJson({ method: 'GET', url: `http://127.0.0.1:${address.port}/`, headers: {}, signal }, { clock });
  }

  it('returns the parsed answer', async () => {
    expect(await ask((response) => void response.writeHead(201).end('{"id":1}'))).toEqual({ id: 1 });
  });

  it('distinguishes a refused key from a busy or a failing upstream, and does not read their long bodies', async () => {
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

  it('accepts neither HTML nor an answer of more than 4 MiB', async () => {
    await expect(ask((response) => void response.end('<html>'))).rejects.toMatchObject({
      code: 'upstream_invalid_response',
    });
    await expect(ask((response) => void response.end('"' + 'x'.repeat(6 * 1024 * 1024) + '"'))).rejects.toMatchObject({
      code: 'upstream_invalid_response',
    });
  });

  it('waits five seconds for the whole answer', async () => {
    const inTime = createTestClock();
    const answerInTime = (response: ServerResponse) =>
      void inTime.advance(4_999).then(() => void response.writeHead(200).end('{}'));
    expect(await ask(answerInTime, { clock: inTime })).toEqual({});

    const silent = createTestClock();
    await expect(ask(() => void silent.advance(5_000), { clock: silent })).rejects.toMatchObject({
      code: 'upstream_timeout',
    });

    const endless = createTestClock();
    const answerHalf = (response: ServerResponse) =>
      void response.writeHead(200).write('{', () => void endless.advance(5_000));
    await expect(ask(answerHalf, { clock: endless })).rejects.toMatchObject({ code: 'upstream_timeout' });
  });

  it('ends with its signal', async () => {
    const stop = new AbortController();
    await expect(ask(() => stop.abort(), { signal: stop.signal })).rejects.toMatchObject({ name: 'AbortError' });
  });
});
