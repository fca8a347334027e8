import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { videoCommands } from '../../../lib/cli/videos';
import type { Terminal } from '../../../lib/cli/terminal';
import { createTestClock } from '../../support/clock';
import { makeCatalog } from '../catalog/make-catalog';

/** What a command prints for `--help`. */
function helpOf(name: string): string {
  const stdout = new PassThrough();
  const terminal: Terminal = {
    env: {},
    cwd: '/',
    projectRoot: '/',
    stdin: new PassThrough(),
    stdout,
    stderr: new PassThrough(),
    signal: new AbortController().signal,
    clock: createTestClock(),
    operate: async () => {},
  };
  const command = videoCommands(terminal).commands.find((each) => each.name() === name)!;
  command.configureOutput({ writeOut: (text) => void stdout.write(text) }).outputHelp();
  return String(stdout.read());
}

describe('the examples of `patchbay video create`', () => {
  it('send only parameters that the model takes', () => {
    const catalog = makeCatalog();
    const examples = helpOf('create')
      .split('\n')
      .filter((line) => line.trim().startsWith('patchbay video create'));
    const sent = examples.flatMap((line) => {
      const id = /--model (\S+)/.exec(line)?.[1] ?? '';
      return [...line.matchAll(/--param (\w+)=/g)].map(([, name = '']) => ({ id, name }));
    });
    expect(sent.length).toBeGreaterThan(0);
    for (const { id, name } of sent) {
      const model = catalog.find(id);
      expect(model?.capability === 'video' && model.video.parameters, `${name} of ${id}`).toContain(name);
    }
  });
});
