import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { GatewayError, upstreamFailed } from '../../../lib/domain/errors';
import type { MediaSource, ProviderDefinition } from '../../../lib/domain/provider';
import type { Caller } from '../../../lib/domain/caller';
import type { VideoProvider } from '../../../lib/domain/video';
import { newId } from '../../../lib/domain/ids';
import { createLinks } from '../../../lib/videos/links';
import { recordLog } from '../../support/log';
import { chaosFile, completed, createChaos } from '../../support/chaos-provider';
import { makeAcme, type Acme } from './make-acme';

const KEEP_DAYS = 30;
const DAY_MS = 24 * 3_600_000;
const signal = () => AbortSignal.timeout(5_000);
const whole = () => undefined;

// `alpha`, with a file that can be made to fail.
let open: VideoProvider['open'] | undefined;
const removed: unknown[] = [];
const chaos = createChaos('alpha');
let media: MediaSource | undefined;
const unruly: ProviderDefinition = {
  ...chaos.definition,
  create(deps) {
    media = deps.media;
    const provider = chaos.definition.create(deps);
    const video = provider.video!;
    return {
      ...provider,
      video: {
        ...video,
        open: (...args) => (open ?? video.open)(...args),
        remove: async (file) => void removed.push(file),
      },
    };
  },
};

let acme: Acme;
beforeAll(async () => {
  const stage = createChaos('stage');
  acme = await makeAcme({
    providers: [unruly, createChaos('beta').definition, stage.definition],
    testProvider: stage.definition,
  });
});
afterAll(() => acme.close());

async function finished(body: Record<string, unknown> = {}, caller = acme.live) {
  const { id } = await acme.submit(caller, body);
  await acme.settle();
  await acme.pass(6_000);
  return id;
}

async function linkOf(id: string, caller = acme.live) {
  const video = await acme.read(caller, id);
  const url = new URL(String(video.video_url));
  return { url, expires: url.searchParams.get('expires') ?? '', signature: url.searchParams.get('signature') ?? '' };
}
const codeOf = (run: Promise<unknown>) =>
  run.then(
    () => 'resolved',
    (error: unknown) => (error instanceof GatewayError ? error.code : String(error)),
  );

describe('a running download', () => {
  afterEach(() => {
    open = undefined;
  });

  const ends: [string, string, (caller: Caller) => Promise<unknown>][] = [
    [
      'its key is revoked',
      'revoked_api_key',
      ({ orgId, keyId }) => acme.gateway.accounts.revokeKey({ orgId, role: 'owner' }, keyId ?? ''),
    ],
    [
      'its key may no longer download',
      'endpoint_not_allowed',
      ({ orgId, keyId }) =>
        acme.gateway.accounts.updateKey({ orgId, role: 'owner' }, keyId ?? '', { allowed_endpoints: ['/v1/messages'] }),
    ],
    [
      'its organisation is suspended',
      'organization_suspended',
      ({ orgId }) => acme.db.query(`update organizations set suspended_at = now() where id = $1`, [orgId]),
    ],
  ];

  it.each(ends)('ends within 5 s when %s', async (_what, code, end) => {
    const stranger = await acme.stranger(`of ${code}`);
    const actor = { orgId: stranger.orgId, role: 'owner' } as const;
    const key = await acme.gateway.accounts.createKey(actor, { name: 'short-lived', mode: 'live' });
    const caller = await acme.gateway.accounts.authenticate({ authorization: `Bearer ${key.key}` }, '10.1.2.3');
    const id = await finished({}, caller);
    const source = new Readable({ read() {} });
    source.push('the beginning');
    open = async () => ({ status: 200, start: 0, body: source });
    const { body } = await acme.gateway.videos.open(caller, id, whole, signal());
    const failed = once(body, 'error');
    await acme.pass(3_000);
    expect(body.destroyed).toBe(false);
    await end(caller);
    await acme.pass(3_000);
    expect(await failed).toMatchObject([{ code }]);
  });
});

describe('content', () => {
  it('is not ready before the end, and says when to try again', async () => {
    chaos.onCheck = async () => ({ status: 'in_progress' });
    const { id } = await acme.submit(acme.live);
    const early = () => acme.gateway.videos.open(acme.live, id, whole, signal());
    await expect(early()).rejects.toMatchObject({ code: 'video_not_ready', extra: { retryAfterSeconds: 5 } });
    await acme.settle();
    await acme.pass(6_000);
    await expect(early()).rejects.toMatchObject({ code: 'video_not_ready' });
    chaos.onCheck = async () => ({ status: 'failed', code: 'generation_failed', message: 'No.' });
    await acme.pass(6_000);
    await expect(early()).rejects.toMatchObject({ code: 'video_failed' });
    chaos.onCheck = async () => completed;
  });

  it('is the whole file, or the part that was selected with the known tag', async () => {
    const id = await finished();
    const file = await acme.gateway.videos.open(acme.live, id, whole, signal());
    expect(file).toMatchObject({
      status: 200,
      length: chaosFile.length,
      total: chaosFile.length,
      start: 0,
      fileName: `${id}.mp4`,
    });
    expect(await buffer(file.body)).toEqual(chaosFile);
    let known = '';
    const part = await acme.gateway.videos.open(acme.live, id, (etag) => ((known = etag), { start: -4 }), signal());
    expect([part.status, await buffer(part.body), part.etag]).toEqual([206, chaosFile.subarray(-4), known]);
    expect((await acme.gateway.videos.open(acme.live, id, () => ({ start: 1e9 }), signal())).status).toBe(416);
  });

  it('states its length to HEAD once a download has shown it, and opens nothing for HEAD', async () => {
    const id = await finished();
    const opened = chaos.calls.opens.length;
    const head = () => acme.gateway.videos.open(acme.live, id, () => 'head', signal());
    expect(await head()).toMatchObject({ status: 200, start: 0 });
    expect((await head()).length).toBeUndefined();
    expect(chaos.calls.opens).toHaveLength(opened);
    // A part shows the length of the whole.
    await buffer((await acme.gateway.videos.open(acme.live, id, () => ({ start: -4 }), signal())).body);
    const known = await head();
    expect([known.length, await buffer(known.body)]).toEqual([chaosFile.length, Buffer.alloc(0)]);
    expect(chaos.calls.opens).toHaveLength(opened + 1);
  });

  it("has one permanent tag, different from any other video's", async () => {
    const [one, other] = [await finished(), await finished()];
    const tag = async (id: string) => (await acme.gateway.videos.open(acme.live, id, whole, signal())).etag;
    const first = await tag(one);
    expect(first).toMatch(/^"[\w-]{27}"$/);
    await acme.pass(DAY_MS);
    expect([await tag(one), (await tag(other)) === first]).toEqual([first, false]);
  });

  it('that the provider cannot return now is a retryable 502; that it has lost is 410', async () => {
    const id = await finished();
    const get = () => codeOf(acme.gateway.videos.open(acme.live, id, whole, signal()));
    open = async () => {
      throw upstreamFailed({ retry: 'later', started: 'maybe' }, '403 of a CDN');
    };
    expect(await get()).toBe('upstream_content_unavailable');
    open = async () => {
      throw new TypeError('secret host cdn.internal refused');
    };
    await expect(acme.gateway.videos.open(acme.live, id, whole, signal())).rejects.toMatchObject({
      code: 'upstream_content_unavailable',
      message: expect.not.stringContaining('cdn') as string,
      extra: { retryAfterSeconds: 5 },
    });
    open = async () => {
      throw new GatewayError('video_expired', 'The file is gone.');
    };
    expect(await get()).toBe('video_expired');
    open = async () => {
      throw new GatewayError('video_on_other_machine', 'It is on another machine.');
    };
    expect(await get()).toBe('video_on_other_machine');
    open = async () => {
      throw new GatewayError('upstream_content_unavailable', 'Try again.');
    };
    expect(await get()).toBe('upstream_content_unavailable');
    open = undefined;
    expect(await get()).toBe('resolved');
  });

  it('ends when the reader aborts, without a log line that blames the provider', async () => {
    const id = await finished();
    const leaving = new AbortController();
    open = async (_file, _range, call) => {
      while (!call.signal.aborted) await new Promise((resolve) => setImmediate(resolve));
      throw call.signal.reason;
    };
    const lines = acme.log.lines.length;
    const reading = acme.gateway.videos.open(acme.live, id, whole, leaving.signal);
    setImmediate(() => leaving.abort(new Error('the caller disconnected')));
    await expect(reading).rejects.toThrow('the caller disconnected');
    expect(acme.log.lines.slice(lines).filter(({ level }) => level === 'warn')).toEqual([]);
    open = undefined;
  });

  it("is never read into memory: the provider's stream is the stream of the answer", async () => {
    const id = await finished();
    const body = Readable.from([Buffer.from('x')]);
    open = async () => ({ status: 200, start: 0, body });
    expect((await acme.gateway.videos.open(acme.live, id, whole, signal())).body).toBe(body);
    open = undefined;
  });

  it('is kept until expires_at, and is then gone by key and by link', async () => {
    const id = await finished();
    const { expires, signature } = await linkOf(id);
    const video = await acme.read(acme.live, id);
    expect(video.expires_at).toBe(Number(video.completed_at) + KEEP_DAYS * 86_400);
    expect(String(video.expires_at)).toBe(expires);
    await acme.pass(KEEP_DAYS * DAY_MS - 10_000);
    await (await acme.gateway.videos.openSigned(id, { expires, signature }, whole, signal())).body.toArray();
    await acme.pass(10_000);
    expect(await codeOf(acme.gateway.videos.open(acme.live, id, whole, signal()))).toBe('video_expired');
    expect(await codeOf(acme.gateway.videos.openSigned(id, { expires, signature }, whole, signal()))).toBe(
      'video_expired',
    );
    // The job itself was paid for and stays.
    expect(await acme.read(acme.live, id)).toMatchObject({ status: 'completed', video_url: video.video_url });
  });

  it('of a provider with its own expiry and public link uses those', async () => {
    const expiresAt = new Date(acme.clock.nowMs() + 2 * DAY_MS);
    chaos.onCheck = async () => ({
      status: 'completed',
      video: { file: null, publicUrl: 'https://cdn.example.com/v.mp4', fps: 23.976, expiresAt },
    });
    const id = await finished({ seconds: 4 });
    chaos.onCheck = async () => completed;
    // The fields that the specification promises for a completed video exist although this provider measured nothing.
    expect(await acme.read(acme.live, id)).toMatchObject({
      video_url: 'https://cdn.example.com/v.mp4',
      expires_at: Math.floor(expiresAt.getTime() / 1_000),
      fps: 24,
      duration_seconds: 4,
      usage: { duration_seconds: 4 },
    });
    await acme.pass(2 * DAY_MS);
    expect(await codeOf(acme.gateway.videos.open(acme.live, id, whole, signal()))).toBe('video_expired');
  });
});

describe('a download by signed link', () => {
  afterEach(() => {
    open = undefined;
  });

  /** A download of a new organisation's video whose provider sends nothing more. */
  async function downloadOf(name: string) {
    const caller = await acme.stranger(name);
    const id = await finished({}, caller);
    open = async () => {
      const source = new Readable({ read() {} });
      source.push('the beginning');
      return { status: 200, start: 0, body: source };
    };
    const link = await linkOf(id, caller);
    const { body } = await acme.gateway.videos.openSigned(id, link, whole, signal());
    return { caller, id, link, body };
  }

  const ends: [string, string, (of: { caller: Caller; id: string }) => Promise<unknown>][] = [
    ['its video is deleted', 'video_not_found', ({ caller, id }) => acme.gateway.videos.remove(caller, id)],
    [
      'its organisation is suspended',
      'organization_suspended',
      ({ caller }) => acme.db.query(`update organizations set suspended_at = now() where id = $1`, [caller.orgId]),
    ],
  ];

  it.each(ends)('ends within 5 s when %s, and cannot be begun again', async (_what, code, end) => {
    const { caller, id, link, body } = await downloadOf(`with links, ${code}`);
    const failed = once(body, 'error');
    await acme.pass(3_000);
    expect(body.destroyed).toBe(false);
    await end({ caller, id });
    await acme.pass(3_000);
    expect(await failed).toMatchObject([{ code }]);
    expect(await codeOf(acme.gateway.videos.openSigned(id, link, whole, signal()))).toBe(code);
  });

  it('counts as open until its body is closed', async () => {
    const { caller, id, link, body } = await downloadOf('with one place');
    await acme.db.query(`update organizations set limits = '{"open_links": 1}' where id = $1`, [caller.orgId]);
    body.destroy();
    await once(body, 'close');
    // The changed limits are used after five seconds.
    await acme.pass(5_000);
    const again = (await acme.gateway.videos.openSigned(id, link, whole, signal())).body;
    expect(await codeOf(acme.gateway.videos.openSigned(id, link, whole, signal()))).toBe('concurrency_limit_exceeded');
    again.destroy();
    await once(again, 'close');
    const third = (await acme.gateway.videos.openSigned(id, link, whole, signal())).body;
    third.destroy();
    await once(third, 'close');
    // A client that has the file holds no place.
    const unchanged = await acme.gateway.videos.openSigned(id, link, () => 'unchanged', signal());
    expect(unchanged.status).toBe(304);
    expect(await codeOf(acme.gateway.videos.openSigned(id, link, () => 'unchanged', signal()))).toBe('resolved');
  });
});

describe('a signed link', () => {
  it('is the same at every read, here and in the list, and opens the file without a key', async () => {
    const id = await finished();
    const { url, expires, signature } = await linkOf(id);
    expect(url.origin + url.pathname).toBe(`${acme.gateway.baseUrl}/v1/videos/${id}/content`);
    await acme.pass(3_600_000);
    expect((await linkOf(id)).url.href).toBe(url.href);
    expect((await acme.gateway.videos.list(acme.live, { limit: 1, order: 'desc' })).data[0]?.video_url).toBe(url.href);
    const content = await acme.gateway.videos.openSigned(id, { expires, signature }, whole, signal());
    expect(await buffer(content.body)).toEqual(chaosFile);
  });

  it('is invalid after any change', async () => {
    const [id, other] = [await finished(), await finished()];
    const { expires, signature } = await linkOf(id);
    const code = (videoId: string, link: { expires: string; signature: string }) =>
      codeOf(acme.gateway.videos.openSigned(videoId, link, whole, signal()));
    const later = String(Number(expires) + 1);
    const turned = Buffer.from(signature, 'base64url');
    turned[0]! ^= 1;
    for (const link of [
      { expires: later, signature },
      { expires: `0${expires}`, signature },
      { expires: '', signature },
      { expires, signature: '' },
      { expires, signature: signature.slice(0, -2) },
      { expires, signature: turned.toString('base64url') },
      { expires, signature: signature.toUpperCase() },
      { expires, signature: `${signature}!!!` },
      { expires, signature: `${signature}=` },
    ]) {
      expect(await code(id, link)).toBe('invalid_signature');
    }
    expect(await code(other, { expires, signature })).toBe('invalid_signature');
    for (const malformed of ['', 'nothing', `${id}x`, '../secrets'])
      expect(await code(malformed, { expires, signature })).toBe('invalid_signature');
    expect(await code(id, { expires, signature })).toBe('resolved');
  });

  it('cannot be made with another secret', () => {
    const [ours, theirs] = ['a', 'b'].map((secret) =>
      createLinks({ secret: secret.repeat(32), baseUrl: 'https://gate.example' }),
    );
    const id = `video_${'1'.repeat(32)}`;
    expect(ours!.recognise(ours!.sign(id, 99))).toEqual({ videoId: id, expires: 99 });
    expect(ours!.recognise(theirs!.sign(id, 99))).toBeUndefined();
    for (const changed of ['https://gate.example.evil', 'http://gate.example', 'https://user@gate.example']) {
      expect(ours!.recognise(ours!.sign(id, 99).replace('https://gate.example', changed))).toBeUndefined();
    }
    expect(ours!.recognise(ours!.sign(id, 99).replace(`${id}/`, `${id}/../${id}/`))).toBeUndefined();
    expect(ours!.recognise('not a URL')).toBeUndefined();
  });

  it('of a deleted video leads to nothing, and its file is removed', async () => {
    const id = await finished();
    const { expires, signature } = await linkOf(id);
    removed.length = 0;
    await acme.gateway.videos.remove(acme.live, id);
    expect(removed).toEqual([{ kept: 'here' }]);
    expect(await codeOf(acme.gateway.videos.openSigned(id, { expires, signature }, whole, signal()))).toBe(
      'video_not_found',
    );
  });
});

describe('a signed link as the source of an edit', () => {
  const order = (url: unknown) => ({ model: 'acme-video-edit', video_url: url, input_seconds: 2 });

  it('is accepted from its own organisation and mode, and reaches the provider unchanged', async () => {
    const { url } = await linkOf(await finished());
    const { id } = await acme.submit(acme.live, order(url.href));
    await acme.settle();
    expect(chaos.calls.starts.find(({ videoId }) => videoId === id)?.order.media).toEqual([
      { role: 'source_video', url: url.href },
    ]);
  });

  it('is read for its owner up to a limit, and for no other account', async () => {
    const { url } = await linkOf(await finished());
    const take = (maxBytes: number, orgId = acme.live.orgId) =>
      media!.as(
        { role: 'source_video', url: url.href },
        [{ form: 'bytes', maxBytes }],
        { orgId, mode: 'live' },
        { signal: signal(), log: recordLog() },
      );
    expect(await take(chaosFile.length)).toMatchObject({ bytes: chaosFile });
    expect(await codeOf(take(chaosFile.length - 1))).toBe('media_too_large');
    expect(await codeOf(take(chaosFile.length, newId('org')))).toBe('media_unreachable');
  });

  it('is refused for another caller, for an image, and when it was changed, is expired or not finished', async () => {
    const id = await finished();
    const { url } = await linkOf(id);
    const stranger = await acme.stranger('Borrows Videos');
    const refused = { code: 'url_not_allowed', extra: { param: 'video_url' } };
    await expect(acme.submit(acme.test, order(url.href))).rejects.toMatchObject(refused);
    await expect(acme.submit(stranger, order(url.href))).rejects.toMatchObject(refused);
    await expect(acme.submit(acme.live, order(`${url.href.slice(0, -3)}AAA`))).rejects.toMatchObject(refused);
    await expect(acme.submit(acme.live, order(url.href.replace(id, `video_${'0'.repeat(32)}`)))).rejects.toMatchObject(
      refused,
    );
    await expect(acme.submit(acme.live, { model: 'acme-i2v', image_url: url.href })).rejects.toMatchObject({
      code: 'url_not_allowed',
      extra: { param: 'image_url' },
    });
    await acme.submit(acme.live, order(url.href));
    await acme.settle();
    await acme.pass(KEEP_DAYS * DAY_MS);
    await expect(acme.submit(acme.live, order(url.href))).rejects.toMatchObject(refused);
  });

  it('is refused once the video was deleted', async () => {
    const id = await finished();
    const { url } = await linkOf(id);
    await acme.gateway.videos.remove(acme.live, id);
    await expect(acme.submit(acme.live, order(url.href))).rejects.toMatchObject({ code: 'url_not_allowed' });
  });
});
