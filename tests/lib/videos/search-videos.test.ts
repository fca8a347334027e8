import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { foundVideoPageSchema } from '../../../lib/contract/videos';
import { parseVideoSearch } from '../../../lib/http/console/videos-endpoints';
import { makeAcme, type Acme } from './make-acme';

let acme: Acme;
let done: string;
let cancelled: string;
beforeAll(async () => {
  acme = await makeAcme();
  done = (await acme.submit(acme.live, { prompt: 'p'.repeat(300) }, { requestId: 'req_done' })).id;
  await acme.pass(0);
  await acme.pass(10_000);
  await acme.clock.advance(3_600_000);
  cancelled = (await acme.submit(acme.live, { prompt: 'stopped' }, { requestId: 'req_stopped' })).id;
  await acme.gateway.videos.cancel(acme.live, cancelled);
  await acme.submit(acme.test, { prompt: 'of the other mode' });
  await acme.pass(0);
  await acme.pass(10_000);
});
afterAll(() => acme.close());

async function find(query: string, caller = acme.live): Promise<string[]> {
  const found = await acme.gateway.videos.search(
    caller,
    parseVideoSearch(new URLSearchParams(query), acme.clock.now()),
  );
  foundVideoPageSchema.parse(found);
  return found.data.map(({ id }) => id);
}

describe('the search for videos', () => {
  it('shows the newest first, with the fields that identify them', async () => {
    const { data } = await acme.gateway.videos.search(acme.live, { limit: 20 });
    expect(data.map(({ id }) => id)).toEqual([cancelled, done]);
    expect(data[1]).toMatchObject({
      ...(await acme.read(acme.live, done)),
      prompt: 'p'.repeat(200),
      request_id: 'req_done',
      key: { id: acme.live.keyId, name: 'First live key' },
      provider: 'alpha',
    });
  });

  it('measures a video to the millisecond, as the log of requests does', async () => {
    const { data: videos } = await acme.gateway.videos.search(acme.live, { limit: 20 });
    const { data: requests } = await acme.gateway.requests.list(acme.live, { limit: 20 });
    expect(videos.find(({ id }) => id === done)?.duration_ms).toBeGreaterThan(0);
    for (const { id, duration_ms } of videos)
      expect(requests.find((request) => request.id === id)?.duration_ms).toBe(duration_ms);
  });

  it('finds a video by the id of the request that made it, by the beginning of its own and by the provider’s', async () => {
    expect(await find('request_id=req_stopped')).toEqual([cancelled]);
    expect(await find('search=req_stopped')).toEqual([cancelled]);
    expect(await find(`search=${done}`)).toEqual([done]);
    expect(await find(`search=${done.slice(0, 12)}`)).toEqual([done]);
    expect(await find(`search=job-of-${done}`)).toEqual([done]);
    // No pattern: the typed text is taken literally.
    expect(await find('search=video_%25')).toEqual([]);
  });

  it('narrows by status, model, key and time', async () => {
    expect(await find('status=failed')).toEqual([cancelled]);
    expect(await find('model=acme-t2v&status=completed')).toEqual([done]);
    expect(await find('model=other')).toEqual([]);
    expect(await find(`key=${acme.live.keyId}`)).toEqual([cancelled, done]);
    expect(await find('key=console')).toEqual([]);
    expect(await find('created_within=1800')).toEqual([cancelled]);
    const middle = Math.floor(acme.clock.nowMs() / 1000) - 1_800;
    expect(await find(`created_from=${middle}`)).toEqual([cancelled]);
    expect(await find(`created_to=${middle}`)).toEqual([done]);
    expect(await find('created_within=253402300799&created_to=253402300799')).toHaveLength(2);
  });

  it('continues after the last of a page', async () => {
    const first = await acme.gateway.videos.search(acme.live, { limit: 1 });
    expect([first.data.length, first.has_more, first.last_id]).toEqual([1, true, cancelled]);
    expect(await find(`limit=1&after=${first.last_id}`)).toEqual([done]);
  });

  it('never shows the other mode, another organisation, or deleted videos', async () => {
    expect(await find('search=req_done', acme.test)).toEqual([]);
    expect(await find('', await acme.stranger('Searchers'))).toEqual([]);
    const { id } = await acme.submit(acme.live, { prompt: 'to delete' });
    await acme.gateway.videos.cancel(acme.live, id);
    await acme.gateway.videos.remove(acme.live, id);
    expect(await find('')).toEqual([cancelled, done]);
  });

  it.each([
    ['status=running', 'status'],
    ['key=somebody', 'key'],
    ['created_from=yesterday', 'created_from'],
    ['created_within=0', 'created_within'],
    ['limit=101', 'limit'],
    [`search=${'x'.repeat(201)}`, 'search'],
    ['search=a%00b', 'search'],
  ])('refuses %s and names the field', async (query, param) => {
    await expect(find(query)).rejects.toMatchObject({ extra: { param } });
  });
});
