import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Generation } from '../../../lib/audio/speech-generation';
import { createSpeechTurns } from '../../../lib/audio/speech-turns';
import { createTestClock } from '../../support/clock';

/** A generation that ends when the test says so; it does not end by itself when it is cancelled. */
function makeGeneration(name: string, log: string[]) {
  let end = () => {};
  let fail: (error: unknown) => void = () => {};
  const ended = new Promise<void>((resolve, reject) => {
    end = resolve;
    fail = reject;
  });
  const generation: Pick<Generation, 'run' | 'cancel'> = {
    run() {
      log.push(`run ${name}`);
      return ended;
    },
    cancel: () => log.push(`cancel ${name}`),
  };
  // Safe: the turns only run and cancel.
  return { generation: generation as Generation, end, fail };
}

function makeTurns() {
  const clock = createTestClock();
  const log: string[] = [];
  const turns = createSpeechTurns(clock, {
    failed: (error) => log.push(`failed ${String(error)}`),
    ended: () => log.push(turns.current() ? 'ended, not current' : 'ended'),
  });
  return { clock, log, turns };
}

it('runs only the last text of a burst, after the charge of the one that was running is settled', async () => {
  const { log, turns } = makeTurns();
  const [first, second, third] = ['first', 'second', 'third'].map((name) => makeGeneration(name, log));
  turns.start(first!.generation);
  turns.start(second!.generation);
  turns.start(third!.generation);
  await turnOfLoop();
  expect(log).toEqual(['run first', 'cancel first', 'cancel second']);
  expect(turns.current()).toBe(third!.generation);
  first!.end();
  await turnOfLoop();
  expect(log.slice(3)).toEqual(['ended, not current', 'run third']);
  third!.end();
  await turnOfLoop();
  expect(log.slice(5)).toEqual(['ended']);
  expect(turns.current()).toBeUndefined();
});

it('does not wait longer than a second for a charge that cannot be settled', async () => {
  const { clock, log, turns } = makeTurns();
  turns.start(makeGeneration('stuck', log).generation);
  turns.start(makeGeneration('next', log).generation);
  await clock.advance(999);
  expect(log).toEqual(['run stuck', 'cancel stuck']);
  await clock.advance(1);
  expect(log).toEqual(['run stuck', 'cancel stuck', 'run next']);
});

it('reports the error of the current text, and not of one that was cancelled', async () => {
  const { log, turns } = makeTurns();
  const cancelled = makeGeneration('cancelled', log);
  turns.start(cancelled.generation);
  turns.cancel();
  cancelled.fail('late');
  await turnOfLoop();
  const current = makeGeneration('current', log);
  turns.start(current.generation);
  current.fail('broken');
  await turnOfLoop();
  expect(log).toEqual(['run cancelled', 'cancel cancelled', 'ended', 'run current', 'failed broken', 'ended']);
});

it('is settled when every running text is', async () => {
  const { log, turns } = makeTurns();
  const only = makeGeneration('only', log);
  turns.start(only.generation);
  turns.cancel();
  let isSettled = false;
  void turns.settled().then(() => (isSettled = true));
  await turnOfLoop();
  expect(isSettled).toBe(false);
  only.end();
  await turnOfLoop();
  expect(isSettled).toBe(true);
});
