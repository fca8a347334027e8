import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readEnvFile } from '../../../lib/config/env-file';

let home: string;
beforeAll(() => {
  home = mkdtempSync(path.join(tmpdir(), 'patchbay-env-'));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

it('reads the variables of a file, including comments and quotes', () => {
  const file = path.join(home, '.env');
  writeFileSync(file, '# PORT=1\nPORT=8080\nMAIL="two words"\nEMPTY=\nexport HOST=0.0.0.0 # everywhere\n');
  expect(readEnvFile(file)).toEqual({ PORT: '8080', MAIL: 'two words', EMPTY: '', HOST: '0.0.0.0' });
});

it('has no variables without a file, and fails when a file cannot be read', () => {
  expect(readEnvFile(path.join(home, 'none'))).toEqual({});
  expect(() => readEnvFile(home)).toThrow('EISDIR');
});
