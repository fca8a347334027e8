import type { IncomingHttpHeaders } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../../lib/domain/clock';
import { createVendorApi, type VendorApiDeps, type VendorRequest } from '../../../../lib/providers/kit/http/vendor-api';
import { createTestClock } from '../../../support/clock';
import { recordLog } from '../../../support/log';
import { startSentinel } from '../../../support/sentinel';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).toReversed()) await each.close();
});

type Answer = Parameters<VendorApiDeps<unknown>['read']>[0];

/** An API in front of a server that records the headers of its requests, and answers unless it is `silent`. */
async function startApi(deps: Partial<VendorApiDeps<Answer>> = {}, { silent = false } = {}) {
  const received: IncomingHttpHeaders[] = [];
  const server = await startSentinel((request, response) => {
    received.push(request.headers);
    if (!silent) response.writeHead(402, { 'x-pause': '3' }).end('{"id": "a"}');
  });
  const api = createVendorApi<Answer>({
    baseUrl: `http://127.0.0.1:${server.port}`,
    clock: systemClock,
    headers: () => ({ authorization: 'Bearer a key' }),
    read: (answer) => answer,
    ...deps,
  });
  open.push(server, api);
  const call = { signal: new AbortController().signal, log: recordLog() };
  return { received, send: (request: VendorRequest) => api.send(request, call) };
}

const get = { method: 'GET', path: '/x' } as const;
const post = { method: 'POST', path: '/x', body: '{}' } as const;

describe('createVendorApi', () => {
  it('sends the credentials and asks for JSON, and returns every answer as the vendor reads it', async () => {
    const { received, send } = await startApi();
    expect(await send(get)).toMatchObject({ status: 402, headers: { 'x-pause': '3' }, json: { id: 'a' } });
    expect(received).toMatchObject([{ authorization: 'Bearer a key', accept: 'application/json' }]);
  });

  it('says that a body is JSON unless the request says otherwise, and of a request without one nothing', async () => {
    const { received, send } = await startApi();
    await send(get);
    await send(post);
    await send({ ...post, headers: { 'content-type': 'text/plain', 'x-mode': 'async' } });
    expect(received.map((headers) => headers['content-type'])).toEqual([undefined, 'application/json', 'text/plain']);
    expect(received.map((headers) => headers['x-mode'])).toEqual([undefined, undefined, 'async']);
  });

  it('gets the credentials for each request anew, and shows the sent ones to the reader of the answer', async () => {
    let count = 0;
    const used: (string | undefined)[] = [];
    const { received, send } = await startApi({
      headers: async () => ({ authorization: `Bearer ${(count += 1)}` }),
      read(answer, sent) {
        used.push(sent.authorization);
        return answer;
      },
    });
    await send(get);
    await send(post);
    expect(used).toEqual(['Bearer 1', 'Bearer 2']);
    expect(received.map(({ authorization }) => authorization)).toEqual(used);
  });

  it('sends nothing without credentials', async () => {
    const { received, send } = await startApi({ headers: () => Promise.reject(new Error('no token')) });
    await expect(send(get)).rejects.toThrow('no token');
    expect(received).toEqual([]);
  });

  it.each([
    [get, 15_000],
    [{ ...get, headersMs: 4_000 }, 4_000],
  ])('%j waits %i milliseconds for an answer', async (request, ms) => {
    const clock = createTestClock();
    const { received, send } = await startApi({ clock }, { silent: true });
    const answer = send(request);
    answer.catch(() => {});
    await expect.poll(() => received.length).toBe(1);
    await clock.advance(ms - 1);
    expect(clock.pending()).toBe(1);
    await clock.advance(1);
    await expect(answer).rejects.toMatchObject({ code: 'upstream_timeout' });
  });
});
