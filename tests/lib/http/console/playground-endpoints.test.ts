import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SignedIn } from '../../../../lib/accounts/accounts';
import type { FoundVideoPageJson } from '../../../../lib/contract/videos';
import { newId } from '../../../../lib/domain/ids';
import { openConsoleApi, SAME_ORIGIN, type Ask, type ConsoleApi } from '../../../support/console-api';

let api: ConsoleApi;
let testGateway: ConsoleApi['testGateway'];
let owner: ConsoleApi['owner'];
beforeAll(async () => {
  api = await openConsoleApi();
  ({ testGateway, owner } = api);
});
afterAll(() => testGateway.close());

/** In test mode, from a page of ours unless `headers` says otherwise. */
async function ask(route: string, method: 'GET' | 'POST' | 'DELETE', asked: Ask) {
  const headers = { origin: SAME_ORIGIN.origin, ...asked.headers };
  const { status, headers: answered, json } = await api.ask(route, { query: 'mode=test', ...asked, method, headers });
  // Safe: only read below.
  return { status, headers: answered, json: json as typeof json & { id?: string; cost?: number; mode?: string } };
}

async function manageKey(): Promise<string> {
  const { key } = await testGateway.gateway.accounts.createKey(
    { orgId: owner.orgId, role: 'owner', userId: owner.userId },
    { name: 'script', mode: 'live', scopes: ['manage'] },
  );
  return key;
}

const order = { model: 'sandbox-t2v', prompt: 'a cat', seconds: 2, seed: 4 };

describe('POST /console/api/videos', () => {
  test('202 › accepts a video as /v1 does, in the mode of the page', async () => {
    const { status, json } = await ask('videos', 'POST', { body: order });
    expect([status, json.cost, json.mode]).toEqual([202, 0.02, 'test']);
  });

  test('202 › the same Idempotency-Key is answered with the first job', async () => {
    const headers = { 'idempotency-key': 'console-1' };
    const first = await ask('videos', 'POST', { body: order, headers });
    expect((await ask('videos', 'POST', { body: order, headers })).json.id).toBe(first.json.id);
  });

  test('409 › another price than the shown one starts nothing', async () => {
    const before = await testGateway.gateway.accounts.credits({ orgId: owner.orgId, mode: 'test' });
    const { status, json } = await ask('videos', 'POST', { body: order, query: 'mode=test&price=0.01' });
    expect([status, json.error?.code]).toEqual([409, 'price_changed']);
    expect(await testGateway.gateway.accounts.credits({ orgId: owner.orgId, mode: 'test' })).toEqual(before);
    expect((await ask('videos', 'POST', { body: order, query: 'mode=test&price=0.02' })).status).toBe(202);
  });

  test('400 › an invalid price is named', async () => {
    expect((await ask('videos', 'POST', { body: order, query: 'mode=test&price=1e-2' })).json.error?.code).toBe(
      'unsupported_value',
    );
  });

  test('403 › a viewer, another site and a key are refused', async () => {
    expect((await ask('videos', 'POST', { body: order, as: { ...owner, role: 'viewer' } })).json.error?.code).toBe(
      'role_required',
    );
    expect(
      (await ask('videos', 'POST', { body: order, headers: { origin: 'https://evil.example' } })).json.error?.code,
    ).toBe('cross_origin');
    expect(
      (await ask('videos', 'POST', { body: order, headers: { authorization: `Bearer ${await manageKey()}` } })).json
        .error?.code,
    ).toBe('role_required');
  });
});

describe('POST and DELETE /console/api/videos/{id}/favorite', () => {
  const submitted = async () => (await ask('videos', 'POST', { body: order })).json.id!;
  const favorites = async (how: Omit<Ask, 'query'> = {}) => {
    const { json } = await ask('videos', 'GET', { query: 'mode=test&favorite=true&limit=100', ...how });
    // Safe: the list has this form.
    return (json as unknown as FoundVideoPageJson).data.map(({ id, favorite }) => [id, favorite]);
  };

  test('200 › marks a video for this person, and removes the mark, however often it is asked', async () => {
    const id = await submitted();
    for (let round = 0; round < 2; round += 1)
      expect((await ask('videos/{id}/favorite', 'POST', { id })).json).toEqual({
        id,
        object: 'video.favorite',
        favorite: true,
      });
    expect(await favorites()).toEqual([[id, true]]);
    for (let round = 0; round < 2; round += 1)
      expect((await ask('videos/{id}/favorite', 'DELETE', { id })).json).toEqual({
        id,
        object: 'video.favorite',
        favorite: false,
      });
    expect(await favorites()).toEqual([]);
  });

  test('200 › a viewer has marks of their own, and a key those of the person who made it', async () => {
    const id = await submitted();
    const viewer: SignedIn = { ...owner, userId: newId('user'), role: 'viewer' };
    expect((await ask('videos/{id}/favorite', 'POST', { id, as: viewer })).status).toBe(200);
    expect([await favorites({ as: viewer }), await favorites()]).toEqual([[[id, true]], []]);
    const headers = { authorization: `Bearer ${await manageKey()}` };
    expect((await ask('videos/{id}/favorite', 'POST', { id, headers })).status).toBe(200);
    expect([await favorites(), await favorites({ headers })]).toEqual([[[id, true]], [[id, true]]]);
    await ask('videos/{id}/favorite', 'DELETE', { id });
    expect(await favorites({ as: viewer })).toEqual([[id, true]]);
    await ask('videos/{id}/favorite', 'DELETE', { id, as: viewer });
  });

  test('404 › another organisation’s video is as one that does not exist', async () => {
    const id = await submitted();
    const stranger: SignedIn = { ...owner, orgId: newId('org') };
    const foreign = await ask('videos/{id}/favorite', 'POST', { id, as: stranger });
    const missing = await ask('videos/{id}/favorite', 'POST', { id: 'video_missing' });
    expect([foreign.status, foreign.json.error]).toEqual([
      404,
      { ...missing.json.error, request_id: expect.anything() },
    ]);
    expect(await favorites()).toEqual([]);
  });

  test('403 › another site cannot mark a video', async () => {
    const id = await submitted();
    const { status, json } = await ask('videos/{id}/favorite', 'POST', {
      id,
      headers: { origin: 'https://evil.example' },
    });
    expect([status, json.error?.code]).toEqual([403, 'cross_origin']);
  });

  test('400 › the filter has one value', async () => {
    const { json } = await ask('videos', 'GET', { query: 'mode=test&favorite=yes' });
    expect(json.error).toMatchObject({ code: 'unsupported_value', param: 'favorite' });
  });

  test('a deleted video leaves no mark behind', async () => {
    const id = await submitted();
    await ask('videos/{id}/favorite', 'POST', { id });
    await testGateway.gateway.videos.cancel({ orgId: owner.orgId, mode: 'test' }, id);
    await ask('videos/{id}', 'DELETE', { id });
    const { rows } = await testGateway.db.query('select 1 from favorite_videos where video_id = $1', [id]);
    expect(rows).toEqual([]);
  });
});

describe('GET /console/api/videos/{id}/request and /content', () => {
  test('200 › the request makes the same video again', async () => {
    const { json } = await ask('videos', 'POST', {
      body: { ...order, generate_audio: false, webhook: 'https://example.com/hook' },
    });
    const asked = await ask('videos/{id}/request', 'GET', { id: json.id! });
    expect(asked.json).toEqual({ ...order, fps: 24, generate_audio: false, webhook: 'https://example.com/hook' });
  });

  test('200 › a viewer does not see the query of the webhook, which may hold a secret', async () => {
    const webhook = 'https://example.com/hook?token=of-the-receiver';
    const { json } = await ask('videos', 'POST', { body: { ...order, webhook } });
    const shown = async (as: SignedIn) =>
      (await ask('videos/{id}/request', 'GET', { id: json.id!, as })).json as Record<string, unknown>;
    expect((await shown(owner)).webhook).toBe(webhook);
    expect((await shown({ ...owner, role: 'viewer' })).webhook).toBe('https://example.com/hook?…');
  });

  test("404 › the other mode's, another organisation's and a missing video get the same answer", async () => {
    const { json } = await ask('videos', 'POST', { body: order });
    const stranger: SignedIn = { ...owner, orgId: newId('org') };
    await testGateway.db.query(
      `insert into organizations (id, name, webhook_secret) values ($1, 'Strangers', 'sealed')`,
      [stranger.orgId],
    );
    for (const route of ['videos/{id}/request', 'videos/{id}/content']) {
      for (const asked of [
        { id: json.id!, query: 'mode=live' },
        { id: json.id!, as: stranger },
        { id: 'video_00000000000000000000000000000000' },
        { id: 'nonsense' },
      ]) {
        expect((await ask(route, 'GET', asked)).json.error?.code).toBe('video_not_found');
      }
    }
  });

  test('409 › the file of an unfinished video does not exist yet', async () => {
    const { json } = await ask('videos', 'POST', { body: { ...order, prompt: 'a cat [[slow:60]]' } });
    expect((await ask('videos/{id}/content', 'GET', { id: json.id! })).json.error?.code).toBe('video_not_ready');
  });
});

const question = { model: 'sandbox-text', max_tokens: 100, messages: [{ role: 'user', content: 'Hello' }] };

describe('POST /console/api/messages', () => {
  test('200 › answers, and charges it to the console in the mode of the page', async () => {
    const { status, headers, json } = await ask('messages', 'POST', { body: question });
    expect([status, headers['x-patchbay-provider'], json['role']]).toEqual([200, 'sandbox', 'assistant']);
    await testGateway.gateway.messages.settled();
    const { data } = await testGateway.gateway.requests.list(
      { orgId: owner.orgId, mode: 'test' },
      { kind: 'message', search: headers['x-request-id']!, limit: 1 },
    );
    expect(data).toMatchObject([{ status: 'completed', key: { id: 'console' }, model: 'sandbox-text' }]);
    expect(Number(data[0]!.cost)).toBeGreaterThan(0);
  });

  test('400 › an error has the format of the console', async () => {
    const { status, json } = await ask('messages', 'POST', { body: { ...question, max_tokens: 'many' } });
    expect([status, json.error?.code]).toEqual([400, 'invalid_type']);
  });

  test('403 › a viewer, another site and a key are refused', async () => {
    const codes = [];
    for (const refused of [
      { as: { ...owner, role: 'viewer' as const } },
      { headers: { origin: 'https://evil.example' } },
      { headers: { authorization: `Bearer ${await manageKey()}` } },
    ])
      for (const route of ['messages', 'messages/count_tokens'])
        codes.push((await ask(route, 'POST', { body: question, ...refused })).json.error?.code);
    expect(codes).toEqual([
      'role_required',
      'role_required',
      'cross_origin',
      'cross_origin',
      'role_required',
      'role_required',
    ]);
  });

  test('429 › a message counts as one of a key does', async () => {
    const limited = {
      ...owner,
      orgLimits: { open_streams: 0 },
    };
    const { status, json } = await ask('messages', 'POST', { body: question, as: limited });
    expect([status, json.error?.code]).toEqual([429, 'concurrency_limit_exceeded']);
  });
});

describe('POST /console/api/messages/count_tokens', () => {
  test('200 › counts as /v1 does, without a charge', async () => {
    const before = await testGateway.gateway.accounts.credits({ orgId: owner.orgId, mode: 'test' });
    const { status, json } = await ask('messages/count_tokens', 'POST', { body: question });
    expect(status).toBe(200);
    expect(json['input_tokens']).toBeGreaterThan(0);
    expect(await testGateway.gateway.accounts.credits({ orgId: owner.orgId, mode: 'test' })).toEqual(before);
  });
});
