import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectRoot } from '../../support/project';

/**
 * What `errorForLog` returns for an error with a cause, in a process of its own: the mark belongs to a whole process.
 */
function errorText(setUp: string, env: Readonly<Record<string, string>> = {}): string {
  const script = `${setUp}
    const { errorForLog } = require('./lib/domain/errors');
    const { isDevelopment } = require('./lib/domain/development');
    console.log(isDevelopment());
    console.log(errorForLog(new TypeError('the canary', { cause: new Error('another canary') })));
    console.log(errorForLog('a canary that is no error'));`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', '-e', script], {
    cwd: projectRoot,
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  expect(stdout, stderr).not.toBe('');
  return stdout;
}

describe('errorForLog', () => {
  it('in a development process includes text, stack and cause', () => {
    const text = errorText(`require('./lib/domain/development').startDevelopment();`);
    expect(text).toMatch(/^true\nTypeError: the canary\n {4}at /);
    expect(text).toContain('Caused by: Error: another canary\n    at ');
    expect(text).toContain('a canary that is no error');
  });

  it.each(['development', 'production', 'test'])('with NODE_ENV=%s alone includes no text', (NODE_ENV) => {
    const text = errorText('', { NODE_ENV });
    expect(text).toMatch(/^false\nTypeError caused by Error \| at /);
    expect(text).not.toContain('canary');
  });
});

describe('the mark of a development process', () => {
  const sources = ['app', 'lib', 'server'].flatMap((folder) =>
    readdirSync(path.join(projectRoot, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(tsx?|mjs)$/.test(entry.name))
      .map((entry) => path.join(entry.parentPath, entry.name))
      .map((file) => ({ name: path.relative(projectRoot, file), text: readFileSync(file, 'utf8') })),
  );
  const naming = (text: string) =>
    sources.flatMap((source) => (source.text.includes(text) ? [source.name] : [])).toSorted();

  it('is set by the entry of npm run dev alone, which no other file starts', () => {
    expect(naming('startDevelopment')).toEqual(['lib/domain/development.ts', 'server/dev-main.ts']);
    expect(naming('gateway.development')).toEqual(['lib/domain/development.ts']);
    expect(naming('dev-main')).toEqual(['server/dev.mjs']);
  });

  it('cannot be set if NODE_ENV is production', () => {
    const { status, stderr } = spawnSync(process.execPath, ['--import', 'tsx', 'server/dev-main.ts'], {
      cwd: projectRoot,
      encoding: 'utf8',
      env: { ...process.env, NODE_ENV: 'production' },
    });
    expect(status).not.toBe(0);
    expect(stderr).toContain('This entry is for development.');
  });
});
