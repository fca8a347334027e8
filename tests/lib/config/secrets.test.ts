import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../../lib/config/config';
import { findOperatorToken, readSecrets } from '../../../lib/config/secrets';

let home: string;
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'patchbay-secrets-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const read = (env: Record<string, string> = {}) =>
  readSecrets(readConfig({ DATA_DIR: path.join(home, 'data'), ...env }, []));
const file = () => path.join(home, 'data', 'secrets.json');
const [auth, master, operator] = ['a'.repeat(32), 'b'.repeat(32), 'c'.repeat(32)];

describe('readSecrets', () => {
  it('makes secrets once, readable for the owner alone, and finds the same ones at every later start', () => {
    const made = read();
    expect(made.authSecret).toMatch(/^[\w-]{43}$/);
    expect(made.masterKey).toMatch(/^[\w-]{43}$/);
    expect(made.operatorToken).toMatch(/^[\w-]{43}$/);
    expect(new Set(Object.values(made)).size).toBe(3);
    expect((statSync(file()).mode & 0o777).toString(8)).toBe('600');
    expect((statSync(path.dirname(file())).mode & 0o777).toString(8)).toBe('700');
    expect(read()).toEqual(made);
  });

  it('writes nothing when the configuration has all of them', () => {
    expect(read({ AUTH_SECRET: auth, MASTER_KEY: master, OPERATOR_TOKEN: operator })).toEqual({
      authSecret: auth,
      masterKey: master,
      operatorToken: operator,
    });
    expect(existsSync(file())).toBe(false);
  });

  it('makes no operator token for an external database, whose instances could not share it', () => {
    const external = { DATABASE_URL: 'postgres://db.example.com/patchbay', AUTH_SECRET: auth, MASTER_KEY: master };
    expect(read(external)).toEqual({ authSecret: auth, masterKey: master });
    expect(read({ ...external, OPERATOR_TOKEN: operator })).toEqual({
      authSecret: auth,
      masterKey: master,
      operatorToken: operator,
    });
    expect(existsSync(file())).toBe(false);
  });

  it('adds the operator token to a file of an older version, and changes nothing else in it', () => {
    mkdirSync(path.dirname(file()), { recursive: true });
    writeFileSync(file(), JSON.stringify({ authSecret: auth, masterKey: master }));
    const made = read();
    expect(made).toEqual({
      authSecret: auth,
      masterKey: master,
      operatorToken: expect.stringMatching(/^[\w-]{43}$/) as string,
    });
    expect(read()).toEqual(made);
    expect((statSync(file()).mode & 0o777).toString(8)).toBe('600');
  });

  it('prefers what the configuration has, and keeps the other', () => {
    const made = read();
    expect(read({ MASTER_KEY: master })).toEqual({ ...made, masterKey: master });
    expect(read()).toEqual(made);
  });

  it('does not replace a file that it cannot read: what is sealed with it would be lost', () => {
    read();
    writeFileSync(file(), '{"authSecret":');
    expect(() => read()).toThrow(`${file()} cannot be read. Restore it, or set AUTH_SECRET and MASTER_KEY.`);
    expect(readFileSync(file(), 'utf8')).toBe('{"authSecret":');
  });

  it.each(['null', '{}', '{"authSecret":"short","masterKey":"short"}', '[]'])(
    'treats a file that contains %s as one that it cannot read',
    (text) => {
      read();
      writeFileSync(file(), text);
      expect(() => read()).toThrow('cannot be read');
    },
  );
});

/** Until the returned function is called, this process may not enter the folder. */
function becomeStranger(folder: string): () => void {
  if (process.geteuid?.() !== 0) {
    chmodSync(folder, 0);
    return () => chmodSync(folder, 0o700);
  }
  process.seteuid?.(65_534);
  return () => process.seteuid?.(0);
}

describe('findOperatorToken', () => {
  const find = (env: Record<string, string> = {}) =>
    findOperatorToken(readConfig({ DATA_DIR: path.join(home, 'data'), ...env }, []));

  it('finds what the server uses, and creates nothing', () => {
    expect(find()).toBeUndefined();
    expect(existsSync(file())).toBe(false);
    const { operatorToken } = read();
    expect(find()).toBe(operatorToken);
    expect(find({ OPERATOR_TOKEN: operator })).toBe(operator);
  });

  it('says that a file of another user is intact, and what this command needs of it', () => {
    read();
    const restore = becomeStranger(home);
    try {
      expect(() => find()).toThrow(
        `${file()} cannot be read by this user. Run the command as the user that owns the file, or set OPERATOR_TOKEN.`,
      );
      expect(find({ OPERATOR_TOKEN: operator })).toBe(operator);
    } finally {
      restore();
    }
  });

  it('does not take a token of the embedded database for one of an external database', () => {
    read();
    expect(
      find({ DATABASE_URL: 'postgres://db.example.com/patchbay', AUTH_SECRET: auth, MASTER_KEY: master }),
    ).toBeUndefined();
  });
});
