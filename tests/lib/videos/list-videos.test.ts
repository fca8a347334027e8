import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeAcme, type Acme } from './make-acme';

// Twelve videos, four at each of three instants, so that every page boundary of the tests below cuts through a tie.

let acme: Acme;
let ids: string[] = [];
beforeAll(async () => {
  acme = await makeAcme({ config: { role: 'web' } });
  for (let instant = 0; instant < 3; instant += 1) {
    const made = await Promise.all(Array.from({ length: 4 }, async () => (await acme.submit(acme.live)).id));
    ids.push(...made.sort());
    await acme.clock.advance(instant === 0 ? 1 : 60_000);
  }
  await acme.submit(acme.test);
});
afterAll(() => acme.close());

async function pages(order: 'asc' | 'desc', limit: number): Promise<string[][]> {
  const seen: string[][] = [];
  let after: string | undefined;
  for (;;) {
    const page = await acme.gateway.videos.list(acme.live, { limit, order, ...(after === undefined ? {} : { after }) });
    seen.push(page.data.map(({ id }) => id));
    expect([page.first_id, page.last_id]).toEqual([page.data[0]?.id, page.data.at(-1)?.id]);
    if (!page.has_more) return seen;
    expect(page.data).toHaveLength(limit);
    after = page.last_id ?? '';
  }
}

describe('a list of videos', () => {
  it.each([1, 3, 5, 11, 12, 13, 100])('in pages of %i shows each once, the newest first or last', async (limit) => {
    expect((await pages('asc', limit)).flat()).toEqual(ids);
    expect((await pages('desc', limit)).flat()).toEqual([...ids].reverse());
  });

  it('has more exactly if there are more', async () => {
    expect((await pages('desc', 12)).length).toBe(1);
    expect((await pages('desc', 6)).map((page) => page.length)).toEqual([6, 6]);
  });

  it('shows each video as a read of it does', async () => {
    const { data } = await acme.gateway.videos.list(acme.live, { limit: 1, order: 'desc' });
    expect(data).toEqual([await acme.read(acme.live, ids.at(-1) ?? '')]);
  });

  it('does not count as a poll of a video', async () => {
    const { id } = await acme.submit(acme.live, { prompt: 'only listed' });
    await acme.gateway.videos.list(acme.live, { limit: 100, order: 'desc' });
    expect(await acme.submit(acme.live, { prompt: 'only listed' }, { automaticRetry: true })).toMatchObject({
      id,
      replayed: true,
    });
    await acme.gateway.videos.cancel(acme.live, id);
    await acme.gateway.videos.remove(acme.live, id);
  });

  it('leaves deleted videos out, in the middle of a page and as its beginning', async () => {
    const [second, third] = [ids[1] ?? '', ids[2] ?? ''];
    await acme.gateway.videos.cancel(acme.live, second);
    await acme.gateway.videos.remove(acme.live, second);
    ids = ids.filter((id) => id !== second);
    expect((await pages('asc', 2)).flat()).toEqual(ids);
    await expect(acme.gateway.videos.list(acme.live, { limit: 2, order: 'asc', after: second })).rejects.toMatchObject({
      code: 'unsupported_value',
      extra: { param: 'after' },
    });
    expect(
      (await acme.gateway.videos.list(acme.live, { limit: 1, order: 'asc', after: third })).data.map(({ id }) => id),
    ).toEqual([ids[2]]);
  });

  it('after the last is empty, with null ids', async () => {
    expect(await acme.gateway.videos.list(acme.live, { limit: 5, order: 'asc', after: ids.at(-1) ?? '' })).toEqual({
      object: 'list',
      data: [],
      first_id: null,
      last_id: null,
      has_more: false,
    });
  });

  it.each([['nothing'], [''], [`video_${'0'.repeat(32)}`], ["video_' or 1=1"]])(
    'after %j, which is not one of its ids, is refused',
    async (after) => {
      await expect(acme.gateway.videos.list(acme.live, { limit: 5, order: 'desc', after })).rejects.toMatchObject({
        code: 'unsupported_value',
        extra: { param: 'after' },
      });
    },
  );

  it('of another mode or organisation has nothing of this one', async () => {
    expect((await acme.gateway.videos.list(acme.test, { limit: 100, order: 'desc' })).data).toHaveLength(1);
    const stranger = await acme.stranger('Lists Nothing');
    expect((await acme.gateway.videos.list(stranger, { limit: 100, order: 'desc' })).data).toEqual([]);
  });
});
