import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makePrivateDirectory } from '../../../lib/io/private-directory';

let parent: string;
beforeEach(() => {
  parent = mkdtempSync(path.join(tmpdir(), 'patchbay-private-'));
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

const modeOf = (directory: string) => statSync(directory).mode & 0o777;

describe('makePrivateDirectory', () => {
  it('makes a directory and its parents for its owner alone', () => {
    const deep = path.join(parent, 'data', 'database');
    expect(makePrivateDirectory(deep)).toBe('private');
    expect([modeOf(path.dirname(deep)), modeOf(deep)]).toEqual([0o700, 0o700]);
  });

  it('closes a directory that other users could enter', () => {
    const open = path.join(parent, 'data');
    mkdirSync(open);
    chmodSync(open, 0o755);
    expect(makePrivateDirectory(open)).toBe('closed');
    expect(modeOf(open)).toBe(0o700);
    expect(makePrivateDirectory(open)).toBe('private');
  });
});
