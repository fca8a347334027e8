import { spawnSync } from 'node:child_process';

// The runtimes that programs of the client run in. Bun and Deno are packages of npm, which are too large for everybody
// who installs Patchbay; the gate installs them next to it.

export interface Runtime {
  readonly name: string;
  readonly command: string;
  /** Before the path of the program. */
  readonly args: readonly string[];
  /** Why it is not here; undefined if it is. Tests print it when they skip. */
  readonly missing: string | undefined;
}

export const runtimes: readonly Runtime[] = [
  { name: 'Node', command: process.execPath, args: [], missing: undefined },
  { name: 'Bun', command: 'bun', args: [], missing: missing('bun') },
  {
    name: 'Deno',
    command: 'deno',
    args: ['run', '--quiet', '--allow-net', '--allow-env', '--allow-read'],
    missing: missing('deno'),
  },
];

function missing(command: string): string | undefined {
  return spawnSync(command, ['--version']).error === undefined
    ? undefined
    : `${command} is not installed (package ${command} of npm)`;
}
