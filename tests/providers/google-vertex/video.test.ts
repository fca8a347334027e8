import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../lib/domain/clock';
import { fieldsOf } from '../../../lib/domain/json';
import type { FinishedVideo, VideoBinding } from '../../../lib/domain/video';
import { googleVertex } from '../../../lib/providers/google-vertex/index';
import { DEFAULT_REGION, hostOf } from '../../../lib/providers/google-vertex/region';
import { openDirectoryStore } from '../../../lib/store/directory-store';
import { createTestClock } from '../../support/clock';
import { recordLog } from '../../support/log';
import { wholeFile } from '../../support/whole-file';
import {
  EXPRESS_KEY,
  inlineBytes,
  PRIVATE_KEY,
  PROJECT,
  REGION,
  serviceAccount,
  startFakeGoogleVertex,
} from '../../support/upstreams/fake-google-vertex';
import { RESULT, type VendorReply } from '../../support/upstreams/fake-video-vendor';
import { makeCall, makeRunning, readBody } from '../contract/video';
import { videoVendorContract } from '../contract/video-vendor';
import { bindingOf, catalogBindings } from '../support/catalog-bindings';
import {
  begin,
  makeVendorSubject,
  pollToEnd,
  submit,
  type VendorContract,
  type VendorSubject,
} from '../support/vendor-subject';
import { makeProviderDeps } from '../support/messages';
import { requestCasesContract } from '../contract/request-cases';
import { parameter } from '../support/vendor-orders';
import { veoCases, inlineMediaOptions } from '../support/veo-requests';

const bindings = catalogBindings(googleVertex);
const STORAGE_URI = 'gs://videos-of-a/patchbay/';

/** A service account, with results in a bucket. */
const withAccount: VendorContract = {
  definition: googleVertex,
  startVendor: startFakeGoogleVertex,
  settings: (vendor) => ({
    GOOGLE_VERTEX_SERVICE_ACCOUNT: serviceAccount(vendor),
    GOOGLE_VERTEX_REGION: REGION,
    GOOGLE_VERTEX_STORAGE_URI: STORAGE_URI,
    GOOGLE_VERTEX_BASE_URL: vendor.baseUrl,
    GOOGLE_VERTEX_STORAGE_BASE_URL: vendor.baseUrl,
  }),
  wrongSettings: (vendor) => ({
    ...withAccount.settings(vendor),
    GOOGLE_VERTEX_SERVICE_ACCOUNT: serviceAccount(vendor, { client_email: 'stranger@a-project-1.example' }),
  }),
  binding: bindingOf(googleVertex, 'veo-3.1-generate-001'),
  order: { seconds: 8, audio: true },
  reference: 'permanent',
  renewsToken: true,
  isSubmit: ({ method, path: asked }) => method === 'POST' && asked.endsWith(':predictLongRunning'),
  refusals: [
    { scenario: 'forbidden', code: 'upstream_auth_failed', retry: 'elsewhere' },
    { scenario: 'billing', code: 'upstream_auth_failed', retry: 'elsewhere' },
    { scenario: 'unknown-model', code: 'provider_model_not_found', retry: 'elsewhere' },
  ],
};

/** An API key, with results inside the answers. */
const { renewsToken: _withoutToken, ...withoutToken } = withAccount;
const withKey: VendorContract = {
  ...withoutToken,
  settings: ({ baseUrl }) => ({ GOOGLE_VERTEX_API_KEY: EXPRESS_KEY, GOOGLE_VERTEX_BASE_URL: `${baseUrl}/v1/` }),
  wrongSettings: ({ baseUrl }) => ({ GOOGLE_VERTEX_API_KEY: 'wrong', GOOGLE_VERTEX_BASE_URL: `${baseUrl}/v1/` }),
  inlineFiles: true,
};

videoVendorContract('Veo on Vertex AI, with a service account and a bucket', withAccount);
videoVendorContract('Veo on Vertex AI, with an API key', withKey);

const casesOf = (parent: string, storage: { readonly storageUri?: string }) =>
  veoCases({
    names: {
      standard: 'veo-3.1-generate-001',
      fast: 'veo-3.1-fast-generate-001',
      lite: 'veo-3.1-lite-generate-001',
    },
    pathOf: (modelName) => `/v1/${parent}publishers/google/models/${modelName}:predictLongRunning`,
    own: () => ({ personGeneration: 'allow_adult', generateAudio: true, ...storage }),
    changes: [
      [parameter('quality', 'high'), { parameters: { compressionQuality: 'lossless' } }],
      [parameter('quality', 'basic'), { parameters: { compressionQuality: 'optimized' } }],
      [{ seed: 0 }, { parameters: { seed: 0 } }],
      [{ seed: 4_294_967_295 }, { parameters: { seed: 4_294_967_295 } }],
      [{ audio: false, parameters: { generate_audio: false } }, { parameters: { generateAudio: false } }],
    ],
  });
requestCasesContract(
  'Veo on Vertex AI, with a service account and a bucket',
  withAccount,
  casesOf(`projects/${PROJECT}/locations/${REGION}/`, { storageUri: STORAGE_URI }),
  { ...inlineMediaOptions, headers: { authorization: expect.stringMatching(/^Bearer ya29\.fake-\d+$/) } },
);
requestCasesContract('Veo on Vertex AI, with an API key', withKey, casesOf('', {}), {
  ...inlineMediaOptions,
  headers: { 'x-goog-api-key': EXPRESS_KEY },
});

async function finish(subject: VendorSubject, contract: VendorContract, scenario?: string): Promise<FinishedVideo> {
  const { receipt } = await begin(subject, contract, scenario === undefined ? {} : { scenario });
  const { end } = await pollToEnd(subject, receipt);
  if (end?.status !== 'completed') throw new Error('The video did not complete.');
  return end.video;
}

describe('Veo on Vertex AI', () => {
  let account: VendorSubject;
  let key: VendorSubject;
  beforeAll(async () => {
    [account, key] = await Promise.all([makeVendorSubject(withAccount), makeVendorSubject(withKey)]);
  });
  afterAll(() => Promise.all([account.close(), key.close()]));

  describe('knows', () => {
    it('every binding of the catalog', () => {
      expect(bindings.filter(({ binding }) => !googleVertex.knows?.(binding))).toEqual([]);
    });

    it.each<[string, Partial<VideoBinding>]>([
      ['another model', { modelName: 'veo-2.0-generate-001' }],
      ['another resolution', { resolutions: ['720p', '540p'] }],
      ['4k of the lite model', { modelName: 'veo-3.1-lite-generate-001', resolutions: ['720p', '4k'] }],
      ['a parameter that the API does not have', { parameters: ['negative_prompt', 'num_videos'] }],
    ])('not %s', (_title, change) => {
      expect(googleVertex.knows?.({ ...withAccount.binding, ...change })).toBe(false);
    });
  });

  describe('the end of an operation', () => {
    it.each([
      ['error:1', 'cancelled'],
      ['error:3', 'upstream_rejected'],
      ['error:4', 'upstream_timeout'],
      ['error:7', 'upstream_auth_failed'],
      ['error:8', 'generation_failed'],
      ['error:13', 'generation_failed'],
      ['error-moderated', 'content_policy_violation'],
      ['no-samples', 'content_policy_violation'],
    ])('with %s is %s, in a sentence of ours', async (scenario, code) => {
      for (const [subject, contract] of [[account, withAccount] as const, [key, withKey] as const]) {
        const { end } = await pollToEnd(subject, (await begin(subject, contract, { scenario })).receipt);
        expect(end).toMatchObject({ status: 'failed', code, message: expect.stringMatching(/^The .{10,}\.$/) });
      }
    });

    it('with one of two samples filtered is a completed video', async () => {
      expect(await finish(account, withAccount, 'partly-filtered')).toBeDefined();
      expect(await finish(key, withKey, 'partly-filtered')).toBeDefined();
    });

    it('names the object in the bucket, its own facts, and 30 days', async () => {
      const { receipt } = await begin(account, withAccount, { scenario: 'good' });
      await pollToEnd(account, receipt);
      const startedAt = new Date('2026-11-20T08:00:00Z');
      const end = await account.video.check(makeRunning(receipt, { startedAt }), makeCall(account.log));
      expect(end).toEqual({
        status: 'completed',
        video: {
          file: { bucket: 'videos-of-a', object: expect.stringMatching(/^patchbay\/[0-9a-f-]{36}\/sample_0\.mp4$/) },
          expiresAt: new Date('2026-12-20T08:00:00Z'),
          width: 160,
          height: 90,
          fps: 12,
          durationSeconds: 2,
        },
      });
    });
  });

  it('polls every ten seconds, begins ten videos a minute, and cannot cancel', () => {
    const { pace, limits, cancel, refresh, repeatable } = account.video;
    expect({ pace, limits }).toEqual({ pace: { firstMs: 10_000, minMs: 10_000 }, limits: { startsPerMinute: 10 } });
    expect([cancel, refresh, repeatable]).toEqual([undefined, undefined, undefined]);
  });

  it('opens an object with the token at Cloud Storage and without it at the target of a redirect', async () => {
    const { file } = await finish(account, withAccount, 'good');
    const [requests, downloads] = [account.vendor.requests.length, account.vendor.downloads.length];
    await readBody(await account.video.open(file, undefined, makeCall(account.log)));
    const [asked, ...others] = account.vendor.requests.slice(requests);
    expect([asked?.path, asked?.query.get('alt'), others]).toEqual([
      expect.stringMatching(/^\/storage\/v1\/b\/videos-of-a\/o\/patchbay%2F[0-9a-f-]{36}%2Fsample_0\.mp4$/),
      'media',
      [],
    ]);
    expect(asked?.headers.authorization).toMatch(/^Bearer /);
    expect(account.vendor.downloads.slice(downloads).map(({ headers }) => headers.authorization)).toEqual([undefined]);
  });

  describe('a file inside the answer', () => {
    const open = async (scenario: string, part?: Parameters<VendorSubject['video']['open']>[1]) => {
      const { file } = await finish(key, withKey, scenario);
      return key.video.open(file, part, makeCall(key.log));
    };

    it('is referred to by its operation, for an hour, and is not stored in a row', async () => {
      const now = Date.now();
      const { file, expiresAt, ...facts } = await finish(key, withKey, 'inline-large:3');
      expect(file).toEqual({ operation: expect.stringMatching(/^projects\/.+\/operations\/[0-9a-f-]{36}$/) });
      expect(Math.abs(Number(expiresAt) - now - 3_600_000)).toBeLessThan(60_000);
      expect(facts).toEqual({});
    });

    it('completes its video as soon as it begins', async () => {
      // The rest of the answer never comes.
      const { file } = await finish(key, withKey, 'inline-stall');
      expect(file).toHaveProperty('operation');
    });

    it('of 40 MB goes into the archive in small pieces', async () => {
      const directory = await mkdtemp(path.join(tmpdir(), 'archive-'));
      const store = await openDirectoryStore(directory, { clock: systemClock, log: recordLog() });
      const call = makeCall(key.log);
      const { body } = await open('inline-large:40');
      let longest = 0;
      body.on('data', (chunk: Buffer) => void (longest = Math.max(longest, chunk.length)));
      body.pause();
      await store.put('videos/a.mp4', wholeFile(body), { maxBytes: 1024 ** 3 }, call);
      expect((await readFile(path.join(directory, 'videos/a.mp4'))).equals(inlineBytes(40))).toBe(true);
      expect(longest).toBeLessThanOrEqual(256 * 1024);
      await rm(directory, { recursive: true });
    });

    it('is decoded if its characters are escaped', async () => {
      expect((await readBody(await open('inline-escaped'))).equals(RESULT)).toBe(true);
    });

    it('never ends early if the answer is cut off', async () => {
      await expect(open('inline-cut').then(readBody)).rejects.toThrow();
      await expect(open('inline-cut', { start: 0, end: 9 })).rejects.toMatchObject({
        code: 'upstream_content_unavailable',
      });
    });

    it('is refused if it is no MP4 file', async () => {
      await expect(open('inline-text')).rejects.toMatchObject({ code: 'upstream_content_unavailable' });
    });

    it('is not read from the answer about another operation', async () => {
      const { file } = await finish(key, withKey, 'inline-escaped');
      const { file: other } = await finish(key, withKey);
      const [name = '', otherName = ''] = [file, other].map((each) => String(fieldsOf(each).operation));
      key.vendor.alterAnswers((reply, { json }) => {
        const { operationName } = fieldsOf(json);
        const text = typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body);
        return operationName === otherName ? { ...reply, body: text.replace(otherName, name) } : reply;
      });
      try {
        for (const part of [undefined, 'head', { start: 0, end: 9 }] as const)
          await expect(key.video.open(other, part, makeCall(key.log))).rejects.toMatchObject({
            code: 'upstream_content_unavailable',
          });
        expect((await readBody(await key.video.open(file, undefined, makeCall(key.log)))).equals(RESULT)).toBe(true);
      } finally {
        key.vendor.alterAnswers();
      }
    });

    it('of an answer with an error status completes nothing', async () => {
      const { receipt } = await begin(key, withKey);
      for (const job of key.vendor.jobs.slice(-1)) job.polls = 9;
      const check = () => key.video.check(makeRunning(receipt), makeCall(key.log));
      key.vendor.alterAnswers((reply) => ({ ...reply, status: 500 }));
      await expect(check()).rejects.toMatchObject({ extra: { upstream: { retry: 'later' } } });
      key.vendor.alterAnswers();
      expect(await check()).toMatchObject({ status: 'completed' });
    });

    it('is expired when the operation is no longer known', async () => {
      const gone = { operation: `projects/${PROJECT}/locations/${REGION}/publishers/google/models/m/operations/gone` };
      await expect(key.video.open(gone, undefined, makeCall(key.log))).rejects.toMatchObject({
        code: 'video_expired',
      });
    });
  });

  it('leaks neither the private key nor a token, and callers do not see the project', async () => {
    const { bodies, started } = await submit(account, withAccount, { scenario: 'good' });
    expect(started?.providerJobId).toMatch(/^[0-9a-f-]{36}$/);
    const { end } = await pollToEnd(account, started?.receipt ?? null);
    const kept = JSON.stringify([bodies, started, end, account.log.lines]);
    expect(kept).not.toContain('ya29.');
    expect(kept).not.toContain(PRIVATE_KEY.split('\n')[1]);
  });
});

describe('a token of Vertex AI', () => {
  const issued = ({ vendor }: VendorSubject) => vendor.requests.filter(({ path: asked }) => asked === '/token').length;

  it('is issued once for all requests', async () => {
    const subject = await makeVendorSubject(withAccount);
    await Promise.all([submit(subject, withAccount), submit(subject, withAccount)]);
    await pollToEnd(subject, (await begin(subject, withAccount)).receipt);
    expect(issued(subject)).toBe(1);
    await subject.close();
  });

  /** Refuses the token of the first `times` requests for which this is true, as Google does if it was revoked. */
  function refuse(
    { vendor }: VendorSubject,
    isMeant: (request: (typeof vendor.requests)[number]) => boolean,
    times = 1,
    refusal: VendorReply = UNAUTHENTICATED,
  ): void {
    let left = times;
    vendor.alterAnswers((reply, request) => (isMeant(request) && left-- > 0 ? refusal : reply));
  }
  const UNAUTHENTICATED: VendorReply = {
    status: 401,
    body: { error: { code: 401, message: 'Invalid credentials.', status: 'UNAUTHENTICATED' } },
  };
  const tokensOf = (requests: readonly VendorSubject['vendor']['requests'][number][]) =>
    requests.map(({ headers: { authorization } }) => authorization?.replace('Bearer ', ''));

  it('that was revoked is replaced, and the refused submit is sent once more with the new one', async () => {
    const subject = await makeVendorSubject(withAccount);
    const { started, bodies, submits } = await submit(subject, withAccount, { scenario: 'expired-token' });
    expect([started?.receipt, bodies.length]).toEqual([{ operation: expect.any(String) }, 1]);
    const [first, second] = tokensOf(submits);
    expect([submits.length, first === second, issued(subject)]).toEqual([2, false, 2]);
    expect(submits[1]?.raw.equals(submits[0]?.raw ?? Buffer.alloc(0))).toBe(true);
    await subject.close();
  });

  it('that is refused again has begun nothing', async () => {
    const subject = await makeVendorSubject(withAccount);
    refuse(subject, withAccount.isSubmit, 2);
    const { error, submits } = await submit(subject, withAccount);
    expect(error).toMatchObject({
      code: 'upstream_auth_failed',
      extra: { upstream: { retry: 'elsewhere', started: 'no' } },
    });
    expect(submits).toHaveLength(2);
    await subject.close();
  });

  it('that cannot be replaced has begun nothing', async () => {
    const subject = await makeVendorSubject(withAccount);
    await submit(subject, withAccount);
    subject.vendor.alterAnswers((reply, request) => {
      if (request.path === '/token') return { status: 503, body: {} };
      return withAccount.isSubmit(request) ? UNAUTHENTICATED : reply;
    });
    const { error, submits } = await submit(subject, withAccount);
    expect(error).toMatchObject({ extra: { upstream: { retry: 'elsewhere', started: 'no' } } });
    expect(submits).toHaveLength(1);
    await subject.close();
  });

  it('that was refused before the start is aborted has begun nothing', async () => {
    const subject = await makeVendorSubject(withAccount);
    await submit(subject, withAccount);
    const stop = new AbortController();
    subject.vendor.alterAnswers((reply, request) => {
      if (!withAccount.isSubmit(request)) return reply;
      subject.vendor.stall();
      setTimeout(() => stop.abort(), 100);
      return UNAUTHENTICATED;
    });
    const { error, submits } = await submit(subject, withAccount, {}, { signal: stop.signal });
    expect(error).toMatchObject({ code: 'upstream_auth_failed', extra: { upstream: { started: 'no' } } });
    expect(submits).toHaveLength(1);
    await subject.close();
  });

  it.each<[string, VendorReply]>([
    ['the 401 of a proxy', { status: 401, body: '<html>Unauthorized</html>' }],
    ['a 401 without an error', { status: 401, body: {} }],
    ['an empty 401', { status: 401 }],
    ['a 401 that names an operation', { ...UNAUTHENTICATED, body: { ...fieldsOf(UNAUTHENTICATED.body), name: 'a/b' } }],
    ['a 403', { ...UNAUTHENTICATED, status: 403 }],
    ['a 200 with the error', { ...UNAUTHENTICATED, status: 200 }],
    ['a 500', { ...UNAUTHENTICATED, status: 500 }],
    ['a 429', { ...UNAUTHENTICATED, status: 429 }],
    ['no answer', { status: 401, drop: true }],
    ['a 401 that breaks off', { ...UNAUTHENTICATED, spoil: 'cut' }],
  ])('is not replaced for a submit that was answered with %s', async (_title, refusal) => {
    const subject = await makeVendorSubject(withAccount);
    refuse(subject, withAccount.isSubmit, 1, refusal);
    const { error, submits } = await submit(subject, withAccount);
    expect(error).toBeDefined();
    expect(submits).toHaveLength(1);
    await subject.close();
  });

  it('that a check was refused with is replaced, and the check finds the video', async () => {
    const subject = await makeVendorSubject(withAccount);
    const running = makeRunning((await begin(subject, withAccount)).receipt);
    refuse(subject, ({ path: asked }) => asked.endsWith(':fetchPredictOperation'));
    expect(await subject.video.check(running, makeCall(subject.log))).toMatchObject({ status: 'in_progress' });
    expect(issued(subject)).toBe(2);
    refuse(subject, ({ path: asked }) => asked.endsWith(':fetchPredictOperation'), 2);
    await expect(subject.video.check(running, makeCall(subject.log))).rejects.toMatchObject({
      code: 'upstream_auth_failed',
      extra: { upstream: { retry: 'later' } },
    });
    await subject.close();
  });

  it('that Cloud Storage has refused is replaced, and the file is read', async () => {
    const subject = await makeVendorSubject(withAccount);
    const { file } = await finish(subject, withAccount, 'good');
    const isStorage = ({ path: asked }: { readonly path: string }) => asked.startsWith('/storage/');
    refuse(subject, isStorage);
    const content = await subject.video.open(file, undefined, makeCall(subject.log));
    expect((await readBody(content)).equals(RESULT)).toBe(true);
    expect(issued(subject)).toBe(2);
    refuse(subject, isStorage, 2);
    await expect(subject.video.open(file, 'head', makeCall(subject.log))).rejects.toMatchObject({
      code: 'upstream_content_unavailable',
    });
    await subject.close();
  });

  const alterToken = ({ vendor }: VendorSubject, alter: (reply: VendorReply) => VendorReply) =>
    vendor.alterAnswers((reply, { path: asked }) => (asked === '/token' ? alter(reply) : reply));

  it.each<[string, Partial<VendorReply>, string]>([
    ['has no token', { body: { expires_in: 3_599 } }, 'upstream_invalid_response'],
    ['has an empty one', { body: { access_token: '', expires_in: 3_599 } }, 'upstream_invalid_response'],
    ['has one with a line break', { body: { access_token: 'a\r\nb: c', expires_in: 9 } }, 'upstream_invalid_response'],
    ['has one that no header takes', { body: { access_token: 'ключ', expires_in: 9 } }, 'upstream_invalid_response'],
    ['has one without an end', { body: { access_token: 'ya29.a' } }, 'upstream_invalid_response'],
    ['has one that has ended', { body: { access_token: 'ya29.a', expires_in: 0 } }, 'upstream_invalid_response'],
    ['has one that ended before', { body: { access_token: 'ya29.a', expires_in: -1 } }, 'upstream_invalid_response'],
    ['has one that ends soon', { body: { access_token: 'ya29.a', expires_in: 'soon' } }, 'upstream_invalid_response'],
    ['is the page of a proxy', { status: 403, body: '<html>Forbidden</html>' }, 'upstream_invalid_response'],
    ['is a redirect', { status: 302, headers: { location: 'https://example.com/' } }, 'upstream_invalid_response'],
    ['is an error of the endpoint', { status: 500, body: { error: 'internal' } }, 'upstream_invalid_response'],
    ['asks for a pause', { status: 429, body: { error: 'slow_down' } }, 'upstream_invalid_response'],
    ['refuses the account', { status: 400, body: { error: 'invalid_grant' } }, 'upstream_auth_failed'],
    ['refuses the key', { status: 401, body: { error: 'invalid_client' } }, 'upstream_auth_failed'],
  ])('is requested again if the answer %s, and until then nothing is sent without it', async (_title, change, code) => {
    const subject = await makeVendorSubject(withAccount);
    alterToken(subject, (reply) => ({ ...reply, ...change }));
    const { error, bodies } = await submit(subject, withAccount);
    expect(error).toMatchObject({ code, extra: { upstream: { retry: 'elsewhere', started: 'no' } } });
    expect([bodies, subject.vendor.requests.length]).toEqual([[], 1]);
    subject.vendor.alterAnswers();
    expect((await submit(subject, withAccount)).error).toBeUndefined();
    await subject.close();
  });

  it.each<[string, unknown, number]>([
    ['1e18 seconds', 1e18, 3_600],
    ['a century', 3_000_000_000, 3_600],
    ['an hour in text', '3599', 3_599],
  ])('is kept for an hour at most if it lives for %s', async (_title, lifetime, keptSeconds) => {
    const clock = createTestClock();
    const subject = await makeVendorSubject(withAccount, { clock });
    alterToken(subject, (reply) => ({
      ...reply,
      status: 201,
      body: { ...fieldsOf(reply.body), expires_in: lifetime },
    }));
    await submit(subject, withAccount);
    await clock.advance((keptSeconds - 121) * 1_000);
    await submit(subject, withAccount);
    expect(issued(subject)).toBe(1);
    await clock.advance(1_000);
    await submit(subject, withAccount);
    expect(issued(subject)).toBe(2);
    await subject.close();
  });

  it.each<[string, object]>([
    ['Google refuses the account', { client_email: 'another@a-project-1.iam.gserviceaccount.com' }],
    ['there is no endpoint', { token_uri: 'http://127.0.0.1:1/token' }],
  ])('that is not issued fails a start before its point of no return: %s', async (_title, change) => {
    const settings: VendorContract['settings'] = (vendor) => ({
      ...withAccount.settings(vendor),
      GOOGLE_VERTEX_SERVICE_ACCOUNT: serviceAccount(vendor, change),
    });
    const subject = await makeVendorSubject({ ...withAccount, settings });
    const { error, bodies, submits } = await submit(subject, withAccount);
    expect(error).toMatchObject({ extra: { upstream: { retry: 'elsewhere', started: 'no' } } });
    expect([bodies, submits]).toEqual([[], []]);
    const check = subject.video.check(makeRunning({ operation: 'a/b' }), makeCall(subject.log));
    await expect(check).rejects.toMatchObject({ extra: { upstream: { retry: 'later' } } });
    await subject.close();
  });
});

describe('the settings of Vertex AI', () => {
  const account = serviceAccount({ baseUrl: 'https://oauth2.example' });
  const create = (settings: Readonly<Record<string, string>>) => () => googleVertex.create(makeProviderDeps(settings));

  it.each<[Readonly<Record<string, string>>, RegExp]>([
    [{ GOOGLE_VERTEX_SERVICE_ACCOUNT: '/etc/key.json' }, /^GOOGLE_VERTEX_SERVICE_ACCOUNT must be the JSON text/],
    [{ GOOGLE_VERTEX_SERVICE_ACCOUNT: '{}' }, /^GOOGLE_VERTEX_SERVICE_ACCOUNT must be/],
    [
      { GOOGLE_VERTEX_SERVICE_ACCOUNT: serviceAccount({ baseUrl: '' }, { private_key: 'secret' }) },
      /^GOOGLE_VERTEX_SERVICE_ACCOUNT must be (?!.*secret)/,
    ],
    [{ GOOGLE_VERTEX_SERVICE_ACCOUNT: account, GOOGLE_VERTEX_REGION: 'a.b/c' }, /^GOOGLE_VERTEX_REGION must be/],
    [{ GOOGLE_VERTEX_SERVICE_ACCOUNT: account, GOOGLE_VERTEX_PROJECT: 'a/b' }, /^GOOGLE_VERTEX_PROJECT must be/],
    [
      { GOOGLE_VERTEX_SERVICE_ACCOUNT: account, GOOGLE_VERTEX_STORAGE_URI: 's3://a' },
      /^GOOGLE_VERTEX_STORAGE_URI must be/,
    ],
    [{ GOOGLE_VERTEX_API_KEY: 'a', GOOGLE_VERTEX_STORAGE_URI: 'gs://a/' }, /^GOOGLE_VERTEX_STORAGE_URI needs/],
  ])('%j is refused at the start', (settings, message) => {
    expect(create(settings)).toThrow(message);
  });

  it('of a project names the one that pays', async () => {
    const settings: VendorContract['settings'] = (vendor) => ({
      ...withAccount.settings(vendor),
      GOOGLE_VERTEX_PROJECT: 'another-project',
    });
    const subject = await makeVendorSubject({ ...withAccount, settings });
    const { submits } = await submit(subject, withAccount);
    expect(submits[0]?.path).toMatch(/^\/v1\/projects\/another-project\/locations\//);
    await subject.close();
  });

  it.each([
    [undefined, 'us-central1-aiplatform.googleapis.com'],
    ['asia-southeast1', 'asia-southeast1-aiplatform.googleapis.com'],
    ['global', 'aiplatform.googleapis.com'],
    ['eu', 'aiplatform.eu.rep.googleapis.com'],
    ['us', 'aiplatform.us.rep.googleapis.com'],
  ])('with the region %s lead to %s', (region, host) => {
    expect(hostOf(region ?? DEFAULT_REGION)).toBe(host);
  });
});
