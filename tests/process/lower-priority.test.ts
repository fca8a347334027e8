import { execFileSync } from 'node:child_process';
import { platform } from 'node:os';
import { describe, expect, it } from 'vitest';
import { projectRoot } from '../support/project';
import { skippedBecause } from '../support/child-server';

// A process that only runs jobs leaves the processor to those that answer requests.

const isLinux = platform() === 'linux';
if (!isLinux) skippedBecause('the priority of each thread', 'only Linux has one');

/** The priorities of all threads of a new process that was started with `nice` and calls `lowerPriority`. */
function prioritiesOf(nice: number): readonly number[] {
  const code = `
    const { readdirSync, readFileSync } = require('node:fs');
    const { Worker } = require('node:worker_threads');
    const { lowerPriority } = require('./server/lower-priority.ts');
    lowerPriority();
    const thread = new Worker('setInterval(() => {}, 1000)', { eval: true });
    thread.once('online', () => {
      // The field after the name in parentheses and 16 others.
      const niceOf = (id) => Number(readFileSync('/proc/self/task/' + id + '/stat', 'utf8').split(') ')[1].split(' ')[16]);
      console.log(JSON.stringify(readdirSync('/proc/self/task').map(niceOf)));
      process.exit(0);
    });`;
  const command = ['-n', String(nice), process.execPath, '--import', 'tsx', '-e', code];
  // Safe: printed by the code above.
  return JSON.parse(execFileSync('nice', command, { cwd: projectRoot, encoding: 'utf8' })) as number[];
}

describe.skipIf(!isLinux)('a process that only runs jobs', () => {
  it('lowers the priority of all of its threads, also of those that it starts later', () => {
    const priorities = prioritiesOf(0);
    expect(priorities.length).toBeGreaterThan(4);
    expect(new Set(priorities)).toEqual(new Set([10]));
  });

  it('keeps a lower priority with which it was started', () => {
    expect(new Set(prioritiesOf(15))).toEqual(new Set([15]));
  });
});
