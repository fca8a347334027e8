import { afterEach, describe, expect, it } from 'vitest';
import { GatewayError } from '../../../lib/domain/errors';
import type { VideoLimits } from '../../../lib/domain/video';
import { completed, createChaos, type Chaos } from '../../support/chaos-provider';
import { loseLeases } from '../../support/jobs';
import { makeAcme, type Acme } from './make-acme';

// The limits of an account at a provider: the starts of a minute and the running videos, kept over all processes.

const MINUTE_MS = 60_000;

let acme: Acme;
let alpha: Chaos;
/** What a test leaves waiting would keep the gateway from closing. */
let arrive = () => {};
afterEach(async () => {
  arrive();
  await acme.close();
});

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

/** The first start prepares its media until they arrive; all others have theirs at once. */
function slowMedia() {
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  let count = 0;
  alpha.onPrepare = async () => {
    count += 1;
    if (count === 1) await arrived;
  };
  return {
    arrive: () => arrive(),
    /** How many times media were prepared. */
    count: () => count,
    begun: (number: number) => expect.poll(() => count).toBe(number),
  };
}

/** Time passes in steps of a second, in which the queue can work. */
async function everySecond(seconds: number, look: () => void): Promise<void> {
  for (let n = 0; n < seconds; n += 1) {
    await acme.clock.advance(1_000);
    await new Promise((resolve) => setTimeout(resolve, 30));
    look();
  }
}

/** Time passes until something has happened, but at most two minutes. */
async function until(hasHappened: () => boolean): Promise<void> {
  for (let n = 0; n < 120 && !hasHappened(); n += 1) await everySecond(1, () => {});
  expect(hasHappened()).toBe(true);
}

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
    await acme.pass(MINUTE_MS - 20_000);
    expect(alpha.calls.starts).toHaveLength(2);
    await acme.pass(20_000);
    await acme.pass(5_000);
    expect(alpha.calls.starts).toHaveLength(3);
  });

  it('include those that still prepare their media, for 30 seconds', async () => {
    await makeLimited({ startsPerMinute: 1 });
    const media = slowMedia();
    await submit();
    await media.begun(1);
    const { id } = await submit(await acme.stranger('Others'));
    await everySecond(28, () => expect(media.count()).toBe(1));
    media.arrive();
    await until(() => alpha.calls.starts.length === 1);
    expect(alpha.calls.starts.map(({ videoId }) => videoId)).not.toContain(id);
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

describe('a start that still prepares its media after 30 seconds', () => {
  it.each([{ startsPerMinute: 1 }, { running: 1 }])('leaves its slot of %j to another organisation', async (limits) => {
    await makeLimited(limits);
    const media = slowMedia();
    await submit();
    await media.begun(1);
    const { id } = await submit(await acme.stranger('Others'));
    await until(() => alpha.calls.starts.length === 1);
    expect(alpha.calls.starts.map(({ videoId }) => videoId)).toEqual([id]);
    media.arrive();
    await acme.settle();
  });

  it('waits with its media for the next slot, which no later start of its organisation gets', async () => {
    await makeLimited({ startsPerMinute: 1 });
    const media = slowMedia();
    const slow = await submit();
    await media.begun(1);
    const other = await submit(await acme.stranger('Others'));
    await until(() => alpha.calls.starts.length === 1);
    const later = await submit();
    media.arrive();
    await everySecond(50, () => expect(alpha.calls.starts).toHaveLength(1));
    await until(() => alpha.calls.starts.length === 2);
    expect(media.count()).toBe(2);
    await acme.pass(MINUTE_MS);
    await until(() => alpha.calls.starts.length === 3);
    expect(alpha.calls.starts.map(({ videoId }) => videoId)).toEqual([other.id, slow.id, later.id]);
    expect(await acme.count('waiting_starts')).toBe(0);
  });

  it('goes back to its line if no slot becomes free within a minute', async () => {
    await makeLimited({ running: 1 });
    alpha.onCheck = async () => ({ status: 'in_progress' });
    const media = slowMedia();
    const { id } = await submit();
    await media.begun(1);
    await submit(await acme.stranger('Others'));
    await until(() => alpha.calls.starts.length === 1);
    media.arrive();
    await expect
      .poll(
        async () => {
          await acme.clock.advance(1_000);
          return (await acme.db.query('select outcome, code from video_attempts where video_id = $1', [id])).rows;
        },
        { timeout: 30_000 },
      )
      .toEqual([{ outcome: 'failed', code: 'concurrency_limit_exceeded' }]);
    expect(await acme.count('waiting_starts')).toBe(1);
    alpha.onCheck = async () => completed;
    for (let n = 0; n < 10 && alpha.calls.starts.length === 1; n += 1) await acme.pass(10_000);
    expect(alpha.calls.starts[1]?.videoId).toBe(id);
  });

  it('waits no longer when its video was cancelled', async () => {
    await makeLimited({ startsPerMinute: 1 });
    const media = slowMedia();
    const { id } = await submit();
    await media.begun(1);
    await submit(await acme.stranger('Others'));
    await until(() => alpha.calls.starts.length === 1);
    media.arrive();
    await everySecond(3, () => {});
    await acme.gateway.videos.cancel(acme.live, id);
    await everySecond(5, () => {});
    expect(await acme.count('waiting_starts')).toBe(0);
    const { rows } = await acme.db.query('select code from video_attempts where video_id = $1', [id]);
    expect(rows.map(({ code }) => code)).not.toContain('concurrency_limit_exceeded');
  });

  it('counts as a share of its organisation, so that the slot goes to another one first', async () => {
    await makeLimited({ startsPerMinute: 1 });
    const media = slowMedia();
    await submit();
    await media.begun(1);
    // Of two that wait, the older one is of the organisation whose media are slow.
    await submit();
    const { id } = await submit(await acme.stranger('Others'));
    await until(() => alpha.calls.starts.length === 1);
    expect(alpha.calls.starts[0]?.videoId).toBe(id);
    media.arrive();
    await acme.settle();
  });
});
