import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { upstreamFailed } from '../../../lib/domain/errors';
import { videoDetailsSchema, type VideoDetails } from '../../../lib/contract/videos';
import { makeAcme, type Acme } from './make-acme';

let acme: Acme;
beforeAll(async () => {
  acme = await makeAcme();
});
afterAll(() => acme.close());

async function detailsOf(id: string, caller = acme.live): Promise<VideoDetails> {
  const details = await acme.gateway.videos.details(caller, id);
  videoDetailsSchema.parse(details);
  return details;
}
const eventsOf = ({ timeline }: VideoDetails) => timeline.map(({ event }) => event);

describe('the details of a video', () => {
  it('contain every step, with what was requested and sent, and what the books say', async () => {
    const { id } = await acme.submit(
      acme.live,
      { color: 'red', negative_prompt: 'people', seconds: 5 },
      { requestId: 'req_whole' },
    );
    acme.alpha.onStart = async () => ({ providerJobId: 'job-1' });
    await acme.pass(0);
    await acme.pass(10_000);
    const details = await detailsOf(id);
    expect(details).toMatchObject(await acme.read(acme.live, id));
    expect(eventsOf(details)).toEqual(['accepted', 'submitted', 'started', 'checked', 'completed']);
    expect(details.timeline[0]).toMatchObject({ request_id: 'req_whole' });
    expect(details.request).toEqual({
      model: 'acme-t2v',
      prompt: 'a cat',
      color: 'red',
      negative_prompt: 'people',
      seconds: 5,
    });
    expect(details.ignored.map(({ name }) => name)).toContain('color');
    expect(details.attempts).toMatchObject([
      { attempt: 1, provider: 'alpha', outcome: 'accepted', sent: { model: 'acme-at-alpha', prompt: 'a cat' } },
    ]);
    const { price } = details;
    expect([price.quoted.total, price.held, price.charged]).toEqual([
      price.quoted.total,
      { amount: price.quoted.total, state: 'captured' },
      price.quoted.total,
    ]);
    expect(price.ledger.map(({ kind, available, held, charged }) => [kind, available, held, charged])).toEqual([
      ['hold', `-${price.quoted.total}`, price.quoted.total, '0'],
      ['capture', '0', `-${price.quoted.total}`, price.quoted.total],
    ]);
    expect(details.cancellable).toBe(false);
  });

  it('contain which provider refused before another took it, and the number of attempts at each', async () => {
    acme.alpha.onStart = async () => {
      throw upstreamFailed({ retry: 'elsewhere', started: 'no' }, 'not now');
    };
    let checks = 0;
    acme.beta.onCheck = async () => {
      checks += 1;
      return { status: 'in_progress' };
    };
    const { id } = await acme.submit(acme.live);
    await acme.pass(0);
    for (let round = 0; round < 3; round += 1) await acme.pass(10_000);
    const details = await detailsOf(id);
    expect(eventsOf(details)).toEqual([
      'accepted',
      'submitted',
      'refused',
      'submitted',
      'started',
      'in_progress',
      'checked',
    ]);
    expect(details.attempts.map(({ provider, outcome }) => [provider, outcome])).toEqual([
      ['alpha', 'failed'],
      ['beta', 'accepted'],
    ]);
    expect(details.timeline.at(-1)).toMatchObject({ event: 'checked', count: checks });
    expect(details.price.held.state).toBe('open');
    expect(details.price).not.toHaveProperty('charged');
    expect(details.cancellable).toBe(true);
    acme.beta.onCancel = async () => 'cancelled';
    await acme.gateway.videos.cancel(acme.live, id);
    const cancelled = await detailsOf(id);
    expect(eventsOf(cancelled).at(-1)).toBe('failed');
    expect(cancelled.price).toMatchObject({ charged: '0', held: { state: 'released' } });
  });

  it('are not found for a video of another organisation, in the other mode, and for an invalid id', async () => {
    const { id } = await acme.submit(acme.test);
    await acme.pass(0);
    await acme.pass(10_000);
    const stranger = await acme.stranger('Strangers', 'test');
    for (const attempt of [
      () => detailsOf(id, stranger),
      () => detailsOf(id, acme.live),
      () => detailsOf('nonsense', acme.test),
      () => acme.gateway.videos.accountOf(stranger.orgId, id),
    ]) {
      await expect(attempt()).rejects.toMatchObject({ code: 'video_not_found' });
    }
    expect(await acme.gateway.videos.accountOf(acme.test.orgId, id)).toEqual({ orgId: acme.test.orgId, mode: 'test' });
  });

  it("do not count as the app's receipt of its answer: its automatic retry still finds the first video", async () => {
    const { id } = await acme.submit(acme.live, { prompt: 'only looked at' });
    await detailsOf(id);
    expect(await acme.submit(acme.live, { prompt: 'only looked at' }, { automaticRetry: true })).toMatchObject({
      id,
      replayed: true,
    });
  });

  it('are gone with the video: nothing of what was requested and sent remains', async () => {
    const { id } = await acme.submit(acme.test, { prompt: 'unforgettable' });
    await acme.pass(0);
    await acme.pass(10_000);
    await acme.gateway.videos.remove(acme.test, id);
    await expect(detailsOf(id, acme.test)).rejects.toMatchObject({ code: 'video_not_found' });
    const { rows } = await acme.db.query(
      'select v.request, v."order", a.sent from videos v join video_attempts a on a.video_id = v.id where v.id = $1',
      [id],
    );
    expect(rows).toEqual([{ request: null, order: null, sent: null }]);
  });
});
