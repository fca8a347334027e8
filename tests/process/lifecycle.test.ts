import { describe, expect, it } from 'vitest';
import { createLifecycle } from '../../server/lifecycle';
import { recordLog } from '../support/log';

function make() {
  const log = recordLog();
  const events: string[] = [];
  const lifecycle = createLifecycle({
    log,
    onDrain: () => events.push(`drain while ${lifecycle.phase()}`),
    onClose: () => events.push(`close while ${lifecycle.phase()}`),
    steps: [
      {
        broken: () => {
          throw new Error('It does not close.');
        },
        slow: async () => {
          await new Promise((resolve) => setImmediate(resolve));
          events.push('slow');
        },
        quick: () => events.push('quick'),
      },
      { last: () => events.push('last') },
    ],
  });
  return { lifecycle, log, events };
}

describe('the lifecycle of a gateway', () => {
  it('is starting, ready, draining and closing', async () => {
    const { lifecycle } = make();
    const phases = [lifecycle.phase()];
    lifecycle.begin();
    phases.push(lifecycle.phase());
    lifecycle.drain();
    phases.push(lifecycle.phase());
    const closed = lifecycle.close();
    phases.push(lifecycle.phase());
    await closed;
    expect(phases).toEqual(['starting', 'ready', 'draining', 'closing']);
  });

  it('closes the parts of a step in parallel, each step after the one before it, and all of them once', async () => {
    const { lifecycle, events } = make();
    lifecycle.begin();
    await Promise.all([lifecycle.close(), lifecycle.close()]);
    expect(events).toEqual(['drain while draining', 'close while closing', 'quick', 'slow', 'last']);
  });

  it('logs a part that cannot be closed, and closes the others', async () => {
    const { lifecycle, log, events } = make();
    await lifecycle.close();
    expect(log.lines.map(({ level, message, fields }) => [level, message, fields.part])).toEqual([
      ['error', 'a part could not be closed properly', 'broken'],
    ]);
    expect(events).toContain('last');
  });
});
