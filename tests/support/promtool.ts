import { spawnSync } from 'node:child_process';

// The checker of Prometheus, from the Debian package `prometheus`.

/** Why there is none; undefined if it is installed. Tests print it when they skip. */
export const promtoolMissing =
  spawnSync('promtool', ['--version']).error === undefined
    ? undefined
    : 'promtool is not installed (Debian package prometheus)';

/** What it prints, and whether it is content. */
export function promtool(args: readonly string[], input = ''): { readonly ok: boolean; readonly output: string } {
  const { status, stdout, stderr } = spawnSync('promtool', args, { input, encoding: 'utf8' });
  return { ok: status === 0, output: `${stdout}${stderr}` };
}
