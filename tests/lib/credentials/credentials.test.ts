import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Actor, Caller, Role } from '../../../lib/domain/caller';
import { recordVerification } from '../../../lib/db/provider-credentials';
import { isId } from '../../../lib/domain/ids';
import { fieldsOf } from '../../../lib/domain/json';
import { providerDefinitions } from '../../../lib/providers/registry';
import { deepseek } from '../../../lib/providers/deepseek/index';
import { fal } from '../../../lib/providers/fal/index';
import { kling } from '../../../lib/providers/kling/index';
import { sandbox } from '../../../lib/providers/sandbox/index';
import type { TestGateway, TestGatewayOptions } from '../../support/gateway';
import { PICTURE } from '../../support/media-bytes';
import { startServerInTestTime } from '../../support/server';
import { startFakeCompatibleVendor, type FakeCompatibleVendor } from '../../support/upstreams/fake-compatible-vendor';
import { FAL_KEY, startFakeFal } from '../../support/upstreams/fake-fal';
import { KLING_ACCESS_KEY, KLING_SECRET_KEY, startFakeKling } from '../../support/upstreams/fake-kling';
import type { FakeVideoVendor } from '../../support/upstreams/fake-video-vendor';

// An organisation's own accounts at two providers, in an installation that has set up neither, and in one that has.

const MODEL = 'kling-3.0-t2v';
const TEXT_MODEL = 'deepseek-flash';

const closing: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const close of closing.reverse()) await close();
});

let vendors: { readonly fal: FakeVideoVendor; readonly deepseek: FakeCompatibleVendor };
beforeAll(async () => {
  vendors = {
    fal: await startFakeFal(),
    deepseek: await startFakeCompatibleVendor({ replay: true, path: '/anthropic/v1/messages' }),
  };
  for (const vendor of Object.values(vendors)) closing.push(() => vendor.close());
});

interface Installation {
  readonly test: TestGateway;
  readonly owner: Actor;
  as(role: Role): Actor;
  call(path: string, body?: object, key?: string): Promise<{ status: number; body: Record<string, unknown> }>;
  fetch(path: string, key: string): Promise<Response>;
  /** Submits a video and lets time pass until it has ended. */
  makeVideo(key?: string, prompt?: string): Promise<Record<string, unknown>>;
  available(key?: string): Promise<string>;
}

async function install(
  env: Readonly<Record<string, string>> = {},
  options: Pick<TestGatewayOptions, 'viewOf'> = {},
): Promise<Installation> {
  const test = await startServerInTestTime({
    ...options,
    providers: [sandbox, deepseek, fal],
    env: { FAL_BASE_URL: vendors.fal.baseUrl, DEEPSEEK_BASE_URL: vendors.deepseek.baseUrl, ...env },
  });
  closing.push(() => test.close());
  const { orgId } = await test.caller('live');
  const as = (role: Role): Actor => ({ orgId, role });

  async function call(path: string, body?: object, key = test.firstRun.keys.live) {
    const response = await test.call(path, {
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }

  return {
    test,
    as,
    owner: as('owner'),
    call,
    fetch: (path, key) => fetch(test.baseUrl + path, { headers: { authorization: `Bearer ${key}` } }),
    async makeVideo(key, prompt = 'A boat') {
      const submitted = await call('/v1/videos', { model: MODEL, prompt }, key);
      expect(submitted).toMatchObject({ status: 202 });
      const { id } = submitted.body;
      // A start that the clock overtakes would exceed its time limit.
      await test.settle();
      for (let minute = 0; minute < 10; minute += 1) {
        await test.pass(60_000);
        const { body } = await call(`/v1/videos/${String(id)}`, undefined, key);
        if (body.status === 'completed' || body.status === 'failed') return body;
      }
      throw new Error('The video did not end.');
    },
    available: async (key) => String((await call('/v1/credits', undefined, key)).body.available),
  };
}

const falKey = (key = FAL_KEY) => ({ provider: 'fal', settings: { FAL_API_KEY: key } });

describe('a credential of an organisation', () => {
  let at: Installation;
  beforeAll(async () => {
    at = await install();
  });

  it('is stored after its provider has accepted it, and its values are never shown again', async () => {
    const { credentials } = at.test.gateway;
    const stored = await credentials.store(at.owner, falKey());
    expect(stored).toMatchObject({
      object: 'provider_credential',
      provider: 'fal',
      provider_name: 'fal',
      display: `••••${FAL_KEY.slice(-4)}`,
      status: 'accepted',
      results: [{ capability: 'video', outcome: 'accepted' }],
    });
    expect(stored.models).toContain(MODEL);
    const listed = await credentials.list(at.as('viewer'));
    expect(listed.data).toHaveLength(1);
    const { rows } = await at.test.db.query('select * from provider_credentials');
    for (const text of [JSON.stringify(stored), JSON.stringify(listed), JSON.stringify(rows)])
      expect(text).not.toContain(FAL_KEY.slice(0, 20));
    expect(JSON.stringify(at.test.log)).not.toContain(FAL_KEY.slice(0, 20));
  });

  it('keeps the time of its last verification when its provider does not answer another one', async () => {
    const { credentials } = at.test.gateway;
    const { id, verified_at: verifiedAt } = (await credentials.list(at.owner)).data[0]!;
    if (!isId('credential', id)) throw new Error(`${id} is the id of no credential.`);
    expect(verifiedAt).toBeTypeOf('number');
    await recordVerification(at.test.db, id, 'unknown', new Date(0));
    expect((await credentials.list(at.owner)).data).toMatchObject([{ status: 'unknown', verified_at: verifiedAt }]);
    await at.test.db.query('update provider_credentials set verified_at = null');
    await recordVerification(at.test.db, id, 'unknown', new Date());
    expect((await credentials.list(at.owner)).data).toMatchObject([{ status: 'unknown', verified_at: null }]);
  });

  it('is not stored when its provider refuses it, and the former one stays', async () => {
    const { credentials } = at.test.gateway;
    await expect(credentials.store(at.owner, falKey('wrong'))).rejects.toMatchObject({
      code: 'unsupported_value',
      extra: { param: 'settings' },
      message: expect.stringMatching(/^fal refused these credentials, so they were not stored\./),
    });
    expect((await credentials.list(at.owner)).data).toMatchObject([{ display: `••••${FAL_KEY.slice(-4)}` }]);
  });

  it.each([
    [{ provider: 'nobody', settings: {} }, 'provider', /^provider must be one of deepseek, fal\.$/],
    [{ provider: 'sandbox', settings: {} }, 'provider', /^provider must be one of deepseek, fal\.$/],
    [{ provider: 'fal', settings: {} }, 'settings', /^settings must have exactly FAL_API_KEY\.$/],
    [
      { provider: 'fal', settings: { FAL_API_KEY: 'key', FAL_BASE_URL: 'http://10.0.0.1' } },
      'settings',
      /exactly FAL_API_KEY/,
    ],
    [{ provider: 'fal', settings: { FAL_API_KEY: 'a\nb' } }, 'settings.FAL_API_KEY', /^settings must be an object/],
    [{ provider: 'fal', settings: { FAL_API_KEY: ' ' } }, 'settings.FAL_API_KEY', /^settings must be an object/],
  ])('is refused with what is allowed (case %#)', async (body, param, message) => {
    await expect(at.test.gateway.credentials.store(at.owner, body)).rejects.toMatchObject({
      extra: { param },
      message: expect.stringMatching(message),
    });
  });

  it('is changed only by owners and admins', async () => {
    const { credentials } = at.test.gateway;
    const [stored] = (await credentials.list(at.owner)).data;
    for (const role of ['developer', 'viewer'] as const) {
      const actor = at.as(role);
      for (const attempt of [
        credentials.store(actor, falKey()),
        credentials.verify(actor, stored?.id ?? ''),
        credentials.remove(actor, stored?.id ?? ''),
      ])
        await expect(attempt).rejects.toMatchObject({ code: 'role_required' });
    }
  });

  it('is managed by scripts with a live key of the scope "manage"', async () => {
    const path = '/console/api/provider-credentials';
    const stored = await at.call(path, falKey());
    expect(stored).toMatchObject({ status: 201, body: { provider: 'fal', status: 'accepted' } });
    const { body } = await at.call(path);
    expect(body).toMatchObject({ object: 'list', data: [{ id: stored.body.id }] });
    expect(body.providers).toContainEqual({
      id: 'fal',
      name: 'fal',
      capabilities: ['video'],
      credentials: [[{ name: 'FAL_API_KEY', description: 'API key of fal, for videos.' }]],
    });
    expect(await at.call(`${path}/${String(stored.body.id)}/verify`, {})).toMatchObject({
      status: 200,
      body: { id: stored.body.id, status: 'accepted' },
    });
    expect(await at.call(`${path}/cred_unknown/verify`, {})).toMatchObject({
      status: 404,
      body: { error: { code: 'credential_not_found' } },
    });
  });

  it('cannot name a server: providers whose settings do so take none', () => {
    const taking = providerDefinitions.filter(({ ownCredentials }) => ownCredentials?.length !== 0);
    for (const { id, settings, ownCredentials } of taking)
      for (const { name, required } of settings)
        if (required || ownCredentials?.flat().includes(name))
          expect([id, name]).not.toContain(/_BASE_URL$/.exec(name)?.input);
  });

  it('opens the models of its provider to its organisation alone, and they cost no credits', async () => {
    const before = await at.available();
    const video = await at.makeVideo();
    expect(video).toMatchObject({ status: 'completed', cost: 0, model: MODEL });
    expect(await at.available()).toBe(before);
    const other = await at.test.makeOrganization('Other');
    const refused = await at.call('/v1/videos', { model: MODEL, prompt: 'A boat' }, other.live);
    expect(refused.body).toMatchObject({ error: { code: 'no_provider_available' } });
  });

  it('serves text, too, also without any credits', async () => {
    const { gateway, db } = at.test;
    await gateway.credentials.store(at.owner, {
      provider: 'deepseek',
      settings: { DEEPSEEK_API_KEY: vendors.deepseek.apiKey },
    });
    const poor = await at.test.makeOrganization('Poor');
    const { orgId }: Caller = await gateway.accounts.authenticate(
      { authorization: `Bearer ${poor.live}` },
      '127.0.0.1',
    );
    await gateway.credentials.store(
      { orgId, role: 'admin' },
      { provider: 'deepseek', settings: { DEEPSEEK_API_KEY: vendors.deepseek.apiKey } },
    );
    await gateway.creditTransfers.make(orgId, {
      mode: 'live',
      kind: 'adjust',
      amount: -25_000_000_000n,
      reference: 'take all',
      reason: 'A test of an organisation without credits.',
    });
    const answer = await at.call(
      '/v1/messages',
      { model: TEXT_MODEL, max_tokens: 100, messages: [{ role: 'user', content: 'Hello' }] },
      poor.live,
    );
    expect(answer).toMatchObject({ status: 200 });
    await gateway.messages.settled();
    const { rows } = await db.query(`select cost_nano_usd from messages where org_id = '${orgId}'`);
    expect(rows.map(({ cost_nano_usd }) => String(cost_nano_usd))).toEqual(['0']);
  });

  it('finishes the videos that were sent with it after its removal, and is then erased', async () => {
    const { credentials } = at.test.gateway;
    const stored = (await credentials.list(at.owner)).data.find(({ provider }) => provider === 'fal');
    const submitted = await at.call('/v1/videos', { model: MODEL, prompt: 'A boat' });
    await credentials.remove(at.owner, stored?.id ?? '');
    const isErased = async () =>
      (await at.test.db.query(`select sealed is null as erased from provider_credentials where id = '${stored?.id}'`))
        .rows[0]?.erased;
    expect(await isErased()).toBe(false);
    const refused = await at.call('/v1/videos', { model: MODEL, prompt: 'A second boat' });
    expect(refused.body).toMatchObject({ error: { code: 'no_provider_available' } });
    let video = submitted.body;
    await at.test.settle();
    for (let minute = 0; minute < 10 && video.status !== 'completed'; minute += 1) {
      await at.test.pass(60_000);
      video = (await at.call(`/v1/videos/${String(submitted.body.id)}`)).body;
    }
    expect(video).toMatchObject({ status: 'completed', cost: 0 });
    // By housekeeping, or by the next change of a credential after a minute.
    await credentials.store(at.owner, falKey());
    expect(await isErased()).toBe(true);
    await expect(credentials.remove(at.owner, stored?.id ?? '')).rejects.toMatchObject({
      code: 'credential_not_found',
    });
  });
});

describe('a credential that is removed while a video is submitted', () => {
  it('is not erased before that video has ended', async () => {
    let beforeStored = async () => {};
    const at = await install(
      {},
      {
        viewOf: (db) => ({
          ...db,
          async query(text, ...rest) {
            if (text.includes('insert into videos')) await beforeStored();
            return db.query(text, ...rest);
          },
        }),
      },
    );
    const { credentials } = at.test.gateway;
    const { id } = await credentials.store(at.owner, falKey());
    beforeStored = () => credentials.remove(at.owner, id);
    expect(await at.call('/v1/videos', { model: MODEL, prompt: 'A boat' })).toMatchObject({ status: 202 });
    const { rows } = await at.test.db.query(
      `select sealed is null as erased, (select count(*)::int from videos where status = 'queued') as queued
       from provider_credentials where id = $1`,
      [id],
    );
    expect(rows).toEqual([{ erased: false, queued: 1 }]);
  });
});

describe('a credential that its provider refuses in use', () => {
  let at: Installation;
  beforeAll(async () => {
    at = await install();
    await at.test.gateway.credentials.store(at.owner, falKey());
  });

  /** As the console and scripts list it. */
  async function listed() {
    const { body } = await at.call('/console/api/provider-credentials');
    const { data } = await at.test.gateway.credentials.list(at.as('viewer'));
    expect(body.data).toEqual(data);
    return data[0];
  }
  const now = () => Math.floor(at.test.clock.nowMs() / 1_000);

  it('has no error before', async () => {
    expect(await listed()).toMatchObject({ status: 'accepted', refused_since: null, last_error: null });
  });

  it('is listed with the time and a sentence of ours, and as accepted again after a call that worked', async () => {
    const before = now();
    expect(await at.makeVideo(undefined, 'A boat [[auth]]')).toMatchObject({ status: 'failed' });
    await expect.poll(listed).toMatchObject({
      status: 'refused',
      last_error: { message: expect.stringMatching(/^fal refused this account\./) },
    });
    const refused = await listed();
    expect(refused?.refused_since).toBeGreaterThanOrEqual(before);
    expect(refused?.last_error?.at).toBeGreaterThanOrEqual(refused?.refused_since ?? Infinity);
    const { rows } = await at.test.db.query('select * from provider_credentials');
    expect(JSON.stringify([refused, rows])).not.toContain('Invalid authentication');

    expect(await at.makeVideo()).toMatchObject({ status: 'completed' });
    await expect
      .poll(listed)
      .toMatchObject({ status: 'accepted', refused_since: null, last_error: refused?.last_error });
  });

  it('keeps the beginning of a refusal, and adds the time of the last one', async () => {
    await at.makeVideo(undefined, 'A boat [[auth]]');
    await expect.poll(listed).toMatchObject({ status: 'refused' });
    const first = await listed();
    await at.test.pass(3_600_000);
    await at.makeVideo(undefined, 'Another boat [[auth]]');
    await expect.poll(async () => (await listed())?.last_error?.at).toBeGreaterThan(first?.last_error?.at ?? Infinity);
    expect((await listed())?.refused_since).toBe(first?.refused_since);
  });

  it('is accepted again when it is verified', async () => {
    const id = (await listed())?.id ?? '';
    expect(await at.test.gateway.credentials.verify(at.owner, id)).toMatchObject({
      status: 'accepted',
      refused_since: null,
    });
  });

  it('is listed when only a check of a running video is refused', async () => {
    const before = (await listed())?.last_error?.at ?? Infinity;
    expect(await at.makeVideo(undefined, 'A boat [[poll401:1]]')).toMatchObject({ status: 'completed' });
    await expect.poll(listed).toMatchObject({ status: 'accepted', refused_since: null });
    expect((await listed())?.last_error?.at).toBeGreaterThan(before);
  });

  it('has no error after its key was replaced', async () => {
    await at.makeVideo(undefined, 'A boat [[auth]]');
    await expect.poll(listed).toMatchObject({ status: 'refused' });
    await at.test.gateway.credentials.store(at.owner, falKey());
    expect(await listed()).toMatchObject({ status: 'accepted', refused_since: null, last_error: null });
  });
});

describe('a model that only the own account of an organisation can serve', () => {
  it('is available to this organisation alone, with its live keys and in the console', async () => {
    const at = await install();
    const other = (await at.test.makeOrganization('Other')).live;
    const isAvailable = async (key?: string) => {
      const one = await at.call(`/v1/models/${MODEL}`, undefined, key);
      const all = [await at.call('/v1/models', undefined, key)];
      // Only the key of the first organisation has the scope manage.
      if (key === undefined) all.push(await at.call('/console/api/models'));
      const lists = all.map(({ body }) => (body.data as Record<string, unknown>[]).find(({ id }) => id === MODEL));
      const answers = [one.body, ...lists].map((model) => model?.available);
      expect(new Set(answers).size).toBe(1);
      return answers[0];
    };
    expect([await isAvailable(), await isAvailable(other)]).toEqual([false, false]);
    const { id } = await at.test.gateway.credentials.store(at.owner, falKey());
    expect([await isAvailable(), await isAvailable(other)]).toEqual([true, false]);
    // Fal has an adapter for this model, and none of the account serves text.
    const text = await at.call(`/v1/models/${TEXT_MODEL}`);
    expect(text.body).toMatchObject({ available: false });
    const { body } = await at.call(`/v1/models/${MODEL}`);
    const serving = (body.providers as { providerId: string; available: boolean }[]).filter((each) => each.available);
    expect(new Set(serving.map(({ providerId }) => providerId))).toEqual(new Set(['fal']));
    await at.test.gateway.credentials.remove(at.owner, id);
    expect(await isAvailable()).toBe(false);
  });

  it('is in a private response, and those without an account share the public one', async () => {
    const at = await install();
    const other = (await at.test.makeOrganization('Other')).live;
    await at.test.gateway.credentials.store(at.owner, falKey());
    const caching = async (key: string) =>
      (await at.fetch('/v1/models', key)).headers.get('cache-control')?.split(',')[0];
    expect(await caching(at.test.firstRun.keys.live)).toBe('private');
    expect(await caching(at.test.firstRun.keys.test)).toBe('public');
    expect(await caching(other)).toBe('public');
  });
});

describe('an organisation with an account of its own at a provider that is set up', () => {
  it('pays with credits only without its own credential', async () => {
    const at = await install({ FAL_API_KEY: FAL_KEY });
    const paid = await at.makeVideo();
    expect(paid.cost).toBeGreaterThan(0);
    const stored = await at.test.gateway.credentials.store(at.owner, falKey());
    expect(await at.makeVideo()).toMatchObject({ status: 'completed', cost: 0 });
    await at.test.gateway.credentials.remove(at.owner, stored.id);
    expect((await at.makeVideo()).cost).toBe(paid.cost);
  });
});

describe('an account of an organisation that can order less than another account of its provider', () => {
  it('gets only what it takes, and the response names the rest', async () => {
    // The time of the gateway is not that of the fake.
    const vendor = await startFakeKling({ checksTime: false });
    closing.push(() => vendor.close());
    const test = await startServerInTestTime({ providers: [sandbox, kling], env: { KLING_BASE_URL: vendor.baseUrl } });
    closing.push(() => test.close());
    const { orgId } = await test.caller('live');
    const settings = { KLING_ACCESS_KEY, KLING_SECRET_KEY };
    await test.gateway.credentials.store({ orgId, role: 'owner' }, { provider: 'kling', settings });

    const response = await test.submit({
      model: 'kling-3.0-start-end',
      prompt: 'A boat',
      image_list: [PICTURE, PICTURE],
      multi_clip: true,
    });
    expect([response.status, response.headers.get('x-ignored-params')]).toEqual([202, 'multi_clip']);
    await test.settle();
    const submits = vendor.requests.filter(({ method }) => method === 'POST');
    expect(submits.map(({ json }) => fieldsOf(json).multi_shot)).toEqual([false]);
  });
});
