import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Caller } from '../../../lib/domain/caller';
import { makeAcme, type Acme } from './make-acme';

// What the official SDKs do by themselves when an answer does not arrive: the same request again, with a header that
// says so and without an Idempotency-Key. One gateway; each test has a prompt of its own, so that no test sees the
// videos of another.

let acme: Acme;
beforeAll(async () => {
  acme = await makeAcme();
});
afterAll(() => acme.close());

let prompts = 0;
let prompt = '';
beforeEach(() => {
  prompt = `a cat, number ${(prompts += 1)}`;
});

const submit = (caller: Caller = acme.live) => acme.submit(caller, { prompt });
const retry = (caller: Caller = acme.live) => acme.submit(caller, { prompt }, { automaticRetry: true });
/** The HTTP server saw the connection close before the last byte of the answer. */
async function cutAnswer(id: Parameters<Acme['gateway']['videos']['recordAnswer']>[0]['id']) {
  acme.gateway.videos.recordAnswer({ id, replayed: false }, 'closed');
  for (;;) {
    const { rows } = await acme.db.query('select answer_cut from videos where id = $1', [id]);
    if (rows[0]?.answer_cut === true) return;
  }
}

describe('an automatic retry', () => {
  it('gets the job whose answer was cut off, even after a minute and a poll', async () => {
    const first = await submit();
    await cutAnswer(first.id);
    await acme.read(acme.live, first.id);
    await acme.clock.advance(599_000);
    expect(await retry()).toEqual({ ...first, replayed: true, ignoredParams: [] });
    // Its own answer may have been cut again.
    expect(await retry()).toMatchObject({ id: first.id, replayed: true });
  });

  it('gets a new job when the cut is ten minutes old', async () => {
    const first = await submit();
    await cutAnswer(first.id);
    await acme.clock.advance(600_000);
    expect(await retry()).toMatchObject({ replayed: false, id: expect.not.stringContaining(first.id) as string });
  });

  it('prefers the job whose answer was cut off to a younger one', async () => {
    const cut = await submit();
    await cutAnswer(cut.id);
    await acme.clock.advance(1_000);
    await submit();
    expect(await retry()).toMatchObject({ id: cut.id, replayed: true });
  });

  it('gets a job that was not polled within a minute, once', async () => {
    const first = await submit();
    await acme.clock.advance(59_999);
    expect(await retry()).toMatchObject({ id: first.id, replayed: true });
    expect(await retry()).toMatchObject({ replayed: false });
  });

  it('gets a new job after a minute', async () => {
    const first = await submit();
    await acme.clock.advance(60_000);
    const second = await retry();
    expect([second.replayed, second.id === first.id]).toEqual([false, false]);
  });

  it('gets a new job once the first was polled: its caller has its id', async () => {
    const first = await submit();
    await acme.read(acme.live, first.id);
    expect(await retry()).toMatchObject({ replayed: false });
  });

  it('gets a new job once the first was cancelled or downloaded, for the same reason', async () => {
    const cancelled = await submit();
    acme.alpha.onCancel = async () => 'cancelled';
    await acme.gateway.videos.cancel(acme.live, cancelled.id);
    acme.alpha.onCancel = undefined;
    const second = await retry();
    expect(second.replayed).toBe(false);

    await acme.settle();
    await acme.pass(6_000);
    const content = await acme.gateway.videos.open(acme.live, second.id, () => undefined, AbortSignal.timeout(5_000));
    await text(content.body);
    expect(await retry()).toMatchObject({ replayed: false });
  });

  it('gets the younger of two that were not polled, then the older, then a new one', async () => {
    const older = await submit();
    await acme.clock.advance(1_000);
    const younger = await submit();
    expect([(await retry()).id, (await retry()).id]).toEqual([younger.id, older.id]);
    expect(await retry()).toMatchObject({ replayed: false });
  });

  it('of another body, another key or another organisation gets a new job', async () => {
    await submit();
    expect(await acme.submit(acme.live, { prompt, seconds: 6 }, { automaticRetry: true })).toMatchObject({
      replayed: false,
    });
    expect(await acme.submit(acme.test, { prompt }, { automaticRetry: true })).toMatchObject({ replayed: false });
    const stranger = await acme.stranger('Retry Elsewhere');
    expect(await retry(stranger)).toMatchObject({ replayed: false });
    const { keyId } = await acme.stranger('Retry With Another Key');
    expect(await retry({ ...acme.live, keyId })).toMatchObject({ replayed: false });
    expect(await retry()).toMatchObject({ replayed: true });
  });

  it('gets a new job if the organisation has disabled replays', async () => {
    const caller = await acme.stranger('No Replays');
    await acme.db.query('update organizations set replay_retries = false where id = $1', [caller.orgId]);
    const first = await submit(caller);
    await cutAnswer(first.id);
    expect(await retry(caller)).toMatchObject({ replayed: false });
  });

  it('gets a new job when the first was deleted', async () => {
    const first = await submit();
    await cutAnswer(first.id);
    await acme.settle();
    await acme.pass(6_000);
    await acme.gateway.videos.remove(acme.live, first.id);
    expect(await retry()).toMatchObject({ replayed: false });
  });

  it('that comes while the first request still runs waits for it', async () => {
    const before = await acme.count('videos');
    const [first, second] = await Promise.all([submit(), retry()]);
    expect([first.replayed, second.replayed, second.id]).toEqual([false, true, first.id]);
    expect(await acme.count('videos')).toBe(before + 1);
  });

  it('without a first request is an ordinary request', async () => {
    expect(await retry()).toMatchObject({ replayed: false });
  });

  it('with an Idempotency-Key is decided by the key alone', async () => {
    const first = await submit();
    expect(
      await acme.submit(acme.live, { prompt }, { automaticRetry: true, idempotencyKey: `${prompt} a` }),
    ).toMatchObject({ replayed: false });
    expect(await retry()).toMatchObject({ id: first.id, replayed: true });
  });
});

describe('a request that is not an automatic retry', () => {
  it('always makes a new job, however similar', async () => {
    const first = await submit();
    await cutAnswer(first.id);
    const second = await submit();
    expect([second.replayed, second.id === first.id]).toEqual([false, false]);
  });
});

describe('an answer that arrived', () => {
  it('is not recorded as cut', async () => {
    const first = await submit();
    acme.gateway.videos.recordAnswer(first, 'finished');
    await acme.clock.advance(60_000);
    expect(await retry()).toMatchObject({ replayed: false });
  });

  it('after an earlier one was cut ends the search: a later deliberate submission is not replayed', async () => {
    const first = await submit();
    await cutAnswer(first.id);
    acme.gateway.videos.recordAnswer(await retry(), 'finished');
    for (;;) {
      const { rows } = await acme.db.query('select answer_cut from videos where id = $1', [first.id]);
      if (rows[0]?.answer_cut === false) break;
    }
    const second = await submit();
    expect(second.id).not.toBe(first.id);
    expect(await retry()).toMatchObject({ id: second.id, replayed: true });
  });
});
