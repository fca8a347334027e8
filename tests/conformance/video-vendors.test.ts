import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { withBindings } from '../../lib/catalog/binding-facts';
import { allModels } from '../../lib/catalog/models';
import { videoPriceOf } from '../../lib/catalog/model-entry';
import { perSecond } from '../../lib/catalog/price-table';
import { fieldsOf } from '../../lib/domain/json';
import type { VideoModel } from '../../lib/domain/model';
import { createChaos, type Chaos } from '../support/chaos-provider';
import { PICTURE } from '../support/media-bytes';
import { leftToGate, proofStep } from '../support/proof-runs';
import { startSentinel, type Sentinel } from '../support/sentinel';
import { EXPRESS_KEY, inlineBytes } from '../support/upstreams/fake-google-vertex';
import { KLING_ACCESS_KEY, KLING_SECRET_KEY, startFakeKling } from '../support/upstreams/fake-kling';
import { secretsOf } from '../providers/contract/video-vendor';
import { RESULT, type FakeVideoVendor, type SignCallback } from '../support/upstreams/fake-video-vendor';
import { startServerInTestTime, type TestServer } from '../support/server';
import { vendorCases, type VendorCase } from './video-vendor-cases';

// A video from the request over HTTP to the downloaded file, through an adapter of a vendor and in front of its fake,
// which answers in every hostile way that vendors know. A second provider would take over if it may. Each gateway checks
// the books when it closes.

interface World extends TestServer {
  readonly vendor: FakeVideoVendor;
  readonly second: Chaos;
  readonly receiver: Sentinel;
}

let world: World;

/** The model of the catalog as the vendor serves it, and as the second provider serves it too. */
function modelOf({ model: id, definition }: VendorCase): VideoModel {
  const model = allModels.find((candidate) => candidate.id === id);
  if (model?.capability !== 'video') throw new Error(`There is no video model ${id}.`);
  const binding = model.bindings.find(({ providerId }) => providerId === definition.id);
  if (!binding) throw new Error(`${definition.id} does not serve ${id}.`);
  const narrowed = withBindings(model, [binding]);
  const price = videoPriceOf(
    perSecond(
      'made up for tests',
      Object.fromEntries(narrowed.video.resolutions.map((resolution) => [resolution, '0.10'])),
    ),
  );
  return {
    ...narrowed,
    bindings: [
      { ...binding, price },
      { ...binding, price, providerId: 'second', modelName: 'at-second' },
    ],
  };
}

async function start(given: VendorCase, env: Readonly<Record<string, string>> = {}): Promise<void> {
  const [vendor, receiver] = await Promise.all([given.startVendor(), startSentinel()]);
  const second = createChaos('second');
  const served = await startServerInTestTime({
    providers: [given.definition, second.definition],
    testProvider: second.definition,
    models: [modelOf(given)],
    env: { ...given.env(vendor), ...env },
  });
  world = {
    ...served,
    vendor,
    second,
    receiver,
    async close() {
      await served.close();
      await Promise.all([vendor.close(), receiver.close()]);
    },
  };
}

interface Video {
  readonly id: string;
  readonly status: string;
  readonly cost: number;
  /** As ordered. */
  readonly seconds: string;
  readonly error?: { readonly code: string; readonly message: string };
  readonly video_url?: string;
}

const MINUTE_MS = 60_000;

/**
 * Submits a video and lets time pass until it has ended. The marker chooses the scenario of the fake; `whenStarted` runs
 * before the first check.
 */
async function makeVideo(
  given: VendorCase,
  scenario = '',
  change: Readonly<Record<string, unknown>> = {},
  whenStarted?: () => Promise<void>,
) {
  const { vendor, second, receiver } = world;
  const counts = () => ({
    submits: vendor.requests.filter(given.isSubmit).length,
    others: second.calls.starts.length,
    webhooks: receiver.requests.length,
  });
  const [before, creditsBefore] = [counts(), await readCredits()];

  const prompt = `A lighthouse in the fog${scenario === '' ? '' : ` [[${scenario}]]`}`;
  const webhook = `http://127.0.0.1:${receiver.port}/hook`;
  const response = await world.submit({ model: given.model, prompt, webhook, ...given.fields, ...change });
  expect(response.status).toBe(202);
  // Safe: the response was checked against the contract.
  const { id } = (await response.json()) as Video;
  await world.settle();
  await whenStarted?.();
  let { text, video } = await read(id);
  // Longer than any deadline of a model. Every minute has its own work, which takes longer than a check.
  for (let passed = 0; video.status !== 'completed' && video.status !== 'failed' && passed < 20; passed += 1) {
    await world.pass(passed < 12 ? 6_000 : 5 * MINUTE_MS);
    ({ text, video } = await read(id));
  }

  const after = counts();
  const credits = await readCredits();
  const { rows: attempts } = await world.db.query(
    'select provider, outcome from video_attempts where video_id = $1 order by attempt',
    [id],
  );
  // Whatever happened: one webhook with the body of GET, nothing on hold, and a charge if there is a video.
  expect(receiver.requests.slice(before.webhooks).map((request) => request.body)).toEqual([text]);
  expect(credits.held).toBe(0);
  expect(credits.spent - creditsBefore.spent).toBeCloseTo(video.cost, 9);
  expect(video.cost > 0).toBe(video.status === 'completed');
  return {
    video,
    text,
    attempts: attempts.map(({ provider, outcome }) => `${String(provider)} ${String(outcome)}`),
    /** Requests for a video that the vendor and the second provider have received. */
    requests: [after.submits - before.submits, after.others - before.others],
  };
}

async function read(id: string): Promise<{ readonly text: string; readonly video: Video }> {
  const text = await (await world.call(`/v1/videos/${id}`)).text();
  // Safe: the response was checked against the contract.
  return { text, video: JSON.parse(text) as Video };
}

async function readCredits(): Promise<{ readonly held: number; readonly spent: number }> {
  const { held, spent } = await world.gateway.accounts.credits(await world.caller('live'));
  return { held: Number(held), spent: Number(spent) };
}

const refusedContent = { scenario: 'moderated-input', code: 'content_policy_violation' };

/** Vendors that are alike in what their answers to a submit mean. */
const kindOf = ({ refusesWhenUnavailable, findsLostSubmits, moderatesLater }: VendorCase) =>
  [refusesWhenUnavailable, findsLostSubmits, moderatesLater].join();

/** In a short run, one of many vendors meets one hostile mode in this many. */
const MODES_STEP = 16;

/**
 * `it.each` for hostile modes. In a full run every vendor meets all of them. In a short run `peers` share them, so that
 * some of them meet each mode; in its own contract suite each adapter meets all of them.
 */
function eachModeOf(given: VendorCase, peers: readonly VendorCase[]) {
  const step = Math.min(proofStep(MODES_STEP), peers.length);
  let turn = peers.indexOf(given);
  return <Mode extends string | { readonly scenario: string }>(modes: readonly Mode[]) =>
    (name: string, run: (mode: Mode) => Promise<void>) => {
      for (const mode of modes) {
        it.each([mode])(name, leftToGate(turn % step !== 0), run);
        turn += 1;
      }
    };
}

describe.each(vendorCases.map((given) => [given.definition.name, given] as const))('a video of %s', (_name, given) => {
  const vendorId = given.definition.id;

  // Each in its own gateway: a failed start makes the provider unhealthy.
  describe('at its start', () => {
    const eachMode = eachModeOf(
      given,
      vendorCases.filter((other) => kindOf(other) === kindOf(given)),
    );
    beforeEach(() => start(given));
    afterEach(() => world.close());

    eachMode([
      'drop',
      'slow-submit',
      'submit-html',
      'submit-page',
      'submit-error-200',
      'submit-empty',
      'submit-redirect',
      'submit-500',
      'cut-submit',
      'stall-submit',
      'bad-json-submit',
      'gzip-submit',
      'long-submit',
      ...(given.refusesWhenUnavailable ? [] : ['unavailable']),
    ])('is never submitted again if it may have begun: %s', async (scenario) => {
      const { video, attempts, requests } = await makeVideo(given, scenario);
      if (given.findsLostSubmits) expect(video.status).toBe('completed');
      else expect(video).toMatchObject({ status: 'failed', cost: 0, error: { code: 'upstream_unconfirmed' } });
      const outcome = given.findsLostSubmits ? 'accepted' : 'unknown';
      expect([attempts, requests]).toEqual([[`${vendorId} ${outcome}`], [1, 0]]);
    });

    eachMode(['ratelimit:9', 'auth', 'balance', ...(given.refusesWhenUnavailable ? ['unavailable'] : [])])(
      'is made by the next provider if the vendor does not take it now: %s',
      async (scenario) => {
        const { video, attempts, requests } = await makeVideo(given, scenario);
        expect(video.status).toBe('completed');
        expect([attempts, requests]).toEqual([
          [`${vendorId} failed`, 'second accepted'],
          [1, 1],
        ]);
      },
    );

    eachMode(['ratelimit:2'])(
      'is submitted again after a pause if there is no other provider: %s',
      async (scenario) => {
        const pinned = { model: `${vendorId}/${given.model}` };
        const { video, attempts, requests } = await makeVideo(given, scenario, pinned);
        expect(video.status).toBe('completed');
        expect([attempts, requests]).toEqual([
          [`${vendorId} failed`, `${vendorId} failed`, `${vendorId} accepted`],
          [3, 0],
        ]);
      },
    );

    eachMode(['auth', 'balance'])(
      'fails at once if the vendor refuses our account and there is no other provider: %s',
      async (scenario) => {
        const pinned = { model: `${vendorId}/${given.model}` };
        const { video, requests } = await makeVideo(given, scenario, pinned);
        expect(video).toMatchObject({ status: 'failed', cost: 0, error: { code: 'no_provider_available' } });
        expect(requests).toEqual([1, 0]);
      },
    );

    eachMode([{ scenario: 'invalid', code: 'upstream_rejected' }, ...(given.moderatesLater ? [] : [refusedContent])])(
      'is sent to no other provider if the request is refused: $scenario',
      async ({ scenario, code }) => {
        const { video, attempts, requests } = await makeVideo(given, scenario);
        expect(video).toMatchObject({ status: 'failed', cost: 0, error: { code } });
        expect([attempts, requests]).toEqual([[`${vendorId} refused`], [1, 0]]);
      },
    );
  });

  describe('after its start', () => {
    const eachMode = eachModeOf(given, vendorCases);
    beforeAll(() => start(given));
    afterAll(() => world.close());

    const openContent = (id: string, init: RequestInit = {}) => world.call(`/v1/videos/${id}/content`, init);

    it('is polled, charged, announced and downloaded, whole and in parts', async () => {
      const { vendor } = world;
      const { video, text, attempts, requests } = await makeVideo(given);
      expect([video.status, attempts, requests]).toEqual(['completed', [`${vendorId} accepted`], [1, 0]]);

      const whole = await openContent(video.id);
      expect([whole.status, whole.headers.get('content-type')]).toEqual([200, 'video/mp4']);
      expect(Buffer.from(await whole.arrayBuffer()).equals(RESULT)).toBe(true);
      for (const [range, from, to] of [
        ['bytes=0-0', 0, 1],
        ['bytes=100-1099', 100, 1_100],
        [`bytes=${RESULT.length - 10}-`, RESULT.length - 10, RESULT.length],
        ['bytes=-50', RESULT.length - 50, RESULT.length],
      ] as const) {
        const part = await openContent(video.id, { headers: { range } });
        expect([part.status, part.headers.get('content-range')]).toEqual([
          206,
          `bytes ${from}-${to - 1}/${RESULT.length}`,
        ]);
        expect(Buffer.from(await part.arrayBuffer()).equals(RESULT.subarray(from, to))).toBe(true);
      }
      const beyond = await openContent(video.id, { headers: { range: `bytes=${RESULT.length}-` } });
      expect(beyond.status).toBe(416);
      await beyond.arrayBuffer();
      const head = await openContent(video.id, { method: 'HEAD' });
      expect([head.status, head.headers.get('content-length')]).toEqual([200, String(RESULT.length)]);

      // The fake refuses downloads with credentials.
      expect(vendor.downloads.length).toBeGreaterThan(5);
      const logged = JSON.stringify(world.log.lines);
      for (const key of secretsOf(given.env(vendor)))
        expect([text.includes(key), logged.includes(key)]).toEqual([false, false]);
      expect(logged).not.toContain('lighthouse');
    });

    eachMode([
      { scenario: 'fail', code: 'generation_failed' },
      { scenario: 'nourl', code: 'generation_failed' },
      { scenario: 'moderated-output', code: 'content_policy_violation' },
      ...(given.moderatesLater ? [refusedContent] : []),
      { scenario: 'hang', code: 'upstream_timeout' },
      { scenario: 'poll401:99', code: 'upstream_auth_failed' },
      { scenario: 'poll500:99', code: 'upstream_timeout' },
    ])('that ends badly costs nothing and is not made again: $scenario', async ({ scenario, code }) => {
      const { video, requests } = await makeVideo(given, scenario);
      expect(video).toMatchObject({ status: 'failed', cost: 0, error: { code } });
      expect(requests).toEqual([1, 0]);
    });

    eachMode([
      'poll500:3',
      'poll503:2',
      'poll429:2',
      'poll-html:3',
      'poll-error-200:2',
      'poll-drop:2',
      'poll-hang:1',
      'poll401:3',
      'poll404:1',
      'cut-poll:2',
      'stall-poll:1',
      'bad-json-poll:2',
      'gzip-poll:2',
      'long-poll:2',
      'weird',
    ])('completes although polls go wrong: %s', async (scenario) => {
      const { video, requests } = await makeVideo(given, scenario);
      expect([video.status, requests]).toEqual(['completed', [1, 0]]);
    });

    eachMode(['hang'])(
      'stays failed, without a charge, whatever the vendor says after its deadline: %s',
      async (scenario) => {
        const { vendor } = world;
        const { video, text } = await makeVideo(given, scenario);
        expect(video).toMatchObject({ status: 'failed', cost: 0, error: { code: 'upstream_timeout' } });
        const requests = vendor.requests.length;
        const credits = await readCredits();
        await world.pass(24 * 60 * MINUTE_MS);
        expect([(await read(video.id)).text, await readCredits()]).toEqual([text, credits]);
        expect(vendor.requests).toHaveLength(requests);
      },
    );

    eachMode(['two seconds'])('costs what was ordered although the file has another length: %s', async () => {
      const { video } = await makeVideo(given);
      // The file has two seconds.
      expect(Number(video.seconds)).toBeGreaterThan(2);
      const perSecondUsd = Number(given.env(world.vendor).OPENAI_VIDEOS_PRICE ?? 0.1);
      expect(video.cost).toBeCloseTo(perSecondUsd * Number(video.seconds), 9);
    });

    eachMode(['a day later'])(
      'completes if it was ready while no process ran, also after its deadline: %s',
      async () => {
        const { video } = await makeVideo(given, '', {}, async () => {
          for (const job of world.vendor.jobs) job.polls = 9;
          await world.pass(24 * 60 * MINUTE_MS);
        });
        expect(video.status).toBe('completed');
      },
    );

    eachMode([
      { scenario: 'gone', status: 410, code: 'video_expired' },
      ...['expired', 'cdn-html', 'cdn-500', 'cdn-redirects-private'].map((scenario) => ({
        scenario,
        status: 502,
        code: 'upstream_content_unavailable',
      })),
    ])(
      'whose file cannot be read is an error in the format of the API: $scenario',
      async ({ scenario, status, code }) => {
        const { video } = await makeVideo(given, scenario);
        const response = await openContent(video.id);
        expect(response.status).toBe(status);
        expect(await response.json()).toMatchObject({ error: { code } });
      },
    );

    eachMode(['cdn-reset', 'cdn-short'])('whose file breaks off is never complete: %s', async (scenario) => {
      const { video } = await makeVideo(given, scenario);
      const download = openContent(video.id).then((response) => response.arrayBuffer());
      await expect(download).rejects.toThrow();
    });

    eachMode(['cdn-ignores-ranges', 'cdn-redirects'])('is served in parts all the same: %s', async (scenario) => {
      const { video } = await makeVideo(given, scenario);
      const part = await openContent(video.id, { headers: { range: 'bytes=100-1099' } });
      expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 100-1099/${RESULT.length}`]);
      expect(Buffer.from(await part.arrayBuffer()).equals(RESULT.subarray(100, 1_100))).toBe(true);
    });
  });
});

function caseOf(providerId: string): VendorCase {
  const found = vendorCases.find(({ definition }) => definition.id === providerId);
  if (!found) throw new Error(`There is no case of ${providerId}.`);
  return found;
}

describe('an edit', () => {
  const edit: VendorCase = { ...caseOf('fal'), model: 'wan-2.7-video-edit' };
  beforeEach(() => start(edit));
  afterEach(() => world.close());
  const source = (seconds: number) => ({
    video_url: `${world.vendor.cdnUrl}/results/good/1.mp4`,
    input_seconds: seconds,
  });

  it('of a source that is as long as stated is made', async () => {
    const { video, requests } = await makeVideo(edit, '', source(2.4));
    expect([video.status, requests]).toEqual(['completed', [1, 0]]);
  });

  it('of a source that is longer than stated fails before anything costs money', async () => {
    const { video, attempts, requests } = await makeVideo(edit, '', source(4));
    expect(video).toMatchObject({ status: 'failed', cost: 0, error: { code: 'input_seconds_mismatch' } });
    expect([attempts, requests]).toEqual([[], [0, 0]]);
  });

  it('of a source that is not there fails, and no provider is asked', async () => {
    const { video, requests } = await makeVideo(edit, '', {
      ...source(2),
      video_url: `${world.vendor.cdnUrl}/results/gone/1.mp4`,
    });
    expect(video).toMatchObject({ status: 'failed', cost: 0, error: { code: 'media_unreachable' } });
    expect(requests).toEqual([0, 0]);
  });
});

describe('an image that came as a data URL', () => {
  const given: VendorCase = { ...caseOf('fal'), model: 'kling-3.0-i2v' };
  afterEach(() => world.close());

  it('is sent inside the request of a vendor that takes it there, also by a public installation', async () => {
    await start(given, { PUBLIC_BASE_URL: 'https://gateway.example' });
    const { video } = await makeVideo(given, '', { image_url: PICTURE });
    expect(video.status).toBe('completed');
    const sent = world.vendor.requests.find(given.isSubmit)?.raw.toString() ?? '';
    expect(sent).toContain(PICTURE);
    expect(sent).not.toContain('/media/');
  });
});

const callers = vendorCases.filter(({ callsBack }) => callsBack);

describe.each(callers.map((given) => [given.definition.name, given] as const))('a callback of %s', (_name, given) => {
  const ADDRESS = /https:\/\/gateway\.example\/internal\/videos\/video_\w+\/callback\?signature=[\w-]{43}(?![\w-])/;
  const reachable = { PUBLIC_BASE_URL: 'https://gateway.example' };
  afterEach(() => world.close());

  /** The address of the submitted video. */
  function addressOfCallbacks(): URL {
    const request = world.vendor.requests.findLast(given.isSubmit);
    const text = `${request?.raw.toString('utf8')} ${[...(request?.query.values() ?? [])].join(' ')}`;
    return new URL(ADDRESS.exec(text)?.[0] ?? '');
  }

  const BODY = '{"request_id":"forged","status":"ERROR"}';

  /** The headers of a call to this address, or of another call. */
  function signed(call: Partial<Parameters<SignCallback>[0]>): Readonly<Record<string, string>> {
    const order = world.vendor.requests.findLast(given.isSubmit)?.json;
    const now = world.clock.now();
    return given.signCallback?.({ order, url: addressOfCallbacks().href, body: BODY, now, ...call }) ?? {};
  }

  async function callBack(address = addressOfCallbacks(), headers = signed({})): Promise<Response> {
    return fetch(world.baseUrl + address.pathname + address.search, { method: 'POST', headers, body: BODY });
  }

  const polls = () => world.vendor.jobs.at(-1)?.polls;

  it('makes the check of its video due, and does not end it', async () => {
    await start(given, reachable);
    const { video } = await makeVideo(given, '', {}, async () => {
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
    await makeVideo(given, 'hang', {}, async () => {
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
    await makeVideo(given, '', {}, async () => {
      const address = addressOfCallbacks();
      for (const query of ['', '?signature=', `${address.search}A`]) {
        const response = await callBack(new URL(query, `${address.origin}${address.pathname}`));
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
      const { video } = await makeVideo(given, '', {}, async () => {
        const forged = Object.fromEntries(Object.entries(signed({})).map(([name, value]) => [name, forge(value)]));
        for (const headers of [{}, forged]) {
          const response = await callBack(addressOfCallbacks(), headers);
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
    await makeVideo(given);
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
    await makeVideo(given, '', {}, async () => {
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

  it('is returned to the owner of the address, and to nobody else', async () => {
    await start(given, { PUBLIC_BASE_URL: 'https://gateway.example' });
    await makeVideo(given, '', {}, async () => {
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

describe('a provider with two kinds of credentials', () => {
  const pair = { KLING_ACCESS_KEY, KLING_SECRET_KEY };
  const withEnv = (names: readonly (keyof typeof pair)[]): VendorCase => ({
    ...caseOf('kling'),
    // The time of the gateway is not that of the imitation.
    startVendor: () => startFakeKling({ checksTime: false }),
    env: ({ baseUrl }) => ({
      KLING_BASE_URL: baseUrl,
      ...Object.fromEntries(names.map((name) => [name, pair[name]])),
    }),
  });
  const pinned = { model: 'kling/kling-3.0-t2v' };
  const submitPinned = (change: Readonly<Record<string, unknown>> = {}) =>
    world.submit({ ...pinned, prompt: 'A lighthouse', ...change });
  afterEach(() => world.close());

  it('serves videos with the second kind, also one whose submit was lost', async () => {
    const given = withEnv(['KLING_ACCESS_KEY', 'KLING_SECRET_KEY']);
    await start(given);
    for (const scenario of ['', 'drop']) {
      const { video, requests } = await makeVideo(given, scenario, pinned);
      expect([video.status, requests]).toEqual(['completed', [1, 0]]);
    }
    expect(new Set(world.vendor.requests.filter(given.isSubmit).map(({ path }) => path))).toEqual(
      new Set(['/v1/videos/text2video']),
    );
  });

  it('is not offered what the second kind cannot order', async () => {
    await start(withEnv(['KLING_ACCESS_KEY', 'KLING_SECRET_KEY']));
    const refused = await submitPinned({ size: '3840x2160' });
    expect([refused.status, await refused.json()]).toMatchObject([400, { error: { param: 'size' } }]);
    expect((await submitPinned({ size: '1920x1080' })).status).toBe(202);
  });

  it.each([
    [['KLING_ACCESS_KEY'], 'warn', ': KLING_SECRET_KEY is missing.'],
    [['KLING_SECRET_KEY'], 'warn', ': KLING_ACCESS_KEY is missing.'],
    [[], 'debug', '.'],
  ] as const)('is not offered with %j alone, and the log says what to set', async (names, level, end) => {
    await start(withEnv(names));
    expect(world.log.lines).toContainEqual({
      level,
      message: 'a provider is not offered, because a variable is missing',
      fields: {
        provider: 'kling',
        solution: `Set KLING_API_KEY, or KLING_ACCESS_KEY and KLING_SECRET_KEY${end}`,
      },
    });
    const refused = await submitPinned();
    expect([refused.status, await refused.json()]).toMatchObject([503, { error: { code: 'no_provider_available' } }]);
  });
});

describe('a file inside the answers of a vendor', () => {
  const given: VendorCase = {
    ...caseOf('google-vertex'),
    env: ({ baseUrl }) => ({ GOOGLE_VERTEX_API_KEY: EXPRESS_KEY, GOOGLE_VERTEX_BASE_URL: baseUrl }),
  };
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'archive-'));
    await start(given, { MEDIA_STORE: directory });
  });
  afterEach(async () => {
    await world.close();
    await rm(directory, { recursive: true });
  });

  it('goes into the archive, and is never in a row', async () => {
    const { video } = await makeVideo(given, 'inline-large:3');
    expect(video.status).toBe('completed');
    const whole = inlineBytes(3);
    expect((await readFile(path.join(directory, 'videos', `${video.id}.mp4`))).equals(whole)).toBe(true);
    const { rows } = await world.db.query('select length(v::text) as length from videos v where id = $1', [video.id]);
    expect(Number(rows[0]?.length)).toBeLessThan(10_000);

    const requests = world.vendor.requests.length;
    const part = await world.call(`/v1/videos/${video.id}/content`, { headers: { range: 'bytes=100-1099' } });
    expect(Buffer.from(await part.arrayBuffer()).equals(whole.subarray(100, 1_100))).toBe(true);
    expect(world.vendor.requests).toHaveLength(requests);
  });

  it('is copied again if its answer breaks off, and stays with the vendor in the end', async () => {
    const { video } = await makeVideo(given, 'inline-cut');
    expect(video.status).toBe('completed');
    const response = await world.call(`/v1/videos/${video.id}/content`);
    await expect(response.arrayBuffer()).rejects.toThrow();
  });
});
