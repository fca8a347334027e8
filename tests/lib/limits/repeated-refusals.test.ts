import { describe, expect, it } from 'vitest';
import { GatewayError } from '../../../lib/domain/errors';
import { createRepeatedRefusals, DECIDED_PER_SECOND } from '../../../lib/limits/repeated-refusals';
import { createTestClock } from '../../support/clock';

const error = (message: string) => new GatewayError('concurrency_limit_exceeded', message);

describe('createRepeatedRefusals', () => {
  it('repeats the latest error of a name that was refused often within a second, until the second is over', async () => {
    const clock = createTestClock();
    const refusals = createRepeatedRefusals(clock);
    for (let n = 1; n <= DECIDED_PER_SECOND; n += 1) {
      expect(() => refusals.check('a')).not.toThrow();
      refusals.add('a', error(`refusal ${n}`));
    }
    expect(() => refusals.check('a')).toThrow(`refusal ${DECIDED_PER_SECOND}`);
    expect(() => refusals.check('b')).not.toThrow();
    await clock.advance(999);
    expect(() => refusals.check('a')).toThrow(`refusal ${DECIDED_PER_SECOND}`);
    await clock.advance(1);
    expect(() => refusals.check('a')).not.toThrow();
  });

  it('does not add up the refusals of several seconds', async () => {
    const clock = createTestClock();
    const refusals = createRepeatedRefusals(clock);
    for (let n = 0; n < 5 * DECIDED_PER_SECOND; n += 1) {
      refusals.add('a', error('refused'));
      await clock.advance(1_000 / (DECIDED_PER_SECOND - 1));
      expect(() => refusals.check('a')).not.toThrow();
    }
  });
});
