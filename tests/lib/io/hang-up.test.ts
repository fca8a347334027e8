import { describe, expect, it } from 'vitest';
import { createHangUp, hangUpOf } from '../../../lib/io/hang-up';

describe('a caller who leaves', () => {
  it.each([
    [
      'of our own',
      () => {
        const notice = createHangUp();
        return { hangUp: notice, leave: () => notice.tell() };
      },
    ],
    [
      'of a signal',
      () => {
        const controller = new AbortController();
        return { hangUp: hangUpOf(controller.signal), leave: () => controller.abort() };
      },
    ],
  ])('is told once to everybody who still follows: a notice %s', (_whose, make) => {
    const { hangUp, leave } = make();
    const told: string[] = [];
    hangUp.follow(() => told.push('first'));
    const unfollow = hangUp.follow(() => told.push('second'));
    hangUp.follow(() => told.push('third'));
    unfollow();
    const { signal } = hangUp;
    expect([hangUp.happened, signal.aborted, told]).toEqual([false, false, []]);
    leave();
    leave();
    expect([hangUp.happened, signal.aborted, told]).toEqual([true, true, ['first', 'third']]);
    hangUp.follow(() => told.push('late'))();
    expect(told).toEqual(['first', 'third', 'late']);
  });

  it('has a signal that is aborted also when it is asked for afterwards', () => {
    const notice = createHangUp();
    notice.tell();
    expect(notice.signal.aborted).toBe(true);
  });
});
