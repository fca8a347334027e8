import type { RequestListener, ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { deliveryPageSchema, endpointListSchema, receiverListSchema } from '../../../lib/contract/webhooks';
import type { Account, Actor } from '../../../lib/domain/caller';
import { newId, type OrgId } from '../../../lib/domain/ids';
import { completed } from '../../support/chaos-provider';
import { refuseManyRows } from '../../support/many-rows';
import { runPostgres } from '../../support/run-postgres';
import { startSentinel, type SeenRequest, type Sentinel } from '../../support/sentinel';
import { makeAcme, type Acme } from '../videos/make-acme';

// Endpoints receive the webhooks of all videos of an account, besides the URL in a request.

const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;

let acme: Acme;
let receiver: Sentinel;
let answer: RequestListener;
let live: Account;
let test: Account;
let developer: Actor;
const status =
  (code: number): RequestListener =>
  (_request, response) =>
    void response.writeHead(code).end('so it is');

beforeAll(async () => {
  acme = await makeAcme({ env: { OUTBOUND_ALLOW: '127.0.0.0/8' } });
  receiver = await startSentinel((request, response) => answer(request, response));
  live = { orgId: acme.live.orgId, mode: 'live' };
  test = { orgId: acme.live.orgId, mode: 'test' };
  developer = { orgId: acme.live.orgId, role: 'developer' };
});
afterAll(async () => {
  await receiver.close();
  await acme.close();
});
beforeEach(async () => {
  answer = status(200);
  for (const account of [live, test])
    for (const { id } of (await webhooks().endpoints(account)).data) await webhooks().removeEndpoint(developer, id);
});

const webhooks = () => acme.gateway.webhooks;
let paths = 0;
const newPath = () => `/endpoint-${(paths += 1)}`;
const urlOf = (path: string) => `http://127.0.0.1:${receiver.port}${path}`;
const create = (path: string, more: object = {}, mode: Account['mode'] = 'live') =>
  webhooks().createEndpoint(developer, mode, { url: urlOf(path), ...more });
const requestsTo = (path: string) => receiver.requests.filter(({ url }) => url === path);
const code = (text: string) => expect.objectContaining({ code: text }) as unknown;

/** Submits a video and lets it end. */
async function finish(webhook?: string, caller = acme.live): Promise<string> {
  const { id } = await acme.submit(caller, webhook === undefined ? {} : { webhook });
  await acme.settle();
  await acme.pass(6 * SECOND_MS);
  return id;
}

function verifies({ headers, body }: SeenRequest, secret: string): boolean {
  vi.useFakeTimers({ toFake: ['Date'], now: Number(headers['webhook-timestamp']) * 1_000 });
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  } finally {
    vi.useRealTimers();
  }
}

describe('an endpoint', () => {
  it.each(['paused', 'removed'] as const)(
    'that was %s during an attempt gets no further one, and that attempt is recorded',
    async (change) => {
      const path = newPath();
      const { id: endpointId } = await create(path);
      let held: ServerResponse | undefined;
      answer = (_request, response) => void (held = response);
      const finishing = finish();
      await vi.waitUntil(() => held !== undefined, { timeout: 20_000 });
      if (change === 'paused') await webhooks().updateEndpoint(developer, endpointId, { paused: true });
      else await webhooks().removeEndpoint(developer, endpointId);
      answer = status(500);
      held!.writeHead(500).end();
      const videoId = await finishing;
      await acme.pass(48 * HOUR_MS);
      expect(requestsTo(path)).toHaveLength(1);
      const [delivery, ...more] = await webhooks().listOfVideo(live, videoId);
      expect(more).toEqual([]);
      expect(delivery).toMatchObject({
        state: change === 'paused' ? 'disabled' : 'failed',
        attempts: [{ status: 500 }],
      });
      if (change === 'removed')
        await expect(webhooks().resend(live, delivery!.id)).rejects.toMatchObject({ code: 'delivery_not_found' });
    },
  );

  it('receives every video of its account and mode, beside the URL in the request, each under its own id', async () => {
    const path = newPath();
    const requested = newPath();
    const { id: endpointId } = await create(path);
    const id = await finish(urlOf(requested));
    const [toEndpoint, ...more] = requestsTo(path);
    const [toRequested] = requestsTo(requested);
    expect(more).toEqual([]);
    expect(toEndpoint!.body).toBe(JSON.stringify(await acme.read(acme.live, id)));
    expect(toRequested!.body).toBe(toEndpoint!.body);
    expect(toRequested!.headers['webhook-id']).not.toBe(toEndpoint!.headers['webhook-id']);
    const deliveries = await webhooks().listOfVideo(live, id);
    expect(deliveries.map(({ state }) => state)).toEqual(['delivered', 'delivered']);
    expect(new Set(deliveries.map(({ endpoint_id }) => endpoint_id))).toEqual(new Set([endpointId, undefined]));

    await finish(undefined, acme.test);
    await finish(undefined, await acme.stranger('Endpoint Stranger'));
    expect(requestsTo(path)).toHaveLength(1);
    await finish();
    expect(requestsTo(path)).toHaveLength(2);
  });

  it('is signed with its own secret, and for a day after a rotation with both', async () => {
    const path = newPath();
    const { id } = await create(path);
    const { secret: first } = await webhooks().endpointSecret(live.orgId, id);
    const { secret: ofOrganization } = await webhooks().secret(live.orgId);
    await finish();
    expect(verifies(requestsTo(path)[0]!, first)).toBe(true);
    expect(verifies(requestsTo(path)[0]!, ofOrganization)).toBe(false);

    const { secret: second, previous_secret_until: until } = await webhooks().rotateEndpointSecret(live.orgId, id);
    expect(until).toBe(Math.floor(acme.clock.nowMs() / 1000) + 24 * 3600);
    await finish();
    expect([first, second].map((secret) => verifies(requestsTo(path)[1]!, secret))).toEqual([true, true]);
    await acme.pass(25 * HOUR_MS);
    await finish();
    expect([first, second].map((secret) => verifies(requestsTo(path)[2]!, secret))).toEqual([false, true]);
  });

  it('receives only the events that it names', async () => {
    const path = newPath();
    await create(path, { events: ['video.failed'] });
    await finish();
    expect(requestsTo(path)).toEqual([]);
    acme.alpha.onCheck = async () => ({ status: 'failed', code: 'generation_failed', message: 'No.' });
    await finish();
    acme.alpha.onCheck = async () => completed;
    expect(requestsTo(path).map(({ headers }) => headers['x-patchbay-event'])).toEqual(['video.failed']);
  });

  it('is sent nothing while it is paused, and all of it when it is resumed and resent', async () => {
    const path = newPath();
    const { id } = await create(path);
    expect(await webhooks().updateEndpoint(developer, id, { paused: true })).toMatchObject({ paused: 'person' });
    const missed = [await finish(), await finish()];
    expect(requestsTo(path)).toEqual([]);
    const { data } = await webhooks().search(live, { limit: 10, endpointId: id as never });
    expect(data.map(({ video_id, state }) => [video_id, state])).toEqual(
      missed.toReversed().map((video) => [video, 'disabled']),
    );

    expect(await webhooks().updateEndpoint(developer, id, { paused: false })).toMatchObject({
      paused: null,
      paused_at: null,
    });
    expect(await webhooks().resendAll(live, { endpoint_id: id })).toEqual({
      object: 'webhook_deliveries.resent',
      resent: 2,
      has_more: false,
    });
    await acme.pass(SECOND_MS);
    expect(requestsTo(path).map(({ headers }) => headers['webhook-id'])).toEqual(
      data.map((each) => each.id).toReversed(),
    );
    expect(await webhooks().resendAll(live, { endpoint_id: id })).toMatchObject({ resent: 0 });
  });

  it('is sent nothing while it is paused, even what was stored or resent at that moment', async () => {
    const path = newPath();
    const { id } = await create(path);
    answer = status(503);
    await finish();
    const sent = requestsTo(path).length;
    // As if the transaction that stored the delivery had ended after the one that paused the endpoint.
    await acme.db.query(`update webhook_endpoints set paused_at = now(), paused_by = 'person' where id = $1`, [id]);
    answer = status(200);
    await acme.pass(HOUR_MS);
    expect(requestsTo(path)).toHaveLength(sent);
    const list = () => webhooks().search(live, { limit: 10, endpointId: id as never });
    const [delivery] = (await list()).data;
    expect(delivery).toMatchObject({ state: 'disabled' });

    await expect(webhooks().resend(live, delivery!.id)).rejects.toEqual(code('delivery_not_found'));
    expect(await webhooks().resendAll(live, {})).toMatchObject({ resent: 0 });
    await webhooks().updateEndpoint(developer, id, { paused: false });
    await webhooks().resend(live, delivery!.id);
    await acme.pass(SECOND_MS);
    expect(requestsTo(path)).toHaveLength(sent + 1);
    expect((await list()).data).toMatchObject([{ state: 'delivered' }]);
  });

  it('whose URL is changed is sent at the new one what waits and what is resent', async () => {
    const [before, after] = [newPath(), newPath()];
    const { id } = await create(before);
    const delivered = await finish();
    answer = status(503);
    await finish();
    const sent = requestsTo(before).length;
    await webhooks().updateEndpoint(developer, id, { url: urlOf(after) });
    answer = status(200);
    await acme.pass(HOUR_MS);
    expect(requestsTo(after)).toHaveLength(1);
    const [delivery] = await webhooks().listOfVideo(live, delivered);
    expect(delivery).toMatchObject({ state: 'delivered', url: urlOf(before) });
    expect(await webhooks().resend(live, delivery!.id)).toMatchObject({ url: urlOf(after) });
    await acme.pass(SECOND_MS);
    expect([requestsTo(before).length, requestsTo(after).length]).toEqual([sent, 2]);
    const { data } = await webhooks().search(live, { limit: 10, endpointId: id as never });
    expect(data.map(({ state, url }) => [state, url])).toEqual([
      ['delivered', urlOf(after)],
      ['delivered', urlOf(after)],
    ]);
  });

  it('that answers 410 is paused, and what waits for it is not sent', async () => {
    const path = newPath();
    const { id } = await create(path);
    answer = status(503);
    await finish();
    answer = status(410);
    await finish();
    expect((await webhooks().endpoints(live)).data).toMatchObject([{ id, paused: 'gone' }]);
    const { data } = await webhooks().search(live, { limit: 10, endpointId: id as never });
    expect(data.map(({ state }) => state)).toEqual(['disabled', 'disabled']);
    const sent = requestsTo(path).length;
    await acme.pass(48 * HOUR_MS);
    expect(requestsTo(path)).toHaveLength(sent);
  });

  it('whose URL is changed while the old one answers 410 is not paused, and is sent it at the new one', async () => {
    const [before, after] = [newPath(), newPath()];
    const { id } = await create(before);
    answer = ({ url }, response) => {
      if (url === after) return status(200)({} as never, response);
      void webhooks()
        .updateEndpoint(developer, id, { url: urlOf(after) })
        .then(() => response.writeHead(410).end());
    };
    await finish();
    await acme.pass(HOUR_MS);
    expect((await webhooks().endpoints(live)).data).toMatchObject([{ id, paused: null }]);
    expect([requestsTo(before).length, requestsTo(after).length]).toEqual([1, 1]);
    expect((await webhooks().search(live, { limit: 10, endpointId: id as never })).data).toMatchObject([
      { state: 'delivered', attempts: [{ status: 410 }, { status: 200 }] },
    ]);
  });

  it('that is removed is sent nothing more; its deliveries stay in the list as failed', async () => {
    const path = newPath();
    const { id } = await create(path);
    answer = status(503);
    await finish();
    await webhooks().removeEndpoint(developer, id);
    const sent = requestsTo(path).length;
    await acme.pass(48 * HOUR_MS);
    await finish();
    expect(requestsTo(path)).toHaveLength(sent);
    expect((await webhooks().search(live, { limit: 10, endpointId: id as never })).data).toMatchObject([
      { state: 'failed', endpoint_id: id },
    ]);
    await expect(webhooks().endpointSecret(live.orgId, id)).rejects.toEqual(code('webhook_endpoint_not_found'));
  });

  it.each(['paused', 'removed', 'gone'] as const)(
    'that is %s with thousands of waiting deliveries ends them in small steps',
    async (end) => {
      const path = newPath();
      const { id } = await create(path);
      await acme.db.query(
        `insert into webhook_deliveries (id, org_id, mode, video_id, event, endpoint_id, url)
         select 'many_' || n, $1, 'live', 'many_' || n, 'video.failed', $2, $3 from generate_series(1, 2500) as n`,
        [live.orgId, id, urlOf(path)],
      );
      await refuseManyRows(acme.db, 'webhook_deliveries', 'update', 1_000);
      try {
        if (end === 'paused') await webhooks().updateEndpoint(developer, id, { paused: true });
        if (end === 'removed') await webhooks().removeEndpoint(developer, id);
        if (end === 'gone') {
          answer = status(410);
          await finish();
        }
        const state = end === 'removed' ? 'failed' : 'disabled';
        const { rows } = await acme.db.query(
          `select count(*)::int as n from webhook_deliveries where id like 'many_%' and state = '${state}' and finished_at is not null`,
        );
        expect(rows).toEqual([{ n: 2_500 }]);
      } finally {
        await acme.db.query('drop trigger few_rows on webhook_deliveries');
        await acme.db.query(`delete from webhook_deliveries where id like 'many_%'`);
      }
    },
  );

  it('can be tried with an example, whatever it answers', async () => {
    const path = newPath();
    const { id } = await create(path);
    expect(await webhooks().testEndpoint(live.orgId, id)).toMatchObject({
      delivered: true,
      status: 200,
      response: 'so it is',
    });
    const [request] = requestsTo(path);
    expect(verifies(request!, (await webhooks().endpointSecret(live.orgId, id)).secret)).toBe(true);
    expect(JSON.parse(request!.body)).toMatchObject({ object: 'video', status: 'completed', mode: 'live' });
    answer = status(500);
    expect(await webhooks().testEndpoint(live.orgId, id)).toMatchObject({
      delivered: false,
      status: 500,
      error: 'status',
    });
    expect((await webhooks().search(live, { limit: 10, endpointId: id as never })).data).toEqual([]);
  });

  it('needs a URL that may be called, known events, and a role that may change something', async () => {
    await expect(create('/x', { url: 'https://192.168.0.1/' })).rejects.toEqual(code('url_not_allowed'));
    await expect(create('/x', { events: [] })).rejects.toMatchObject({ extra: { param: 'events' } });
    await expect(create('/x', { events: ['video.started'] })).rejects.toMatchObject({ extra: { param: 'events[0]' } });
    await expect(create('/x', { secret: 'mine' })).rejects.toEqual(code('unsupported_parameter'));
    await expect(
      webhooks().createEndpoint({ ...developer, role: 'viewer' }, 'live', { url: urlOf('/x') }),
    ).rejects.toEqual(code('role_required'));
    const { id } = await create(newPath());
    await expect(webhooks().updateEndpoint(developer, id, { url: 'http://10.0.0.1/' })).rejects.toEqual(
      code('url_not_allowed'),
    );
    const stranger: Actor = { ...developer, orgId: 'org_00000000000000000000000000000000' as OrgId };
    for (const attempt of [
      () => webhooks().updateEndpoint(stranger, id, { paused: true }),
      () => webhooks().removeEndpoint(stranger, id),
      () => webhooks().endpointSecret(stranger.orgId, id),
      () => webhooks().rotateEndpointSecret(stranger.orgId, id),
      () => webhooks().testEndpoint(stranger.orgId, id),
      () => webhooks().updateEndpoint(developer, 'endpoint_x', {}),
    ])
      await expect(attempt()).rejects.toEqual(code('webhook_endpoint_not_found'));
    expect(endpointListSchema.parse(await webhooks().endpoints(live)).data).toMatchObject([{ id, paused: null }]);
    expect(JSON.stringify(await webhooks().endpoints(live))).not.toContain('whsec_');
  });

  it('is one of at most 20', async () => {
    for (let count = 0; count < 20; count += 1) await create(newPath());
    await expect(create(newPath())).rejects.toEqual(code('unsupported_value'));
    await create(newPath(), {}, 'test');
  });
});

describe('the list of deliveries', () => {
  it('has pages, newest first, narrowed by state, video and time', async () => {
    await create(newPath());
    const videos = [await finish(), await finish(), await finish()];
    answer = status(500);
    videos.push(await finish());
    answer = status(200);
    const first = deliveryPageSchema.parse(await webhooks().search(live, { limit: 2 }));
    expect(first.data.map(({ video_id }) => video_id)).toEqual([videos[3], videos[2]]);
    expect(first.has_more).toBe(true);
    const second = await webhooks().search(live, { limit: 2, after: first.last_id! });
    expect(second.data.map(({ video_id }) => video_id)).toEqual([videos[1], videos[0]]);
    const pending = await webhooks().search(live, { limit: 10, states: ['pending'] });
    expect(pending.data.map(({ video_id }) => video_id)).toEqual([videos[3]]);
    expect((await webhooks().search(live, { limit: 10, videoId: videos[1] as never })).data).toHaveLength(1);
    const found = async (search: string) => (await webhooks().search(live, { limit: 10, search })).data;
    const [delivery] = await found(videos[1]!);
    expect(delivery!.video_id).toBe(videos[1]);
    expect(await found(delivery!.id)).toEqual([delivery]);
    for (const other of [videos[1]!.slice(0, 12), newId('video'), newId('delivery'), 'boat', '%'])
      expect(await found(other), other).toEqual([]);
    await expect(webhooks().search(test, { limit: 2, after: first.last_id! })).rejects.toMatchObject({
      extra: { param: 'after' },
    });
  });
});

describe('the receivers', () => {
  it('show how the endpoints and the origins in requests answered', async () => {
    const { id } = await create(newPath());
    const unused = await create(newPath(), { events: ['video.failed'] });
    answer = status(500);
    await finish(urlOf('/requested?token=secret'));
    const { data } = receiverListSchema.parse(await webhooks().receivers(live));
    expect(data.find(({ endpoint_id }) => endpoint_id === id)).toMatchObject({
      health: 'failing',
      deliveries: { delivered: 0, failed: 0, disabled: 0, pending: 1 },
      last_attempt: { status: 500, error: 'status' },
    });
    expect(data.find(({ endpoint_id }) => endpoint_id === unused.id)).toMatchObject({ health: 'unused' });
    expect(data.find(({ endpoint_id }) => endpoint_id === undefined)).toMatchObject({
      url: `http://127.0.0.1:${receiver.port}`,
      health: 'failing',
    });
    expect(JSON.stringify(data)).not.toContain('token=secret');
    answer = status(200);
    await acme.pass(10 * SECOND_MS);
    const after = (await webhooks().receivers(live)).data.find(({ endpoint_id }) => endpoint_id === id);
    expect(after).toMatchObject({ health: 'healthy', deliveries: { delivered: 1, pending: 0 } });
  });
});

const postgres = runPostgres();
afterAll(() => postgres?.close());

describe.skipIf(!postgres)('an endpoint that answers 410 to five deliveries at the same moment, on Postgres', () => {
  it('is paused, and every attempt is recorded at once', async ({ onTestFinished }) => {
    const held: ServerResponse[] = [];
    const gone = await startSentinel((_request, response) => {
      held.push(response);
      if (held.length === 5) for (const each of held) each.writeHead(410).end();
    });
    onTestFinished(() => gone.close());
    const env = { OUTBOUND_ALLOW: '127.0.0.0/8' };
    const on = await makeAcme({ env, databaseUrl: await postgres!.createDatabase() });
    onTestFinished(() => on.close());
    const { orgId } = on.live;
    const url = `http://127.0.0.1:${gone.port}/`;
    await on.gateway.webhooks.createEndpoint({ orgId, role: 'developer' }, 'live', { url });
    for (let video = 1; video <= 5; video += 1) await on.submit(on.live);
    await on.settle();
    await on.pass(6 * SECOND_MS);
    const { data } = await on.gateway.webhooks.search({ orgId, mode: 'live' }, { limit: 10 });
    expect(data.map(({ state, attempts }) => [state, attempts.map(({ status: code }) => code)])).toEqual(
      Array.from({ length: 5 }, () => ['disabled', [410]]),
    );
    expect(on.log.lines.filter(({ level }) => level === 'error')).toEqual([]);
    expect((await on.gateway.webhooks.endpoints({ orgId, mode: 'live' })).data).toMatchObject([{ paused: 'gone' }]);
  });
});
