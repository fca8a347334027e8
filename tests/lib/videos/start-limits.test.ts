import { afterEach, describe, expect, it } from 'vitest';
import { GatewayError } from '../../../lib/domain/errors';
import type { VideoLimits } from '../../../lib/domain/video';
import { createChaos, type Chaos } from '../../support/chaos-provider';
import { loseLeases } from '../../support/jobs';
import { makeAcme, type Acme } from './make-acme';

// The limits of an account at a provider: the starts of a minute and the running videos, kept over all processes.

const MINUTE_MS = 60_000;

let acme: Acme;
let alpha: Chaos;
afterEach(() => acme.close());

async function makeLimited(limits: VideoLimits): Promise<void> {
  alpha = createChaos('alpha', { limits });
  const stage = createChaos('stage');
  acme = await makeAcme({
    providers: [alpha.definition, createChaos('beta').definition, stage.definition],
    testProvider: stage.definition,
  });
}

const submit = (caller = acme.live) => acme.submit(caller, { model: 'alpha/acme-t2v' });
const outcomes = async () =>
  (await acme.db.query('select outcome from video_attempts order by started_at, attempt')).rows.map(
    ({ outcome }) => outcome,
  );

describe('the starts of a minute', () => {
  it('that fail before they are sent leave the quota to others', async () => {
    await makeLimited({ startsPerMinute: 3 });
    const other = await acme.stranger('Others');
    alpha.onPrepare = async () => {
      throw new GatewayError('media_unreachable', 'The picture cannot be read.', {
        upstream: { retry: 'never', started: 'no' },
      });
    };
    for (let n = 0; n < 5; n += 1) await submit();
    await acme.settle();
    expect(await outcomes()).toEqual(Array.from({ length: 5 }, () => 'refused'));
    alpha.onPrepare = async () => {};
    const { id } = await submit(other);
    await acme.settle();
    expect(alpha.calls.starts.map(({ videoId }) => videoId)).toEqual([id]);
  });

  it('are counted from when they were sent, and free again after a minute', async () => {
    await makeLimited({ startsPerMinute: 2 });
    for (let n = 0; n < 3; n += 1) await submit();
    await acme.settle();
    expect(alpha.calls.starts).toHaveLength(2);
    await acme.pass(MINUTE_MS - 5_000);
    expect(alpha.calls.starts).toHaveLength(2);
    await acme.pass(5_000);
    await acme.pass(5_000);
    expect(alpha.calls.starts).toHaveLength(3);
  });

  it('include those that still prepare their media, however long that takes', async () => {
    await makeLimited({ startsPerMinute: 1 });
    let proceed = () => {};
    const prepared = new Promise<void>((resolve) => (proceed = resolve));
    let preparing = 0;
    alpha.onPrepare = () => {
      preparing += 1;
      return prepared;
    };
    await submit();
    await expect.poll(() => preparing).toBe(1);
    await acme.clock.advance(2 * MINUTE_MS);
    await submit(await acme.stranger('Others'));
    await expect
      .poll(async () => (await acme.count('jobs where leased_until is null')) + preparing, { timeout: 10_000 })
      .toBe(2);
    expect(preparing).toBe(1);
    proceed();
    await acme.settle();
    expect(alpha.calls.starts).toHaveLength(1);
  });

  it('do not include an attempt whose process has died when its video is started again', async () => {
    await makeLimited({ startsPerMinute: 1, running: 1 });
    let end = () => {};
    let preparing = 0;
    alpha.onPrepare = () => {
      preparing += 1;
      return preparing === 1 ? new Promise((resolve) => (end = resolve)) : Promise.resolve();
    };
    const { id } = await submit();
    await expect.poll(() => preparing).toBe(1);
    await loseLeases(acme.db);
    await expect
      .poll(async () => {
        await acme.clock.advance(500);
        return alpha.calls.starts.map(({ videoId }) => videoId);
      })
      .toEqual([id]);
    end();
    await acme.settle();
    expect(alpha.calls.starts).toHaveLength(1);
    expect(await outcomes()).toEqual(['failed', 'accepted']);
  });
});
