import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../lib/config';
import { readSecrets } from '../../lib/config-secrets';

let home: string;
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'patchbay-secrets-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const read = (env: Record<string, string> = {}) => readSecrets(readConfig({ DATA_DIR: path.join(home, 'data'), ...env }, []));
const file = () => path.join(home, 'data', 'secrets.json');
const [auth, master] = ['a'.repeat(32), 'b'.repeat(32)];

describe('readSecrets', () => {
  it('makes secrets once, for the eyes of the owner alone, and finds the same ones at every further start', () => {
    const made = read();
    expect(made.authSecret).toMatch(/^[\w-]{43}$/);
    expect(made.masterKey).toMatch(/^[\w-]{43}$/);
    expect(made.authSecret).not.toBe(made.masterKey);
    expect((statSync(file()).mode & 0o777).toString(8)).toBe('600');
    expect((statSync(path.dirname(file())).mode & 0o777).toString(8)).toBe('700');
    expect(read()).toEqual(made);
  });

  it('writes nothing when the configuration has both', () => {
    expect(read({ AUTH_SECRET: auth, MASTER_KEY: master })).toEqual({ authSecret: auth, masterKey: master });
    expect(existsSync(file())).toBe(false);
  });

  it('prefers what the configuration has, and keeps the other', () => {
    const made = read();
    expect(read({ MASTER_KEY: master })).toEqual({ authSecret: made.authSecret, masterKey: master });
    expect(read()).toEqual(made);
  });

  it('does not replace a file that it cannot read: what it has sealed would be lost', () => {
    read();
    writeFileSync(file(), '{"authSecret":');
    expect(() => read()).toThrow(`${file()} cannot be read. Restore it, or set AUTH_SECRET and MASTER_KEY.`);
    expect(readFileSync(file(), 'utf8')).toBe('{"authSecret":');
  });

  it.each(['null', '{}', '{"authSecret":"short","masterKey":"short"}', '[]'])('takes a file that holds %s for one that it cannot read', (text) => {
    read();
    writeFileSync(file(), text);
    expect(() => read()).toThrow('cannot be read');
  });
});
