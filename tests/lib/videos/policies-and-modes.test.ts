import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Caller, KeyPolicy } from '../../../lib/domain/caller';
import { makeAcme, type Acme } from './make-acme';
import { ofKey } from '../../support/policy-levels';

let acme: Acme;
beforeAll(async () => {
  acme = await makeAcme({ env: { PROVIDER_REGIONS: 'beta=eu,stage=us' } });
});
afterAll(() => acme.close());
beforeEach(async () => {
  await acme.settle();
  for (const chaos of [acme.alpha, acme.beta, acme.stage])
    for (const calls of Object.values(chaos.calls)) (calls as unknown[]).length = 0;
});

const within = (caller: Caller, policy: Partial<KeyPolicy>): Caller => ({
  ...caller,
  policy: { ...caller.policy, ...policy },
});

describe('a key that may use some models', () => {
  it('is refused any other, by its id, its alias or a pin, and the error names the id', async () => {
    const caller = within(acme.live, ofKey({ allowedModels: ['acme-i2v'] }));
    for (const model of ['acme-t2v', 'alpha/acme-t2v']) {
      await expect(acme.submit(caller, { model })).rejects.toMatchObject({
        code: 'model_not_allowed',
        extra: { param: 'model' },
        message: expect.stringContaining('acme-t2v') as string,
      });
    }
    expect((await acme.submit(caller, { model: 'acme-i2v', image_url: 'https://example.com/a.png' })).video.model).toBe(
      'acme-i2v',
    );
  });
});

describe('a key that may use some providers', () => {
  it('gets the price and the parameters of the first allowed one, and never reaches another', async () => {
    const caller = within(acme.live, ofKey({ allowedProviders: ['beta', 'gamma'] }));
    const { id, video } = await acme.submit(caller, { seconds: 4 });
    expect(video.cost).toBe(1);
    await acme.settle();
    expect([acme.alpha.calls.starts.length, acme.beta.calls.starts.map(({ videoId }) => videoId)]).toEqual([0, [id]]);
  });

  it('does not fall back to one that it may not use', async () => {
    const caller = within(acme.live, ofKey({ allowedProviders: ['beta'] }));
    const { id } = await acme.submit(caller);
    expect((await acme.db.query('select candidates from videos where id = $1', [id])).rows).toEqual([
      { candidates: [{ provider: 'beta', upstreamModel: 'acme-at-beta' }] },
    ]);
  });

  it('is refused a model that none of them serves, and a pin of another', async () => {
    await expect(acme.submit(within(acme.live, ofKey({ allowedProviders: ['gamma'] })))).rejects.toMatchObject({
      code: 'provider_not_allowed',
    });
    await expect(
      acme.submit(within(acme.live, ofKey({ allowedProviders: ['beta'] })), { model: 'alpha/acme-t2v' }),
    ).rejects.toMatchObject({ code: 'provider_not_allowed' });
  });
});

describe('an organisation that allows data regions', () => {
  const inRegions = (...allowedRegions: string[]) =>
    within(acme.live, { levels: [{ level: 'organization', rules: { allowedRegions } }] });

  it('gets the first provider of them, and never reaches another', async () => {
    const { id, video } = await acme.submit(inRegions('eu'), { seconds: 4 });
    expect(video.cost).toBe(1);
    const { rows } = await acme.db.query('select candidates from videos where id = $1', [id]);
    expect(rows).toEqual([{ candidates: [{ provider: 'beta', upstreamModel: 'acme-at-beta' }] }]);
  });

  it('is refused a model that no provider serves there, those of unknown regions included', async () => {
    await expect(acme.submit(inRegions('us'))).rejects.toMatchObject({
      code: 'provider_not_allowed',
      message: expect.stringContaining('may not use the data region of any provider that serves this model'),
      extra: { details: { level: 'organization', rule: 'region' } },
    });
  });
});

describe('a pin', () => {
  it('sets the price, calls that provider alone, and does not show in the answer', async () => {
    const { id, video } = await acme.submit(acme.live, { model: 'beta/acme-t2v', seconds: 4 });
    expect(video).toMatchObject({ model: 'acme-t2v', cost: 1 });
    await acme.settle();
    expect([acme.alpha.calls.starts.length, acme.beta.calls.starts.map(({ videoId }) => videoId)]).toEqual([0, [id]]);
  });

  it.each([
    ['gamma/acme-t2v', 'provider_not_found'],
    ['stage/acme-t2v', 'provider_model_not_found'],
    ['alpha/nothing', 'model_not_found'],
    ['nothing', 'model_not_found'],
  ])('%s is %s', async (model, code) => {
    await expect(acme.submit(acme.live, { model })).rejects.toMatchObject({ code, extra: { param: 'model' } });
  });
});

describe('test mode', () => {
  it('has the price of the first binding, and the test provider does the work', async () => {
    const { id, video } = await acme.submit(acme.test, { seconds: 4 });
    expect(video).toMatchObject({ mode: 'test', cost: 0.4, model: 'acme-t2v' });
    await acme.settle();
    expect([acme.alpha.calls.starts.length, acme.beta.calls.starts.length]).toEqual([0, 0]);
    expect(acme.stage.calls.starts).toMatchObject([
      { videoId: id, owner: { orgId: acme.test.orgId, mode: 'test' }, binding: { providerId: 'alpha' } },
    ]);
    await acme.pass(6_000);
    expect(await acme.read(acme.test, id)).toMatchObject({ status: 'completed', cost: 0.4, mode: 'test' });
  });

  it('has the price of the pinned binding', async () => {
    const { video } = await acme.submit(acme.test, { model: 'beta/acme-t2v', seconds: 4 });
    expect(video.cost).toBe(1);
    await acme.settle();
    expect([acme.beta.calls.starts.length, acme.stage.calls.starts.length]).toEqual([0, 1]);
  });

  it('does not depend on the configured providers', async () => {
    const bare = await makeAcme({
      providers: [acme.stage.definition],
      testProvider: acme.stage.definition,
      config: { role: 'web' },
    });
    await expect(bare.submit(bare.live)).rejects.toMatchObject({
      code: 'no_provider_available',
      extra: { retry: false },
    });
    expect((await bare.submit(bare.test)).video.cost).toBe(0.5);
    await bare.close();
  });
});

describe('live and test', () => {
  it('have separate reservations', async () => {
    const [live, test] = [
      await acme.gateway.accounts.credits(acme.live),
      await acme.gateway.accounts.credits(acme.test),
    ];
    await acme.submit(acme.test, { seconds: 10 });
    expect(await acme.gateway.accounts.credits(acme.live)).toEqual(live);
    await acme.submit(acme.live, { seconds: 10 });
    const held = Number((await acme.gateway.accounts.credits(acme.test)).held) - Number(test.held);
    expect(held).toBeCloseTo(1, 9);
  });

  it('do not see each other, nor does another organisation: every use of the id is as if it did not exist', async () => {
    const { gateway, live, test, submit } = acme;
    const { id } = await submit(live);
    await acme.settle();
    await acme.pass(6_000);
    const stranger = await acme.stranger('Curious');
    const missing = await gateway.videos.get(live, `video_${'0'.repeat(32)}`).catch((error: unknown) => error);
    for (const caller of [test, stranger]) {
      for (const use of [
        () => gateway.videos.get(caller, id),
        () => gateway.videos.remove(caller, id),
        () => gateway.videos.cancel(caller, id),
        () => gateway.videos.open(caller, id, () => undefined, AbortSignal.timeout(1_000)),
      ]) {
        await expect(use()).rejects.toEqual(missing);
      }
      expect(JSON.stringify(await gateway.videos.list(caller, { limit: 100, order: 'desc' }))).not.toContain(id);
      await expect(gateway.videos.list(caller, { limit: 1, order: 'desc', after: id })).rejects.toMatchObject({
        code: 'unsupported_value',
        extra: { param: 'after' },
      });
    }
    expect(await gateway.videos.get(live, id)).toMatchObject({ video: { status: 'completed' } });
    for (const malformed of ['', 'video_', 'video_XYZ', `${id} `, `${id}'--`, '../etc', `msg_${'0'.repeat(32)}`])
      await expect(gateway.videos.get(live, malformed)).rejects.toEqual(missing);
  });
});

describe('a suspended organisation', () => {
  it('cannot submit, while its running work finishes', async () => {
    const keys = await acme.makeOrganization('Soon Suspended');
    const enter = () => acme.gateway.accounts.authenticate({ authorization: `Bearer ${keys.live}` }, '127.0.0.1');
    const caller = await enter();
    const { id } = await acme.submit(caller, { webhook: 'https://example.com/hook' });
    await acme.db.query('update organizations set suspended_at = now() where id = $1', [caller.orgId]);
    await acme.clock.advance(5_000);
    await expect(enter()).rejects.toMatchObject({ code: 'organization_suspended' });
    await acme.settle();
    await acme.pass(6_000);
    expect(await acme.read(caller, id)).toMatchObject({ status: 'completed', cost: 0.5 });
  });
});
