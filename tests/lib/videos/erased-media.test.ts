import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pngBytes } from '../../support/media-bytes';
import { makeAcme, type Acme } from './make-acme';

let acme: Acme;
beforeAll(async () => {
  acme = await makeAcme();
});
afterAll(() => acme.close());

const inline = `data:image/png;base64,${pngBytes(20_000).toString('base64')}`;
const body = { model: 'acme-start-end', image_list: [inline, 'https://example.com/last.png'], seconds: 5 };
const stored = async (id: string) =>
  (
    await acme.db.query(
      `select "order" -> 'media' as media, length("order"::text) as length from videos where id = $1`,
      [id],
    )
  ).rows[0];

describe('media that were sent inside a request', () => {
  it('are stored until the video is completed, and then erased; the rest can be sent again', async () => {
    const { id } = await acme.submit(acme.live, body);
    expect((await stored(id))?.length).toBeGreaterThan(20_000);
    await acme.settle();
    expect(acme.alpha.calls.starts[0]?.order.media.map(({ url }) => url)).toEqual(body.image_list);
    await acme.pass(6_000);
    expect((await acme.read(acme.live, id)).status).toBe('completed');
    expect(await stored(id)).toMatchObject({
      media: [
        { role: 'first_frame', url: '' },
        { role: 'last_frame', url: 'https://example.com/last.png' },
      ],
    });
    expect(await acme.gateway.videos.request(acme.live, id)).toMatchObject({
      prompt: 'a cat',
      seconds: 5,
      image_list: ['https://example.com/last.png'],
    });
    const { rows } = await acme.db.query(`select * from videos where id = $1`, [id]);
    expect(JSON.stringify(rows)).not.toContain(inline.slice(30, 300));
  });

  it('are erased when the video fails or is cancelled', async () => {
    const { id } = await acme.submit(acme.live, body);
    await acme.gateway.videos.cancel(acme.live, id);
    expect((await stored(id))?.length).toBeLessThan(2_000);
  });
});
