import type { RequestListener } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Caller } from '../../../lib/domain/caller';
import { isGatewayError } from '../../../lib/domain/errors';
import type { DeliveryJson } from '../../../lib/contract/webhooks';
import { completed } from '../../support/chaos-provider';
import { startSentinel, type SeenRequest, type Sentinel } from '../../support/sentinel';
import { makeAcme, type Acme } from '../videos/make-acme';

// From the end of a video to a receiver on loopback. The receivers answer as each test configures.

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

let acme: Acme;
let receiver: Sentinel;
let answer: RequestListener;
let addresses: readonly string[] = ['127.0.0.1'];
const gone: RequestListener = (_request, response) => void response.writeHead(410).end();
const status =
  (code: number): RequestListener =>
  (_request, response) =>
    void response.writeHead(code).end('so it is');

beforeAll(async () => {
  acme = await makeAcme({ env: { OUTBOUND_ALLOW: '127.0.0.0/8' }, lookup: async () => addresses });
  receiver = await startSentinel((request, response) => answer(request, response));
});
afterAll(async () => {
  await receiver.close();
  await acme.close();
});
beforeEach(() => {
  answer = status(200);
  addresses = ['127.0.0.1'];
});

const hook = (path = '/hook') => `http://127.0.0.1:${receiver.port}${path}`;

async function finish(webhook = hook(), caller: Caller = acme.live): Promise<string> {
  const { id } = await acme.submit(caller, { webhook });
  await acme.settle();
  await acme.pass(6 * SECOND_MS);
  return id;
}

async function deliveryOf(videoId: string, caller: Caller = acme.live): Promise<DeliveryJson> {
  const deliveries = await acme.gateway.webhooks.listOfVideo(caller, videoId);
  expect(deliveries).toHaveLength(1);
  return deliveries[0]!;
}
const requestsFor = (deliveryId: string) =>
  receiver.requests.filter(({ headers }) => headers['webhook-id'] === deliveryId);

/** Verifies as a receiver does, with the official library, at the time of the request. */
function verify(request: SeenRequest, secret: string): boolean {
  const headers = Object.fromEntries(
    ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, String(request.headers[name])]),
  );
  vi.useFakeTimers({ toFake: ['Date'], now: Number(headers['webhook-timestamp']) * 1_000 });
  try {
    new Webhook(secret).verify(request.body, headers);
    return true;
  } catch {
    return false;
  } finally {
    vi.useRealTimers();
  }
}
const secretOf = async (caller: Caller) => (await acme.gateway.webhooks.secret(caller.orgId)).secret;

describe('a webhook', () => {
  it('is the body of GET at that moment, byte for byte, signed so that the official library accepts it', async () => {
    const id = await finish();
    const delivery = await deliveryOf(id);
    const [request, ...more] = requestsFor(delivery.id);
    expect(more).toEqual([]);
    expect(request!.body).toBe(JSON.stringify(await acme.read(acme.live, id)));
    expect(request).toMatchObject({
      method: 'POST',
      url: '/hook',
      headers: {
        'content-type': 'application/json',
        'x-patchbay-event': 'video.completed',
        'x-patchbay-attempt': '1',
        'user-agent': expect.stringMatching(/^Patchbay\//) as string,
      },
    });
    expect(verify(request!, await secretOf(acme.live))).toBe(true);
    expect(verify({ ...request!, body: `${request!.body} ` }, await secretOf(acme.live))).toBe(false);
    expect(verify(request!, await secretOf(await acme.stranger('Another Secret')))).toBe(false);
    expect(delivery).toMatchObject({
      object: 'webhook_delivery',
      video_id: id,
      event: 'video.completed',
      state: 'delivered',
      attempts: [{ attempt: 1, status: 200, address: '127.0.0.1', response: 'so it is' }],
    });
    expect(delivery).not.toHaveProperty('next_attempt_at');
  });

  it('also reports a failure, in the same way', async () => {
    acme.alpha.onCheck = async () => ({
      status: 'failed',
      code: 'content_policy_violation',
      message: 'The scene was refused.',
    });
    const id = await finish();
    acme.alpha.onCheck = async () => completed;
    const [request] = requestsFor((await deliveryOf(id)).id);
    expect(request!.headers['x-patchbay-event']).toBe('video.failed');
    expect(request!.body).toBe(JSON.stringify(await acme.read(acme.live, id)));
    expect(JSON.parse(request!.body)).toMatchObject({
      status: 'failed',
      cost: 0,
      error: { code: 'content_policy_violation', message: 'The scene was refused. You were not charged.' },
    });
  });

  it('is not sent for a video without one', async () => {
    const { id } = await acme.submit(acme.live);
    await acme.settle();
    await acme.pass(6 * SECOND_MS);
    expect(await acme.gateway.webhooks.listOfVideo(acme.live, id)).toEqual([]);
  });

  it('carries its mode and is shown in that mode and organisation only', async () => {
    const id = await finish(hook(), acme.test);
    const delivery = await deliveryOf(id, acme.test);
    expect(JSON.parse(requestsFor(delivery.id)[0]!.body)).toMatchObject({ mode: 'test' });
    const stranger = await acme.stranger('Reads Deliveries', 'test');
    for (const other of [acme.live, stranger]) {
      expect(await acme.gateway.webhooks.listOfVideo(other, id)).toEqual([]);
      expect(JSON.stringify(await acme.gateway.webhooks.search(other, { limit: 100 }))).not.toContain(delivery.id);
      await expect(acme.gateway.webhooks.resend(other, delivery.id)).rejects.toMatchObject({
        code: 'delivery_not_found',
      });
    }
    expect(await acme.gateway.webhooks.listOfVideo(acme.live, 'not an id')).toEqual([]);
    await expect(acme.gateway.webhooks.resend(acme.test, "msg_' or 1=1")).rejects.toMatchObject({
      code: 'delivery_not_found',
    });
  });

  it('keeps the query of its URL out of the list and the log', async () => {
    const canary = 'canary-4711';
    const id = await finish(hook(`/hook?token=${canary}`));
    const delivery = await deliveryOf(id);
    expect(requestsFor(delivery.id)[0]!.url).toBe(`/hook?token=${canary}`);
    expect(delivery.url).toBe(hook());
    expect(JSON.stringify(await acme.gateway.webhooks.search(acme.live, { limit: 100 }))).not.toContain(canary);
    expect(JSON.stringify(acme.log.lines)).not.toContain(canary);
    expect(JSON.stringify(await acme.read(acme.live, id))).not.toContain(canary);
  });
});

describe('a receiver that fails', () => {
  it('is called again on schedule, with one id and one body, until it answers', async () => {
    answer = status(503);
    const id = await finish();
    const pauses = [5 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS];
    for (const [index, pauseMs] of pauses.entries()) {
      const { attempts, state, next_attempt_at: nextAt = 0 } = await deliveryOf(id);
      expect([attempts.length, state]).toEqual([index + 1, 'pending']);
      // Real time passes for the queue while the test runs, so the last quarter of a pause is not checked.
      if (pauseMs > MINUTE_MS) {
        await acme.pass(pauseMs * 0.75);
        expect((await deliveryOf(id)).attempts).toHaveLength(index + 1);
        expect(Math.abs(nextAt - attempts.at(-1)!.at - pauseMs / 1_000)).toBeLessThanOrEqual(pauseMs / 10_000);
      }
      if (index === pauses.length - 1) answer = status(204);
      await acme.pass(pauseMs);
    }
    const delivery = await deliveryOf(id);
    expect(delivery).toMatchObject({
      state: 'delivered',
      attempts: [503, 503, 503, 503, 204].map((code, index) => ({ attempt: index + 1, status: code })),
    });
    const requests = requestsFor(delivery.id);
    expect(requests.map(({ headers }) => headers['x-patchbay-attempt'])).toEqual(['1', '2', '3', '4', '5']);
    expect(new Set(requests.map(({ body }) => body)).size).toBe(1);
    // Each attempt has a timestamp of its own, otherwise a receiver would refuse it as old.
    expect(new Set(requests.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(5);
    const secret = await secretOf(acme.live);
    expect(requests.map((request) => verify(request, secret))).toEqual([true, true, true, true, true]);
  });

  it('is given up after ten attempts in 75 hours, and can be called once more by hand', async () => {
    answer = status(500);
    const begin = acme.clock.nowMs();
    const id = await finish();
    for (let attempt = 2; attempt <= 10; attempt += 1) await acme.pass(24 * HOUR_MS + MINUTE_MS);
    const delivery = await deliveryOf(id);
    expect([delivery.state, delivery.attempts.length]).toEqual(['failed', 10]);
    expect(delivery).not.toHaveProperty('next_attempt_at');
    expect(acme.clock.nowMs() - begin).toBeGreaterThan(75 * HOUR_MS);
    await acme.pass(48 * HOUR_MS);
    expect(requestsFor(delivery.id)).toHaveLength(10);

    await acme.gateway.webhooks.resend(acme.live, delivery.id);
    await acme.settle();
    expect(await deliveryOf(id)).toMatchObject({ state: 'failed', attempts: { length: 11 } });
    answer = status(200);
    expect(await acme.gateway.webhooks.resend(acme.live, delivery.id)).toMatchObject({
      id: delivery.id,
      state: 'pending',
    });
    await acme.settle();
    expect(await deliveryOf(id)).toMatchObject({ state: 'delivered', attempts: { length: 12 } });
    expect(requestsFor(delivery.id).map(({ headers }) => headers['x-patchbay-attempt'])).toEqual(
      Array.from({ length: 12 }, (_, index) => String(index + 1)),
    );
  });

  it('and sends a Retry-After gets it, up to an hour', async () => {
    answer = (_request, response) => void response.writeHead(429, { 'retry-after': '7200' }).end();
    const { attempts, next_attempt_at: nextAt = 0 } = await deliveryOf(await finish());
    expect(nextAt - attempts[0]!.at).toBeGreaterThanOrEqual(3_600);
    expect(nextAt - attempts[0]!.at).toBeLessThanOrEqual(3_610);
  });

  it('and never answers is cut off after 10 s', async () => {
    answer = () => {};
    const delivery = await deliveryOf(await finish());
    expect(delivery).toMatchObject({
      state: 'pending',
      attempts: [{ attempt: 1, error: 'timeout', address: '127.0.0.1' }],
    });
    expect(delivery.attempts[0]).not.toHaveProperty('status');
  });

  it('and answers 410 is not called again, until a manual resend', async () => {
    answer = gone;
    const id = await finish();
    const delivery = await deliveryOf(id);
    expect(delivery).toMatchObject({ state: 'disabled', attempts: [{ status: 410 }] });
    expect(delivery).not.toHaveProperty('next_attempt_at');
    await acme.pass(48 * HOUR_MS);
    expect(requestsFor(delivery.id)).toHaveLength(1);
    answer = status(200);
    await acme.gateway.webhooks.resend(acme.live, delivery.id);
    await acme.settle();
    expect(await deliveryOf(id)).toMatchObject({ state: 'delivered', attempts: { length: 2 } });
  });
});

describe('resending by hand', () => {
  it('replaces the attempt that was due: the same id, and no attempt is made twice', async () => {
    answer = status(500);
    const id = await finish();
    await acme.pass(6 * SECOND_MS);
    const { id: deliveryId } = await deliveryOf(id);
    answer = status(200);
    await acme.gateway.webhooks.resend(acme.live, deliveryId);
    await acme.settle();
    expect(await deliveryOf(id)).toMatchObject({ state: 'delivered', attempts: { length: 3 } });
    // The third attempt was due in five minutes; it finds that it was already made.
    await acme.pass(HOUR_MS);
    expect(requestsFor(deliveryId).map(({ headers }) => headers['x-patchbay-attempt'])).toEqual(['1', '2', '3']);
  });

  it('that fails leaves one schedule and not two', async () => {
    answer = status(500);
    const id = await finish();
    const { id: deliveryId } = await deliveryOf(id);
    await acme.gateway.webhooks.resend(acme.live, deliveryId);
    await acme.settle();
    await acme.pass(6 * SECOND_MS);
    expect((await deliveryOf(id)).attempts).toHaveLength(2);
    await acme.pass(6 * MINUTE_MS);
    expect(requestsFor(deliveryId)).toHaveLength(3);
  });

  it('works for a delivered one, and sends the original body', async () => {
    const id = await finish();
    const { id: deliveryId } = await deliveryOf(id);
    await acme.gateway.webhooks.resend(acme.live, deliveryId);
    await acme.settle();
    const [first, second] = requestsFor(deliveryId);
    expect(second!.body).toBe(first!.body);
    expect(await deliveryOf(id)).toMatchObject({ state: 'delivered', attempts: { length: 2 } });
  });

  it('pressed twice at once makes one more attempt, or two with numbers of their own', async () => {
    const id = await finish();
    const { id: deliveryId } = await deliveryOf(id);
    await Promise.all([
      acme.gateway.webhooks.resend(acme.live, deliveryId),
      acme.gateway.webhooks.resend(acme.live, deliveryId),
    ]);
    await acme.settle();
    const { attempts, state } = await deliveryOf(id);
    expect(state).toBe('delivered');
    expect(attempts.map(({ attempt }) => attempt)).toEqual(attempts.map((_attempt, index) => index + 1));
  });
});

describe('the secret', () => {
  it('when rotated signs together with the former one for 24 hours, and then alone', async () => {
    const caller = await acme.stranger('Rotates');
    const former = await secretOf(caller);
    const { secret: current, previous_secret_until: until = 0 } = await acme.gateway.webhooks.rotateSecret(
      caller.orgId,
    );
    expect(current).not.toBe(former);
    expect(until).toBe(Math.floor(acme.clock.nowMs() / 1_000) + 86_400);
    const verdicts = async () => {
      const [request] = requestsFor((await deliveryOf(await finish(hook(), caller), caller)).id);
      return [verify(request!, current), verify(request!, former)];
    };
    expect(await verdicts()).toEqual([true, true]);
    await acme.clock.advance(23 * HOUR_MS);
    expect(await verdicts()).toEqual([true, true]);
    await acme.clock.advance(HOUR_MS);
    expect(await verdicts()).toEqual([true, false]);
    expect(await acme.gateway.webhooks.secret(caller.orgId)).toEqual({ secret: current });
  });

  it('signs for its 24 hours also when it is rotated again meanwhile, and nine times at most', async () => {
    const caller = await acme.stranger('Rotates often');
    const rotate = async () => (await acme.gateway.webhooks.rotateSecret(caller.orgId)).secret;
    const first = await secretOf(caller);
    const second = await rotate();
    await acme.clock.advance(HOUR_MS);
    const third = await rotate();
    const verdicts = async () => {
      const [request] = requestsFor((await deliveryOf(await finish(hook(), caller), caller)).id);
      return [first, second, third].map((secret) => verify(request!, secret));
    };
    expect(await verdicts()).toEqual([true, true, true]);
    await acme.clock.advance(23 * HOUR_MS);
    expect(await verdicts()).toEqual([false, true, true]);
    for (let count = 0; count < 7; count += 1) await rotate();
    // Of two rotations at the same time the second one is one too many.
    const refused: unknown[] = [];
    await Promise.all([rotate(), rotate()].map((rotating) => rotating.catch((error: unknown) => refused.push(error))));
    expect(refused).toMatchObject([{ code: 'rate_limit_exceeded' }]);
    // Until the second secret expires; the test has taken some seconds of its last hour.
    const [retryAfterSeconds] = refused.map((error) => isGatewayError(error) && error.extra.retryAfterSeconds);
    expect(retryAfterSeconds).toBeGreaterThan(3_400);
    expect(retryAfterSeconds).toBeLessThanOrEqual(3_600);
    await acme.clock.advance(HOUR_MS);
    expect(await verdicts()).toEqual([false, false, true]);
    await rotate();
  });
});

describe('a secret that cannot be opened', () => {
  it('ends the delivery after a while with an error in the log; it can be resent afterwards', async () => {
    const caller = await acme.stranger('Lost its key');
    const { rows } = await acme.db.query('select webhook_secret as sealed from organizations where id = $1', [
      caller.orgId,
    ]);
    const setSecret = (sealed: unknown) =>
      acme.db.query('update organizations set webhook_secret = $2 where id = $1', [caller.orgId, sealed]);
    await setSecret('sealed with another MASTER_KEY');
    const video = await finish(hook(), caller);
    const { id } = await deliveryOf(video, caller);
    for (let round = 0; round < 14; round += 1) await acme.pass(5 * MINUTE_MS);
    expect(await deliveryOf(video, caller)).toMatchObject({ state: 'failed', attempts: [] });
    expect(requestsFor(id)).toEqual([]);
    expect(acme.log.lines).toContainEqual({
      level: 'error',
      message: expect.stringContaining('given up') as string,
      fields: { deliveryId: id },
    });
    await setSecret(rows[0]?.sealed);
    await acme.gateway.webhooks.resend(caller, id);
    await acme.settle();
    expect(await deliveryOf(video, caller)).toMatchObject({ state: 'delivered' });
  });
});

describe('a slow host', () => {
  it('gets five deliveries at a time, and delays no other host', async () => {
    const seen = { inFlight: 0, most: 0, answered: 0, answeredWhenQuickCame: -1 };
    answer = (_request, response) => {
      seen.inFlight += 1;
      seen.most = Math.max(seen.most, seen.inFlight);
      setTimeout(() => {
        seen.inFlight -= 1;
        seen.answered += 1;
        response.end();
      }, 30);
    };
    const quick = await startSentinel((_request, response) => {
      seen.answeredWhenQuickCame = seen.answered;
      response.end();
    });
    const slow = await Promise.all(Array.from({ length: 30 }, () => acme.submit(acme.live, { webhook: hook() })));
    const fast = await acme.submit(acme.live, { webhook: `http://127.0.0.1:${quick.port}/` });
    await acme.settle();
    await acme.pass(6 * SECOND_MS);
    expect([seen.most, seen.answered]).toEqual([5, 30]);
    expect(seen.answeredWhenQuickCame).toBeGreaterThanOrEqual(0);
    expect(seen.answeredWhenQuickCame).toBeLessThanOrEqual(10);
    // One attempt each: waiting for a place uses none.
    for (const { id } of [...slow, fast])
      expect(await deliveryOf(id)).toMatchObject({ state: 'delivered', attempts: [{ attempt: 1 }] });
    await quick.close();
  });
});

describe('a name', () => {
  const named = () => `http://hook.example:${receiver.port}/named`;

  it('that leads to a private address at a later attempt is not called, and the attempt says so', async () => {
    answer = status(500);
    const id = await finish(named());
    const { id: deliveryId } = await deliveryOf(id);
    expect(requestsFor(deliveryId)).toHaveLength(1);
    const connections = receiver.connections();
    // One private address among allowed ones is enough to refuse.
    addresses = ['127.0.0.1', '10.0.0.1'];
    await acme.pass(6 * SECOND_MS);
    addresses = ['169.254.169.254'];
    await acme.pass(6 * MINUTE_MS);
    expect((await deliveryOf(id)).attempts.slice(1)).toMatchObject([
      { error: 'not_allowed' },
      { error: 'not_allowed' },
    ]);
    expect(receiver.connections()).toBe(connections);
    addresses = ['127.0.0.1'];
    answer = status(200);
    await acme.pass(31 * MINUTE_MS);
    expect(await deliveryOf(id)).toMatchObject({ state: 'delivered', attempts: { length: 4 } });
  });

  it('that leads to a private address is refused at submission', async () => {
    addresses = ['10.0.0.1'];
    await expect(acme.submit(acme.live, { webhook: 'https://hook.example/' })).rejects.toMatchObject({
      code: 'url_not_allowed',
      extra: { param: 'webhook' },
    });
  });
});

describe('a deleted video', () => {
  it('removes the body of its delivery: nothing is sent any more, and it cannot be resent', async () => {
    answer = status(500);
    const id = await finish();
    const { id: deliveryId } = await deliveryOf(id);
    await acme.gateway.videos.remove(acme.live, id);
    expect((await acme.db.query('select body from webhook_deliveries where id = $1', [deliveryId])).rows).toEqual([
      { body: null },
    ]);
    await acme.pass(48 * HOUR_MS);
    expect(requestsFor(deliveryId)).toHaveLength(1);
    await expect(acme.gateway.webhooks.resend(acme.live, deliveryId)).rejects.toMatchObject({
      code: 'delivery_not_found',
    });
    // The record of the attempts stays, without a next time.
    const { data } = await acme.gateway.webhooks.search(acme.live, { limit: 100 });
    const left = data.find(({ id: each }) => each === deliveryId);
    expect(left).toMatchObject({ state: 'failed', attempts: { length: 1 } });
    expect(left).not.toHaveProperty('next_attempt_at');
  });
});
