import type { IncomingHttpHeaders } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../../lib/domain/clock';
import { bearerJson } from '../../../../lib/providers/kit/http/bearer-json';
import { createUpstream } from '../../../../lib/providers/kit/http/http';
import { recordLog } from '../../../support/log';
import { startSentinel } from '../../../support/sentinel';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).toReversed()) await each.close();
});

async function headersOf(body?: string): Promise<IncomingHttpHeaders> {
  let headers: IncomingHttpHeaders = {};
  const server = await startSentinel((request, response) => {
    headers = request.headers;
    response.writeHead(202).end('{"id": "a"}');
  });
  const upstream = createUpstream({ baseUrl: `http://127.0.0.1:${server.port}`, clock: systemClock });
  open.push(server, upstream);
  const ask = bearerJson({ upstream, key: 'a key', clock: systemClock });
  const call = { signal: new AbortController().signal, log: recordLog() };
  const request = { method: body === undefined ? 'GET' : 'POST', path: '/x', headersMs: 5_000 } as const;
  const answer = await ask({ ...request, ...(body !== undefined && { body }) }, call);
  expect(answer).toMatchObject({ status: 202, json: { id: 'a' } });
  return headers;
}

describe('bearerJson', () => {
  it('sends the key as a bearer token, and asks for JSON', async () => {
    expect(await headersOf()).toMatchObject({ authorization: 'Bearer a key', accept: 'application/json' });
  });

  it('says that a body is JSON, and of a request without one nothing', async () => {
    expect((await headersOf('{}'))['content-type']).toBe('application/json');
    expect((await headersOf())['content-type']).toBeUndefined();
  });
});
