import { afterEach, describe, expect, it } from 'vitest';
import { withBindings } from '../../lib/catalog/binding-facts';
import { allModels } from '../../lib/catalog/models';
import { perSecond } from '../../lib/catalog/price-table';
import type { VideoModel } from '../../lib/domain/model';
import { createHttpServer } from '../../server/http';
import { createChaos, type Chaos } from '../support/chaos-provider';
import { checkAnswersOf } from '../support/check-answers';
import { freePort } from '../support/child-server';
import { makeGateway, type TestGateway } from '../support/gateway';
import { startSentinel, type Sentinel } from '../support/sentinel';
import { RESULT, type FakeVideoVendor } from '../support/upstreams/fake-video-vendor';
import { vendorCases, type VendorCase } from './video-vendor-cases';

// A video from the request over HTTP to the downloaded file, through an adapter of a vendor and in front of its fake,
// which answers in every hostile way that vendors know. A second provider would take over if it may. Each gateway checks
// the books when it closes.

interface World {
  readonly test: TestGateway;
  readonly vendor: FakeVideoVendor;
  readonly second: Chaos;
  readonly receiver: Sentinel;
  readonly baseUrl: string;
  close(): Promise<void>;
}

let world: World;
afterEach(() => world.close());

const PRICE = perSecond('made up for tests', {
  '360p': '0.10',
  '480p': '0.10',
  '540p': '0.10',
  '720p': '0.10',
  '1080p': '0.10',
  '4k': '0.10',
});

/** The model of the catalog as the vendor serves it, and after the vendor the second provider. */
function modelOf({ model: id, definition }: VendorCase): VideoModel {
  const model = allModels.find((candidate) => candidate.id === id);
  if (model?.capability !== 'video') throw new Error(`There is no video model ${id}.`);
  const binding = model.bindings.find(({ providerId }) => providerId === definition.id);
  if (!binding) throw new Error(`${definition.id} does not serve ${id}.`);
  return {
    ...withBindings(model, [binding]),
    bindings: [
      { ...binding, price: PRICE },
      { ...binding, price: PRICE, providerId: 'second', modelName: 'at-second' },
    ],
  };
}

async function start(given: VendorCase): Promise<World> {
  const [vendor, receiver, port] = await Promise.all([given.startVendor(), startSentinel(), freePort()]);
  const second = createChaos('second');
  const test = await makeGateway({
    providers: [given.definition, second.definition],
    testProvider: second.definition,
    models: [modelOf(given)],
    env: { ...given.env(vendor), OUTBOUND_ALLOW: '127.0.0.0/8', PORT: String(port) },
  });
  const server = createHttpServer({
    gateway: test.gateway,
    nextHandler: async (_request, response) => void response.writeHead(404).end(),
  });
  await server.listen(port, '127.0.0.1');
  const baseUrl = `http://127.0.0.1:${port}`;
  const endChecks = checkAnswersOf(baseUrl);
  world = {
    test,
    vendor,
    second,
    receiver,
    baseUrl,
    async close() {
      endChecks();
      await server.close();
      await test.close();
      await Promise.all([vendor.close(), receiver.close()]);
    },
  };
  return world;
}

async function call(path: string, init: RequestInit = {}): Promise<Response> {
  const { baseUrl, test } = world;
  return fetch(baseUrl + path, {
    ...init,
    headers: { authorization: `Bearer ${test.firstRun.keys.live}`, ...init.headers },
  });
}

interface Video {
  readonly id: string;
  readonly status: string;
  readonly cost: number;
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
  const { test, vendor, second, receiver } = world;
  const prompt = `A lighthouse in the fog${scenario === '' ? '' : ` [[${scenario}]]`}`;
  const response = await call('/v1/videos', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      model: given.model,
      prompt,
      webhook: `http://127.0.0.1:${receiver.port}/hook`,
      ...change,
    }),
  });
  expect(response.status).toBe(202);
  // Safe: the response was checked against the contract.
  const { id } = (await response.json()) as Video;
  await test.settle();
  await whenStarted?.();
  let { text, video } = await read(id);
  // Longer than any deadline of a model.
  for (let passed = 0; video.status !== 'completed' && video.status !== 'failed' && passed < 40; passed += 1) {
    await test.pass(passed < 12 ? 6_000 : MINUTE_MS);
    ({ text, video } = await read(id));
  }
  const { rows: attempts } = await test.db.query(
    'select provider, outcome from video_attempts where video_id = $1 order by attempt',
    [id],
  );
  return {
    video,
    text,
    attempts: attempts.map(({ provider, outcome }) => `${String(provider)} ${String(outcome)}`),
    submits: vendor.requests.filter(given.isSubmit).length,
    seconds: second.calls.starts.length,
  };
}

async function read(id: string): Promise<{ readonly text: string; readonly video: Video }> {
  const text = await (await call(`/v1/videos/${id}`)).text();
  // Safe: the response was checked against the contract.
  return { text, video: JSON.parse(text) as Video };
}

async function credits() {
  return world.test.gateway.accounts.credits(await world.test.caller('live'));
}

describe.each(vendorCases.map((given) => [given.definition.name, given] as const))('a video of %s', (_name, given) => {
  const vendorId = given.definition.id;

  it('is submitted once, polled, charged, announced and downloaded, whole and in parts', async () => {
    const { vendor, receiver } = await start(given);
    const { video, text, attempts, submits, seconds } = await makeVideo(given);
    expect([video.status, attempts, submits, seconds]).toEqual(['completed', [`${vendorId} accepted`], 1, 0]);
    expect(video.cost).toBeGreaterThan(0);
    expect(await credits()).toMatchObject({ held: '0', spent: String(video.cost) });
    expect(receiver.requests.map(({ body }) => body)).toEqual([text]);

    const content = `/v1/videos/${video.id}/content`;
    const whole = await call(content);
    expect([whole.status, whole.headers.get('content-type')]).toEqual([200, 'video/mp4']);
    expect(Buffer.from(await whole.arrayBuffer()).equals(RESULT)).toBe(true);
    for (const [range, from, to] of [
      ['bytes=0-0', 0, 1],
      ['bytes=100-1099', 100, 1_100],
      [`bytes=${RESULT.length - 10}-`, RESULT.length - 10, RESULT.length],
      ['bytes=-50', RESULT.length - 50, RESULT.length],
    ] as const) {
      const part = await call(content, { headers: { range } });
      expect([part.status, part.headers.get('content-range')]).toEqual([
        206,
        `bytes ${from}-${to - 1}/${RESULT.length}`,
      ]);
      expect(Buffer.from(await part.arrayBuffer()).equals(RESULT.subarray(from, to))).toBe(true);
    }
    const beyond = await call(content, { headers: { range: `bytes=${RESULT.length}-` } });
    expect(beyond.status).toBe(416);
    await beyond.arrayBuffer();
    const head = await call(content, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(RESULT.length)]);
    // The fake refuses downloads with credentials.
    expect(vendor.downloads.length).toBeGreaterThan(5);
    const key = Object.values(given.env(vendor)).find((value) => !value.includes('//')) ?? '';
    expect(text).not.toContain(key);
    expect(JSON.stringify(world.test.log.lines)).not.toContain(key);
    expect(JSON.stringify(world.test.log.lines)).not.toContain('lighthouse');
  });

  describe('whose submit may have begun work', () => {
    it.each([
      'drop',
      'slow-submit',
      'submit-html',
      'submit-empty',
      'submit-redirect',
      'submit-500',
      'cut-submit',
      'stall-submit',
      'bad-json-submit',
      'gzip-submit',
      'long-submit',
    ])('is never submitted again and costs nothing: %s', async (scenario) => {
      const { receiver } = await start(given);
      const { video, text, attempts, submits, seconds } = await makeVideo(given, scenario);
      expect(video).toMatchObject({ status: 'failed', cost: 0, error: { code: 'upstream_unconfirmed' } });
      expect([attempts, submits, seconds]).toEqual([[`${vendorId} unknown`], 1, 0]);
      expect(await credits()).toMatchObject({ held: '0', spent: '0' });
      expect(receiver.requests.map(({ body }) => body)).toEqual([text]);
    });
  });

  describe('that the vendor does not take now', () => {
    it.each(['unavailable', 'ratelimit:9', 'auth', 'balance'])('is made by the next provider: %s', async (scenario) => {
      await start(given);
      const { video, attempts, submits, seconds } = await makeVideo(given, scenario);
      expect(video.status).toBe('completed');
      expect([attempts, submits, seconds]).toEqual([[`${vendorId} failed`, 'second accepted'], 1, 1]);
      expect(await credits()).toMatchObject({ held: '0', spent: String(video.cost) });
    });

    it('is submitted again after the pause if there is no other provider', async () => {
      await start(given);
      const pinned = { model: `${vendorId}/${given.model}` };
      const { video, attempts, submits } = await makeVideo(given, 'ratelimit:2', pinned);
      expect(video.status).toBe('completed');
      expect([attempts, submits]).toEqual([[`${vendorId} failed`, `${vendorId} failed`, `${vendorId} accepted`], 3]);
    });

    it.each(['auth', 'balance'])('fails at once if there is no other provider: %s', async (scenario) => {
      await start(given);
      const pinned = { model: `${vendorId}/${given.model}` };
      const { video, submits } = await makeVideo(given, scenario, pinned);
      expect(video).toMatchObject({ status: 'failed', cost: 0, error: { code: 'no_provider_available' } });
      expect(submits).toBe(1);
    });
  });

  it.each([
    ['invalid', 'upstream_rejected'],
    ['moderated-input', 'content_policy_violation'],
  ])('that the vendor refuses for its request is refused for all: %s', async (scenario, code) => {
    await start(given);
    const { video, attempts, submits, seconds } = await makeVideo(given, scenario);
    expect(video).toMatchObject({ status: 'failed', cost: 0, error: { code } });
    expect([attempts, submits, seconds]).toEqual([[`${vendorId} refused`], 1, 0]);
  });

  it.each([
    ['fail', 'generation_failed'],
    ['nourl', 'generation_failed'],
    ['moderated-output', 'content_policy_violation'],
    ['hang', 'upstream_timeout'],
    ['poll401:99', 'upstream_auth_failed'],
    ['poll500:99', 'upstream_timeout'],
  ])('that ends badly costs nothing and is not made again: %s', async (scenario, code) => {
    const { receiver } = await start(given);
    const { video, text, submits, seconds } = await makeVideo(given, scenario);
    expect(video).toMatchObject({ status: 'failed', cost: 0, error: { code } });
    expect([submits, seconds]).toEqual([1, 0]);
    expect(await credits()).toMatchObject({ held: '0', spent: '0' });
    expect(receiver.requests.map(({ body }) => body)).toEqual([text]);
  });

  it('completes if it was ready while no process ran, also after its deadline', async () => {
    await start(given);
    const { video } = await makeVideo(given, '', {}, async () => {
      for (const job of world.vendor.jobs) job.polls = 9;
      await world.test.pass(24 * 60 * MINUTE_MS);
    });
    expect(video.status).toBe('completed');
  });

  it.each([
    'poll500:3',
    'poll-html:3',
    'poll401:3',
    'poll404:1',
    'cut-poll:2',
    'stall-poll:1',
    'bad-json-poll:2',
    'gzip-poll:2',
    'long-poll:2',
    'weird',
  ])('completes although polls go wrong: %s', async (scenario) => {
    await start(given);
    const { video, submits, seconds } = await makeVideo(given, scenario);
    expect([video.status, submits, seconds]).toEqual(['completed', 1, 0]);
    expect(await credits()).toMatchObject({ held: '0', spent: String(video.cost) });
  });

  describe('whose file', () => {
    it.each([
      ['gone', 410, 'video_expired'],
      ['expired', 502, 'upstream_content_unavailable'],
      ['cdn-html', 502, 'upstream_content_unavailable'],
      ['cdn-500', 502, 'upstream_content_unavailable'],
      ['cdn-redirects-private', 502, 'upstream_content_unavailable'],
    ])('cannot be read is an error in the format of the API: %s', async (scenario, status, code) => {
      await start(given);
      const { video } = await makeVideo(given, scenario);
      const response = await call(`/v1/videos/${video.id}/content`);
      expect(response.status).toBe(status);
      expect(await response.json()).toMatchObject({ error: { code } });
    });

    it.each(['cdn-reset', 'cdn-short'])('breaks off is never a complete answer: %s', async (scenario) => {
      await start(given);
      const { video } = await makeVideo(given, scenario);
      const download = call(`/v1/videos/${video.id}/content`).then((response) => response.arrayBuffer());
      await expect(download).rejects.toThrow();
    });

    it.each(['cdn-ignores-ranges', 'cdn-redirects'])('is served in parts all the same: %s', async (scenario) => {
      await start(given);
      const { video } = await makeVideo(given, scenario);
      const part = await call(`/v1/videos/${video.id}/content`, { headers: { range: 'bytes=100-1099' } });
      expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 100-1099/${RESULT.length}`]);
      expect(Buffer.from(await part.arrayBuffer()).equals(RESULT.subarray(100, 1_100))).toBe(true);
    });
  });
});
