import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reserveCheck } from '../../../lib/db/check-slots';
import { createChaos, type Chaos } from '../../support/chaos-provider';
import { makeAcme, type Acme } from './make-acme';

// The limit of checks of an account at a provider, kept over all processes. The slots come from the database's clock,
// so the limits here are far longer than a test takes.

const MINUTE_MS = 60_000;

let acme: Acme;
let alpha: Chaos;
beforeAll(async () => {
  // One check in ten minutes.
  alpha = createChaos('alpha', { limits: { checksPerMinute: 0.1 } });
  const stage = createChaos('stage');
  acme = await makeAcme({
    providers: [alpha.definition, createChaos('beta').definition, stage.definition],
    testProvider: stage.definition,
  });
});
afterAll(() => acme.close());

describe('a provider that limits its checks', () => {
  it('is asked about one video after the other, each in its own slot, and counts each check once', async () => {
    const ids: string[] = [];
    for (let video = 0; video < 2; video += 1) {
      const { id } = await acme.submit(acme.live, { model: 'alpha/acme-t2v' });
      await acme.settle();
      ids.push(id);
    }
    await acme.pass(MINUTE_MS);
    expect(alpha.calls.checks).toHaveLength(1);
    await acme.pass(4 * MINUTE_MS);
    expect(alpha.calls.checks).toHaveLength(1);
    await acme.pass(6 * MINUTE_MS);
    expect(alpha.calls.checks.toSorted()).toEqual(ids.toSorted());
    for (const id of ids) expect(await acme.read(acme.live, id)).toMatchObject({ status: 'completed' });
    const { rows } = await acme.db.query('select checks from videos');
    expect(rows).toEqual([{ checks: 1 }, { checks: 1 }]);
  });

  it('gives each of many callers at the same time a slot of its own', async () => {
    const waits = await Promise.all(Array.from({ length: 20 }, () => reserveCheck(acme.db, 'gamma', MINUTE_MS)));
    const slots = waits.map((ms) => Math.round(ms / MINUTE_MS));
    expect(slots.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, slot) => slot));
    expect(await reserveCheck(acme.db, 'delta', MINUTE_MS)).toBe(0);
  });
});
