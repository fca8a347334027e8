import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PICTURE } from '../support/media-bytes';
import { leftToGate, proofStep } from '../support/proof-runs';
import { EXPRESS_KEY, inlineBytes } from '../support/upstreams/fake-google-vertex';
import { KLING_ACCESS_KEY, KLING_SECRET_KEY, startFakeKling } from '../support/upstreams/fake-kling';
import { secretsOf } from '../providers/support/leaks';
import { RESULT } from '../support/upstreams/fake-video-vendor';
import { caseOf, vendorCases, type VendorCase } from './video-vendor-cases';
import { startWorld, type World } from './video-vendor-world';

// A video from the request over HTTP to the downloaded file, through an adapter of a vendor and in front of its fake,
// which answers in every hostile way that vendors know. A second provider would take over if it may. Each gateway checks
// the books when it closes.

let world: World;
const start = async (...given: Parameters<typeof startWorld>) => {
  world = await startWorld(...given);
};

const MINUTE_MS = 60_000;
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
  /** How often it is submitted, if it is refused with this scenario. */
  const submitsOf = (scenario: string) => (given.renewsToken && scenario === 'auth' ? 2 : 1);

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
      const { video, attempts, requests } = await world.makeVideo(scenario);
      if (given.findsLostSubmits) expect(video.status).toBe('completed');
      else expect(video).toMatchObject({ status: 'failed', cost: 0, error: { code: 'upstream_unconfirmed' } });
      const outcome = given.findsLostSubmits ? 'accepted' : 'unknown';
      expect([attempts, requests]).toEqual([[`${vendorId} ${outcome}`], [1, 0]]);
    });

    eachMode(['ratelimit:9', 'auth', 'balance', ...(given.refusesWhenUnavailable ? ['unavailable'] : [])])(
      'is made by the next provider if the vendor does not take it now: %s',
      async (scenario) => {
        const { video, attempts, requests } = await world.makeVideo(scenario);
        expect(video.status).toBe('completed');
        expect([attempts, requests]).toEqual([
          [`${vendorId} failed`, 'second accepted'],
          [submitsOf(scenario), 1],
        ]);
      },
    );

    eachMode(['ratelimit:2'])(
      'is submitted again after a pause if there is no other provider: %s',
      async (scenario) => {
        const pinned = { model: `${vendorId}/${given.model}` };
        const { video, attempts, requests } = await world.makeVideo(scenario, pinned);
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
        const { video, requests } = await world.makeVideo(scenario, pinned);
        expect(video).toMatchObject({ status: 'failed', cost: 0, error: { code: 'no_provider_available' } });
        expect(requests).toEqual([submitsOf(scenario), 0]);
      },
    );

    eachMode([{ scenario: 'invalid', code: 'upstream_rejected' }, ...(given.moderatesLater ? [] : [refusedContent])])(
      'is sent to no other provider if the request is refused: $scenario',
      async ({ scenario, code }) => {
        const { video, attempts, requests } = await world.makeVideo(scenario);
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
      const { video, text, attempts, requests } = await world.makeVideo();
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
      const { video, requests } = await world.makeVideo(scenario);
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
      const { video, requests } = await world.makeVideo(scenario);
      expect([video.status, requests]).toEqual(['completed', [1, 0]]);
    });

    eachMode(['hang'])(
      'stays failed, without a charge, whatever the vendor says after its deadline: %s',
      async (scenario) => {
        const { vendor } = world;
        const { video, text } = await world.makeVideo(scenario);
        expect(video).toMatchObject({ status: 'failed', cost: 0, error: { code: 'upstream_timeout' } });
        const requests = vendor.requests.length;
        const credits = await world.readCredits();
        await world.pass(24 * 60 * MINUTE_MS);
        expect([(await world.read(video.id)).text, await world.readCredits()]).toEqual([text, credits]);
        expect(vendor.requests).toHaveLength(requests);
      },
    );

    eachMode(['two seconds'])('costs what was ordered although the file has another length: %s', async () => {
      const { video } = await world.makeVideo();
      // The file has two seconds.
      expect(Number(video.seconds)).toBeGreaterThan(2);
      const perSecondUsd = Number(given.env(world.vendor).OPENAI_VIDEOS_PRICE ?? 0.1);
      expect(video.cost).toBeCloseTo(perSecondUsd * Number(video.seconds), 9);
    });

    eachMode(['a day later'])(
      'completes if it was ready while no process ran, also after its deadline: %s',
      async () => {
        const { video } = await world.makeVideo('', {}, async () => {
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
        const { video } = await world.makeVideo(scenario);
        const response = await openContent(video.id);
        expect(response.status).toBe(status);
        expect(await response.json()).toMatchObject({ error: { code } });
      },
    );

    eachMode(['cdn-reset', 'cdn-short'])('whose file breaks off is never complete: %s', async (scenario) => {
      const { video } = await world.makeVideo(scenario);
      const download = openContent(video.id).then((response) => response.arrayBuffer());
      await expect(download).rejects.toThrow();
    });

    eachMode(['cdn-ignores-ranges', 'cdn-redirects'])('is served in parts all the same: %s', async (scenario) => {
      const { video } = await world.makeVideo(scenario);
      const part = await openContent(video.id, { headers: { range: 'bytes=100-1099' } });
      expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 100-1099/${RESULT.length}`]);
      expect(Buffer.from(await part.arrayBuffer()).equals(RESULT.subarray(100, 1_100))).toBe(true);
    });
  });
});

describe('an edit', () => {
  const edit: VendorCase = { ...caseOf('fal'), model: 'wan-2.7-video-edit' };
  beforeEach(() => start(edit));
  afterEach(() => world.close());
  const source = (seconds: number) => ({
    video_url: `${world.vendor.cdnUrl}/results/good/1.mp4`,
    input_seconds: seconds,
  });

  it('of a source that is as long as stated is made', async () => {
    const { video, requests } = await world.makeVideo('', source(2.4));
    expect([video.status, requests]).toEqual(['completed', [1, 0]]);
  });

  it('of a source that is longer than stated fails before anything costs money', async () => {
    const { video, attempts, requests } = await world.makeVideo('', source(4));
    expect(video).toMatchObject({ status: 'failed', cost: 0, error: { code: 'input_seconds_mismatch' } });
    expect([attempts, requests]).toEqual([[], [0, 0]]);
  });

  it('of a source that is not there fails, and no provider is asked', async () => {
    const { video, requests } = await world.makeVideo('', {
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
    const { video } = await world.makeVideo('', { image_url: PICTURE });
    expect(video.status).toBe('completed');
    const sent = world.vendor.requests.find(given.isSubmit)?.raw.toString() ?? '';
    expect(sent).toContain(PICTURE);
    expect(sent).not.toContain('/media/');
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
      const { video, requests } = await world.makeVideo(scenario, pinned);
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
    const { video } = await world.makeVideo('inline-large:3');
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
    const { video } = await world.makeVideo('inline-cut');
    expect(video.status).toBe('completed');
    const response = await world.call(`/v1/videos/${video.id}/content`);
    await expect(response.arrayBuffer()).rejects.toThrow();
  });
});
