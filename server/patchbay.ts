import path from 'node:path';
import { runProgram } from '../lib/cli/program';
import type { OperatorCommand } from '../lib/cli/terminal';
import { systemClock } from '../lib/domain/clock';

// The command `patchbay`. server/patchbay.mjs runs the bundle of this file, or this file if there is no build.

const interrupted = new AbortController();
process.once('SIGINT', () => {
  interrupted.abort();
  // A second signal ends the process at once.
});
// The reader of a pipe, such as `head`, may end early.
process.stdout.on('error', () => process.exit(0));

void runProgram(
  {
    env: process.env,
    cwd: process.cwd(),
    // This file is in `server`, and the built one in `dist`.
    projectRoot: path.resolve(__dirname, '..'),
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    signal: interrupted.signal,
    clock: systemClock,
    operate,
  },
  process.argv.slice(2),
).then((exitCode) => {
  // A command of the operator has already set its own exit code.
  process.exitCode ??= exitCode;
});

/** Runs a program of the operator, which reads the arguments from the process. */
async function operate(command: OperatorCommand, args: readonly string[]): Promise<void> {
  process.argv.splice(2, process.argv.length, ...(command === 'grant' ? [command, ...args] : args));
  if (command === 'doctor') await import('./doctor');
  else if (command === 'grant') await import('./credits');
  else if (command === 'limits') await import('./limits');
  else if (command === 'backup') await import('./backup');
  else if (command === 'restore') await import('./restore');
  else if (command === 'upgrade') await import('./upgrade');
  else await import('./providers');
}
