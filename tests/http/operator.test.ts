import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../lib/domain/ids';
import { startServer, type TestServer } from '../support/server';

// The operator's endpoints over a real port, with the product's own accounts and database.

const token = 'operator-token-of-this-test-and-of-no-other';
let server: TestServer;
beforeAll(async () => {
  server = await startServer({ env: { OPERATOR_TOKEN: token } });
});
afterAll(() => server.close());

async function ask(
  path: string,
  { method = 'GET', bearer = token, body }: { method?: string; bearer?: string | null; body?: unknown } = {},
) {
  const response = await fetch(`${server.baseUrl}${path}`, {
    method,
    headers: {
      ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return {
    status: response.status,
    headers: response.headers,
    json: (await response.json()) as Record<string, unknown> & { error?: { code: string; message: string } },
  };
}

const grant = (change: Readonly<Record<string, unknown>> = {}) => ({
  kind: 'grant',
  mode: 'live',
  amount: '1',
  reference: newId('request'),
  reason: 'A test',
  ...change,
});

describe('the operator over HTTP', () => {
  it('grants credits, reads the transfer back, and sees the balance', async () => {
    const body = grant({ amount: '2.50' });
    const made = await ask('/internal/operator/transfers', { method: 'POST', body });
    expect([made.status, made.headers.get('idempotent-replayed'), made.headers.get('cache-control')]).toEqual([
      201,
      null,
      'no-store',
    ]);
    const again = await ask('/internal/operator/transfers', { method: 'POST', body });
    expect([again.status, again.headers.get('idempotent-replayed'), again.json]).toEqual([201, 'true', made.json]);
    expect((await ask('/internal/operator/transfers')).json).toMatchObject({
      object: 'list',
      data: [made.json],
      has_more: false,
    });
    expect((await ask('/internal/operator/transfers?mode=test')).json).toMatchObject({ data: [] });
    const { json } = await ask('/internal/operator/organizations');
    expect(json).toMatchObject({
      object: 'list',
      data: [{ id: made.json.organization, credits: { live: { available: '27.5' } } }],
      has_more: false,
    });
  });

  it('makes a key that can spend the granted credits', async () => {
    const made = await ask('/internal/operator/keys', {
      method: 'POST',
      body: { name: 'First', mode: 'live', scopes: ['inference', 'manage'] },
    });
    expect(made.status).toBe(201);
    const { json } = await ask('/v1/credits', { bearer: String(made.json.key) });
    expect(json).toMatchObject({ object: 'credits', mode: 'live' });
  });

  it('takes no API key, and none of the other endpoints takes the token', async () => {
    for (const bearer of [server.firstRun.keys.live, null]) {
      for (const [method, path] of [
        ['GET', 'organizations'],
        ['GET', 'transfers'],
        ['POST', 'transfers'],
        ['POST', 'keys'],
        ['GET', 'providers'],
        ['POST', 'providers/verify'],
      ] as const) {
        const { status, json, headers } = await ask(`/internal/operator/${path}`, {
          method,
          bearer,
          ...(method === 'POST' ? { body: grant() } : {}),
        });
        expect([status, json.error?.code, headers.get('www-authenticate')]).toEqual([
          401,
          'invalid_operator_token',
          'Bearer',
        ]);
      }
    }
    for (const [method, path] of [
      ['GET', '/v1/credits'],
      ['GET', '/v1/videos'],
      ['POST', '/v1/videos'],
      ['POST', '/v1/messages'],
      ['GET', '/v1/models'],
      ['GET', '/internal/models'],
    ] as const) {
      expect([path, (await ask(path, { method, ...(method === 'POST' ? { body: {} } : {}) })).status]).toEqual([
        path,
        401,
      ]);
    }
  });

  it('refuses in the shape of all errors', async () => {
    const post = (body: unknown) => ask('/internal/operator/transfers', { method: 'POST', body });
    expect(await post('{')).toMatchObject({ status: 400, json: { error: { code: 'invalid_json' } } });
    expect(await post(grant({ amount: 5 }))).toMatchObject({
      status: 400,
      json: { error: { code: 'invalid_type', param: 'amount' } },
    });
    expect(await post(grant({ organization: newId('org') }))).toMatchObject({
      status: 404,
      json: { error: { code: 'organization_not_found' } },
    });
    expect(await post(grant({ kind: 'adjust', amount: '-999' }))).toMatchObject({
      status: 409,
      json: { error: { code: 'balance_too_low' } },
    });
    expect(await post(grant({ kind: 'refund', amount: '999', subject: newId('video') }))).toMatchObject({
      status: 404,
      json: { error: { code: 'charge_not_found' } },
    });
    expect(await ask('/internal/operator/transfers', { method: 'DELETE' })).toMatchObject({ status: 405 });
    expect(await ask('/internal/operator/nothing')).toMatchObject({
      status: 404,
      json: { error: { code: 'route_not_found' } },
    });
    expect(await ask('/internal/operator/transfers?limit=0')).toMatchObject({
      status: 400,
      json: { error: { param: 'limit' } },
    });
  });

  it('stops reading a body that is too large, whatever its declared length', async () => {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const sent = request(
        `${server.baseUrl}/internal/operator/transfers`,
        {
          method: 'POST',
          headers: {
            authorization: `Bearer ${token}`,
            'content-type': 'application/json',
            'transfer-encoding': 'chunked',
          },
        },
        (response) => {
          resolve(response.statusCode);
          response.destroy();
        },
      );
      sent.on('error', reject);
      sent.write('{"reason":"');
      const chunk = 'x'.repeat(16 * 1024);
      const timer = setInterval(() => sent.write(chunk), 1);
      sent.once('close', () => clearInterval(timer));
    });
    expect(status).toBe(413);
  });

  it('writes neither token nor reason into the log', async () => {
    await ask('/internal/operator/transfers', { method: 'POST', body: grant({ reason: 'a reason that nobody logs' }) });
    await ask('/internal/operator/organizations', { bearer: 'wrong-token-that-nobody-logs-either' });
    const log = JSON.stringify(server.log.lines);
    expect(log).toContain('/internal/operator/transfers');
    for (const secret of [token, 'nobody logs', 'nobody-logs']) expect(log).not.toContain(secret);
  });
});
