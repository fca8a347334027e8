import { describe, expect, it } from 'vitest';
import { createEventStream, type EventStreamSource } from '../../../../lib/messages/answer/event-stream';
import { createTestClock } from '../../../support/clock';

const silent = (change: Partial<EventStreamSource> = {}): EventStreamSource => ({
  clock: createTestClock(),
  isLate: false,
  next: () => new Promise(() => {}),
  onError: () => 'event: error\ndata: {}\n\n',
  onEnd: () => {},
  ...change,
});
const soon = () => new Promise((resolve) => setImmediate(resolve));

describe('a stream of events', () => {
  it('whose first byte is late says at once that it lives', async () => {
    const late = createEventStream(silent({ isLate: true })).stream.setEncoding('utf8');
    expect(late.read() ?? (await soon().then(() => late.read()))).toBe(': keepalive\n\n');
    late.destroy();
    const early = createEventStream(silent()).stream.setEncoding('utf8');
    early.read();
    await soon();
    expect(early.read()).toBeNull();
    early.destroy();
  });

  it('asks for no last event when its reader has left', async () => {
    let fail = (_error: Error) => {};
    const errors: unknown[] = [];
    const ends: string[] = [];
    const { stream } = createEventStream(
      silent({
        next: () => new Promise((_resolve, reject) => (fail = reject)),
        onError: (error) => String(errors.push(error)),
        onEnd: (how) => {
          ends.push(how);
          fail(new Error('aborted'));
        },
      }),
    );
    stream.read();
    await soon();
    stream.destroy();
    await soon();
    expect([errors, ends]).toEqual([[], ['closed']]);
  });
});
