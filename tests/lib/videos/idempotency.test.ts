import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GatewayError } from '../../../lib/domain/errors';
import { makeAcme, type Acme } from './make-acme';

// One gateway without a worker: only what a submission leaves behind matters here.

const DAY_MS = 24 * 3_600_000;
let acme: Acme;
beforeAll(async () => {
  acme = await makeAcme({ config: { role: 'web' } });
});
afterAll(() => acme.close());

let keys = 0;
const newKey = () => `key-${(keys += 1)}`;
const codeOf = (error: unknown) =>
  error instanceof GatewayError ? error.code : `not an error of ours: ${String(error)}`;

describe('an Idempotency-Key', () => {
  it('used again with the same body answers with the first job, and holds once', async () => {
    const { submit, test, gateway, count } = acme;
    const key = newKey();
    const before = { held: Number((await gateway.accounts.credits(test)).held), videos: await count('videos') };
    const body = { seconds: 7, style: 'noir' };
    const first = await submit(test, body, { idempotencyKey: key });
    const again = await submit(test, body, { idempotencyKey: key });
    expect(first.replayed).toBe(false);
    expect(again).toEqual({ ...first, replayed: true });
    expect(first.ignoredParams).toEqual(['style']);
    expect(Number((await gateway.accounts.credits(test)).held) - before.held).toBeCloseTo(0.7, 9);
    expect(await count('videos')).toBe(before.videos + 1);
  });

  it('used again with another body is refused, for any other body', async () => {
    const { submit, test } = acme;
    const key = newKey();
    await submit(test, {}, { idempotencyKey: key });
    for (const body of [
      { seconds: 6 },
      { prompt: 'a dog' },
      { image_url: 'https://example.com/a.png' },
      { model: 'no-such-model' },
      { prompt: '' },
    ]) {
      await expect(submit(test, body, { idempotencyKey: key })).rejects.toMatchObject({
        code: 'idempotency_key_reused',
      });
    }
  });

  it('ignores the order of keys, but not any value', async () => {
    const { submit, test } = acme;
    const key = newKey();
    const first = await submit(
      test,
      { seconds: 5, image_list: [{ url: 'a', image_url: 'b' }] },
      { idempotencyKey: key },
    );
    const turned = await acme.gateway.videos.submit(test, {
      body: { image_list: [{ image_url: 'b', url: 'a' }], seconds: 5, prompt: 'a cat', model: 'acme-t2v' },
      textOnly: false,
      requestId: 'req_2',
      automaticRetry: false,
      idempotencyKey: key,
    });
    expect([turned.id, turned.replayed]).toEqual([first.id, true]);
    for (const list of [['b', 'a'], [{ url: 'b', image_url: 'a' }], [{ url: 'a' }], [], null]) {
      await expect(submit(test, { seconds: 5, image_list: list }, { idempotencyKey: key })).rejects.toMatchObject({
        code: 'idempotency_key_reused',
      });
    }
  });

  it('treats a number and its text as the same, and ignores fields that no model has', async () => {
    const { submit, test } = acme;
    const key = newKey();
    const first = await submit(test, { seconds: 5, generate_audio: true }, { idempotencyKey: key });
    for (const body of [
      { seconds: '5', generate_audio: true },
      { seconds: 5, generate_audio: true, style: 'noir' },
      { seconds: 5, generate_audio: true, seed: null },
    ]) {
      expect(await submit(test, body, { idempotencyKey: key })).toMatchObject({ id: first.id, replayed: true });
    }
    expect(
      await submit(test, { seconds: '5', generate_audio: 'True' }, { idempotencyKey: key, textOnly: true }),
    ).toMatchObject({ id: first.id, replayed: true });
    for (const body of [
      { seconds: '6', generate_audio: true },
      { seconds: 5, generate_audio: false },
      { seconds: 5 },
    ]) {
      await expect(submit(test, body, { idempotencyKey: key })).rejects.toMatchObject({
        code: 'idempotency_key_reused',
      });
    }
  });

  it('sent fifty times at once makes one job', async () => {
    const { submit, test, count } = acme;
    const key = newKey();
    const before = [await count('videos'), await count('holds'), await count('jobs')];
    const all = await Promise.all(
      Array.from({ length: 50 }, () => submit(test, { seconds: 4 }, { idempotencyKey: key })),
    );
    expect(new Set(all.map(({ id }) => id)).size).toBe(1);
    expect(all.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect([await count('videos'), await count('holds'), await count('jobs')]).toEqual(before.map((n) => n + 1));
  });

  it('sent at once with two bodies makes one job and refuses the other body', async () => {
    const { submit, test, count } = acme;
    const key = newKey();
    const before = await count('videos');
    const settled = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) =>
        submit(test, { seconds: index % 2 === 0 ? 4 : 6 }, { idempotencyKey: key }),
      ),
    );
    expect(await count('videos')).toBe(before + 1);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    for (const outcome of settled)
      if (outcome.status === 'rejected') expect(codeOf(outcome.reason)).toBe('idempotency_key_reused');
  });

  it('sent three times at once with credits for one video answers each with that video', async () => {
    const { submit, stranger, db, gateway } = acme;
    const poor = await stranger('Just Enough', 'live');
    const change = (nanoUsd: number) =>
      db.query(
        'update accounts set available_nano_usd = available_nano_usd + $2::bigint where org_id = $1 and mode = $3',
        [poor.orgId, nanoUsd, 'live'],
      );
    await change(-24_500_000_000);
    const key = newKey();
    const all = await Promise.all(
      Array.from({ length: 3 }, () => submit(poor, { seconds: 5 }, { idempotencyKey: key })),
    );
    expect(await gateway.accounts.credits(poor)).toMatchObject({ available: '0', held: '0.5' });
    await change(24_500_000_000);
    expect(new Set(all.map(({ id }) => id)).size).toBe(1);
    expect(all.filter(({ replayed }) => !replayed)).toHaveLength(1);
  });

  it('belongs to an organisation and a mode', async () => {
    const { submit, test, live, stranger } = acme;
    const key = newKey();
    const other = await stranger('Keys Elsewhere', 'test');
    const made = await Promise.all([test, live, other].map((caller) => submit(caller, {}, { idempotencyKey: key })));
    expect(new Set(made.map(({ id }) => id)).size).toBe(3);
    expect(made.every(({ replayed }) => !replayed)).toBe(true);
  });

  it('is shared by the keys of one organisation', async () => {
    const { submit, test } = acme;
    const key = newKey();
    const first = await submit(test, {}, { idempotencyKey: key });
    const colleague = { ...test, keyId: (await acme.stranger('Another Key', 'test')).keyId };
    expect(await submit(colleague, {}, { idempotencyKey: key })).toMatchObject({ id: first.id, replayed: true });
  });

  it('is free again after exactly 24 hours, and belongs to its next user', async () => {
    const { submit, test, clock } = acme;
    const key = newKey();
    const first = await submit(test, {}, { idempotencyKey: key });
    await clock.advance(DAY_MS - 1);
    expect(await submit(test, {}, { idempotencyKey: key })).toMatchObject({ id: first.id, replayed: true });
    await clock.advance(1);
    const second = await submit(test, { prompt: 'a dog' }, { idempotencyKey: key });
    expect(second.replayed).toBe(false);
    expect(await submit(test, { prompt: 'a dog' }, { idempotencyKey: key })).toMatchObject({
      id: second.id,
      replayed: true,
    });
    await expect(submit(test, {}, { idempotencyKey: key })).rejects.toMatchObject({ code: 'idempotency_key_reused' });
  });

  it('sent ten times at once after its 24 hours makes one more job', async () => {
    const { submit, test, clock } = acme;
    const key = newKey();
    const first = await submit(test, {}, { idempotencyKey: key });
    await clock.advance(DAY_MS);
    const results = await Promise.all(
      Array.from({ length: 10 }, () => submit(test, {}, { idempotencyKey: key }).catch(codeOf)),
    );
    const ids = new Set(results.map((result) => (typeof result === 'string' ? result : result.id)));
    expect([...ids]).toEqual([expect.stringMatching(/^video_/)]);
    expect(ids).not.toContain(first.id);
  });

  it('of a refused request stays free: a wrong value, a wrong URL and missing credits store nothing', async () => {
    const { submit, test, count, stranger, db } = acme;
    const key = newKey();
    const before = await count('idempotency_keys');
    await expect(submit(test, { seconds: 99 }, { idempotencyKey: key })).rejects.toMatchObject({
      code: 'unsupported_value',
    });
    await expect(submit(test, { webhook: 'http://10.0.0.1/' }, { idempotencyKey: key })).rejects.toMatchObject({
      code: 'url_not_allowed',
    });
    const poor = await stranger('Poor', 'live');
    await db.query(
      'update accounts set available_nano_usd = available_nano_usd - 25000000000 where org_id = $1 and mode = $2',
      [poor.orgId, 'live'],
    );
    await expect(submit(poor, {}, { idempotencyKey: key })).rejects.toMatchObject({ code: 'insufficient_credits' });
    expect(await count('idempotency_keys')).toBe(before);
    await db.query(
      'update accounts set available_nano_usd = available_nano_usd + 25000000000 where org_id = $1 and mode = $2',
      [poor.orgId, 'live'],
    );
    expect(await submit(poor, {}, { idempotencyKey: key })).toMatchObject({ replayed: false });
    expect(await submit(test, {}, { idempotencyKey: key })).toMatchObject({ replayed: false });
  });

  it('is answered even if the model was retired since', async () => {
    const { submit, test, clock, gateway } = acme;
    const key = newKey();
    const first = await submit(test, {}, { idempotencyKey: key });
    const model = gateway.catalog().find('acme-t2v') as { deactivatedAt?: string };
    model.deactivatedAt = clock.now().toISOString();
    await expect(submit(test)).rejects.toMatchObject({ code: 'model_deactivated' });
    expect(await submit(test, {}, { idempotencyKey: key })).toMatchObject({ id: first.id, replayed: true });
    delete model.deactivatedAt;
  });

  it('whose video was deleted says so, and makes no second one', async () => {
    const { submit, test, gateway, count } = acme;
    const key = newKey();
    const { id } = await submit(test, {}, { idempotencyKey: key });
    await gateway.videos.cancel(test, id);
    expect(await submit(test, {}, { idempotencyKey: key })).toMatchObject({ id, replayed: true });
    await gateway.videos.remove(test, id);
    const before = await count('videos');
    await expect(submit(test, {}, { idempotencyKey: key })).rejects.toMatchObject({
      code: 'video_not_found',
      message: expect.stringContaining('was deleted') as string,
    });
    expect(await count('videos')).toBe(before);
  });

  it('returns the original answer, not the current state', async () => {
    const { submit, test, gateway } = acme;
    const key = newKey();
    const first = await submit(test, {}, { idempotencyKey: key });
    await gateway.videos.cancel(test, first.id);
    expect((await submit(test, {}, { idempotencyKey: key })).video).toEqual(first.video);
    expect(first.video).toMatchObject({ status: 'queued', progress: 0, cost: 0.5 });
  });
});
