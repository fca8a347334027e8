import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../lib/config/config';
import { documentedVariables } from '../../lib/config/documented-variables';
import { keyLimitNames, limitNames } from '../../lib/domain/limits';
import { configDocs, exampleEnv } from '../../server/write-config-docs';
import { projectRoot } from '../support/database';

const acme = {
  id: 'acme',
  settings: [
    { name: 'ACME_API_KEY', required: true, description: 'API key of Acme.' },
    { name: 'ACME_BASE_URL', required: false, description: 'Overrides the API base URL.' },
  ],
};

describe('npm run docs:config', () => {
  it.each(Object.entries(configDocs()))('keeps %s up to date with the variables', (file, text) => {
    expect(readFileSync(path.join(projectRoot, file), 'utf8')).toBe(text);
  });
});

describe('KEY_LIMITS', () => {
  it('names the limits that a key may have of its own, and no others', () => {
    const { description } = documentedVariables([]).find(({ name }) => name === 'KEY_LIMITS') ?? {};
    const named = limitNames.filter((name) => description?.includes(name));
    expect(named.toSorted()).toEqual(keyLimitNames.toSorted());
  });
});

describe('.env.example', () => {
  const text = exampleEnv(documentedVariables([acme]));

  it('sets nothing by default, and the default values when every # is removed', () => {
    expect(parseEnv(text)).toEqual({});
    const uncommented = parseEnv(text.replace(/^#(?=[A-Z_]+=)/gm, ''));
    expect(uncommented).toMatchObject({ PORT: '3000', DATABASE_URL: '', ACME_API_KEY: '' });
    expect(readConfig(uncommented, [acme])).toEqual(readConfig({}, [acme]));
  });

  it('names the variable that enables each provider', () => {
    expect(text).toContain(
      '# API key of Acme. If not set: the provider acme is not offered.\n#ACME_API_KEY=\n\n# Overrides the API base URL.\n#ACME_BASE_URL=\n',
    );
  });

  it('has no sentence line above 120 columns', () => {
    // The line of a variable has its default, which cannot be broken.
    const sentences = text.split('\n').filter((line) => !/^#[A-Z\d_]+=/.test(line));
    expect(sentences.filter((line) => line.length > 120)).toEqual([]);
  });
});
