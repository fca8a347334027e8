import { afterEach, describe, expect, it } from 'vitest';
import { fieldsOf } from '../../lib/domain/json';
import type { SignCallback } from '../support/upstreams/fake-video-vendor';
import { caseOf, vendorCases } from './video-vendor-cases';
import { startWorld, type World } from './video-vendor-world';

// Callbacks of vendors: they make the check of a video due, and are never believed.

let world: World;
const start = async (...given: Parameters<typeof startWorld>) => {
  world = await startWorld(...given);
};

const callers = vendorCases.filter(({ callsBack }) => callsBack);

describe.each(callers.map((given) => [given.definition.name, given] as const))('a callback of %s', (_name, given) => {
  const CALLBACK_URL =
    /https:\/\/gateway\.example\/internal\/videos\/video_\w+\/callback\?signature=[\w-]{43}(?![\w-])/;
  const reachable = { PUBLIC_BASE_URL: 'https://gateway.example' };
  afterEach(() => world.close());

  /** The URL of the submitted video. */
  function callbackUrl(): URL {
    const request = world.vendor.requests.findLast(given.isSubmit);
    const text = `${request?.raw.toString('utf8')} ${[...(request?.query.values() ?? [])].join(' ')}`;
    return new URL(CALLBACK_URL.exec(text)?.[0] ?? '');
  }

  const BODY = '{"request_id":"forged","status":"ERROR"}';

  /** The headers of a call to this URL, or of another call. */
  function signed(call: Partial<Parameters<SignCallback>[0]>): Readonly<Record<string, string>> {
    const order = world.vendor.requests.findLast(given.isSubmit)?.json;
    const now = world.clock.now();
    return given.signCallback?.({ order, url: callbackUrl().href, body: BODY, now, ...call }) ?? {};
  }

  async function callBack(url = callbackUrl(), headers = signed({})): Promise<Response> {
    return fetch(world.baseUrl + url.pathname + url.search, { method: 'POST', headers, body: BODY });
  }

  const polls = () => world.vendor.jobs.at(-1)?.polls;

  it('makes the check of its video due, and does not end it', async () => {
    await start(given, reachable);
    const { video } = await world.makeVideo('', {}, async () => {
      for (const expected of [1, 2, 3]) {
        expect((await callBack()).status).toBe(204);
        await world.pass(2_000);
        expect(polls()).toBe(expected);
      }
    });
    expect(video.status).toBe('completed');
    // It repeats callbacks, which change nothing about a video that has ended.
    const before = polls();
    expect((await callBack()).status).toBe(204);
    await world.settle();
    expect(polls()).toBe(before);
  });

  it('causes at most one check in two seconds, however many there are', async () => {
    await start(given, reachable);
    await world.makeVideo('hang', {}, async () => {
      const began = performance.now();
      for (let calls = 0; calls < 10; calls += 1) {
        expect((await callBack()).status).toBe(204);
        await world.settle();
      }
      expect(polls()).toBeLessThanOrEqual(1 + (performance.now() - began) / 2_000);
    });
  });

  it('without the signature of this installation is refused', async () => {
    await start(given, reachable);
    await world.makeVideo('', {}, async () => {
      const url = callbackUrl();
      for (const query of ['', '?signature=', `${url.search}A`]) {
        const response = await callBack(new URL(query, `${url.origin}${url.pathname}`));
        expect(response.status).toBe(403);
        expect(await response.json()).toMatchObject({ error: { code: 'invalid_signature' } });
      }
      await world.pass(2_000);
      expect(polls()).toBe(0);
    });
  });

  if (given.signCallback) {
    it('without the signature of the vendor is refused and not believed', async () => {
      await start(given, reachable);
      const { video } = await world.makeVideo('', {}, async () => {
        const forged = Object.fromEntries(Object.entries(signed({})).map(([name, value]) => [name, forge(value)]));
        for (const headers of [{}, forged]) {
          const response = await callBack(callbackUrl(), headers);
          expect(response.status).toBe(403);
          expect(await response.json()).toMatchObject({ error: { code: 'invalid_signature' } });
        }
        await world.pass(2_000);
        expect(polls()).toBe(0);
      });
      expect(video.status).toBe('completed');
    });
  }

  it('is not asked for if vendors cannot reach this installation', async () => {
    await start(given);
    await world.makeVideo();
    const request = world.vendor.requests.find(given.isSubmit);
    expect(`${request?.raw.toString('utf8')} ${request?.query.toString()}`).not.toContain('callback');
  });
});

/** Another value of the same length. */
const forge = (value: string) => value.replace(/[0-9a-z]/i, (first) => (first === 'b' ? 'c' : 'b'));

describe('an old callback', () => {
  const signers = vendorCases.filter(({ definition }) => ['fal', 'replicate', 'vidu'].includes(definition.id));
  afterEach(() => world.close());

  it.each(signers.map((given) => [given.definition.name, given] as const))('of %s is refused', async (_name, given) => {
    await start(given, { PUBLIC_BASE_URL: 'https://gateway.example' });
    await world.makeVideo('', {}, async () => {
      const { json: order, raw, query } = world.vendor.requests.findLast(given.isSubmit)!;
      const url = /https:\/\/gateway[^"\s]+/.exec(`${query.get('fal_webhook')} ${raw.toString('utf8')}`)?.[0] ?? '';
      const { pathname, search } = new URL(url);
      const answers = [];
      for (const ageSeconds of [299, 302]) {
        const now = new Date(world.clock.nowMs() - ageSeconds * 1_000);
        const headers = given.signCallback?.({ order, url, body: '{}', now }) ?? {};
        const { status } = await fetch(world.baseUrl + pathname + search, { method: 'POST', headers, body: '{}' });
        answers.push(status);
      }
      expect(answers).toEqual([204, 403]);
    });
  });
});

describe('the challenge with which MiniMax begins', () => {
  const given = caseOf('minimax');
  afterEach(() => world.close());

  it('is returned to the owner of the URL, and to no other caller', async () => {
    await start(given, { PUBLIC_BASE_URL: 'https://gateway.example' });
    await world.makeVideo('', {}, async () => {
      const { callback_url: url } = fieldsOf(world.vendor.requests.find(given.isSubmit)?.json);
      const { pathname, search } = new URL(String(url));
      const challenge = (query: string) =>
        fetch(world.baseUrl + pathname + query, { method: 'POST', body: '{"challenge":"2f5d"}' });
      const answer = await challenge(search);
      expect([answer.status, await answer.json()]).toEqual([200, { challenge: '2f5d' }]);
      expect((await challenge('?signature=A')).status).toBe(403);
    });
  });
});
