import { describe, expect, it } from 'vitest';
import { createInlineBudget } from '../../../lib/net/inline-budget';

const newSignal = () => new AbortController().signal;
const soon = () => new Promise((resolve) => setImmediate(resolve));

describe('createInlineBudget', () => {
  it('admits calls in the order of arrival, also a small one behind a large one', async () => {
    const budget = createInlineBudget(100);
    const first = await budget.reserve(80, newSignal());
    const admitted: string[] = [];
    const large = budget.reserve(90, newSignal()).then((reservation) => (admitted.push('large'), reservation));
    const small = budget.reserve(10, newSignal()).then((reservation) => (admitted.push('small'), reservation));
    await soon();
    expect(admitted).toEqual([]);
    first.release();
    first.release();
    await large;
    await small;
    expect(admitted).toEqual(['large', 'small']);
  });

  it('admits others when a reservation shrinks', async () => {
    const budget = createInlineBudget(100);
    const first = await budget.reserve(100, newSignal());
    const second = budget.reserve(50, newSignal());
    first.shrink(50);
    await second;
  });

  it('admits a reservation above the limit when nothing else is held', async () => {
    const budget = createInlineBudget(100);
    const first = await budget.reserve(1_000, newSignal());
    const second = budget.reserve(1_000, newSignal());
    first.release();
    await second;
  });

  it('does not let a call that holds bytes wait, nor its media that wait already', async () => {
    const budget = createInlineBudget(100);
    const blocking = await budget.reserve(100, newSignal());
    const [one, other] = [newSignal(), newSignal()];
    const halves = [budget.reserve(60, one), budget.reserve(60, other), budget.reserve(60, one)] as const;
    blocking.release();
    const mine = await Promise.all([halves[0], halves[2]]);
    await budget.reserve(500, one);
    mine.map((reservation) => reservation.release());
    let isAdmitted = false;
    void halves[1].then(() => (isAdmitted = true));
    await soon();
    expect(isAdmitted).toBe(false);
  });

  it('rejects a waiting call with the reason of its signal, and admits the next one', async () => {
    const budget = createInlineBudget(100);
    await budget.reserve(60, newSignal());
    const controller = new AbortController();
    const large = budget.reserve(80, controller.signal);
    const small = budget.reserve(40, newSignal());
    controller.abort(new Error('enough'));
    await expect(large).rejects.toThrow('enough');
    await small;
    await expect(budget.reserve(1, controller.signal)).rejects.toThrow('enough');
  });

  it('releases what a call holds when its signal aborts', async () => {
    const budget = createInlineBudget(100);
    const controller = new AbortController();
    const reservation = await budget.reserve(100, controller.signal);
    const next = budget.reserve(100, newSignal());
    controller.abort();
    await next;
    reservation.release();
    let isAdmitted = false;
    void budget.reserve(1, newSignal()).then(() => (isAdmitted = true));
    await soon();
    expect(isAdmitted).toBe(false);
  });

  it('does not let an organisation hold more than what stays free, unless it holds nothing', async () => {
    const budget = createInlineBudget(100);
    const first = await budget.reserve(30, newSignal(), 'a');
    await budget.reserve(20, newSignal(), 'a');
    const more = budget.reserve(10, newSignal(), 'a');
    expect(budget.take(1, newSignal(), 'a')).toBeUndefined();
    const other = budget.take(40, newSignal(), 'b');
    expect(other).toBeDefined();
    other?.release();
    first.release();
    await more;
  });

  it('admits organisations in rotation', async () => {
    const budget = createInlineBudget(100);
    let last = await budget.reserve(100, newSignal());
    const admitted: string[] = [];
    const waiting = ['a1', 'a2', 'a3', 'b1', 'b2'].map(async (name) => {
      const reservation = await budget.reserve(100, newSignal(), name.charAt(0));
      admitted.push(name);
      last = reservation;
    });
    for (let time = 0; time < 5; time += 1) {
      last.release();
      await soon();
    }
    await Promise.all(waiting);
    expect(admitted).toEqual(['a1', 'b1', 'a2', 'b2', 'a3']);
  });

  it('lets nothing overtake the first that waits for room', async () => {
    const budget = createInlineBudget(100);
    const held = await budget.reserve(60, newSignal(), 'a');
    const waiting = budget.reserve(50, newSignal(), 'b');
    expect(budget.take(10, newSignal(), 'c')).toBeUndefined();
    held.release();
    await waiting;
    expect(budget.take(10, newSignal(), 'c')).toBeDefined();
  });

  it('does not let small files wait for large ones, nor the further media of a call for either', async () => {
    const budget = createInlineBudget(100, { fromBytes: 100, maxBytes: 300 });
    const large = await budget.reserve(300, newSignal());
    const call = newSignal();
    const waiting = budget.reserve(200, call);
    const small = budget.take(50, newSignal());
    expect(small).toBeDefined();
    expect([budget.holds(call), budget.take(50, call) !== undefined, budget.holds(call)]).toEqual([false, true, true]);
    await waiting;
    large.release();
  });
});
