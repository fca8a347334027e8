import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from '../../../lib/config/config';
import { providerDefinitions } from '../../../lib/providers/registry';
import { examineSettings } from '../../../server/examine-settings';
import { certificate } from '../../support/certificate';

let home: string;
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'patchbay-settings-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const write = (name: string, text: string): string => {
  const file = path.join(home, name);
  writeFileSync(file, text);
  return file;
};

/** The errors of these settings in a new folder. */
async function errorsOf(env: Record<string, string>): Promise<readonly string[]> {
  const config = readConfig({ DATA_DIR: path.join(home, 'data'), ...env }, providerDefinitions);
  try {
    await examineSettings(config, providerDefinitions);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.errors;
    throw error;
  }
}

describe('examineSettings', () => {
  it('accepts settings with which the product starts, and writes nothing', async () => {
    const [cert, key] = [write('cert.pem', certificate.cert), write('key.pem', certificate.key)];
    const before = readdirSync(home);
    expect(
      await errorsOf({
        MEDIA_STORE: path.join(home, 'new/media'),
        TLS_CERT_FILE: cert,
        TLS_KEY_FILE: key,
        ANTHROPIC_API_KEY: 'key',
        OPENAI_COMPATIBLE_BASE_URL: 'http://localhost:11434/v1',
      }),
    ).toEqual([]);
    expect(readdirSync(home)).toEqual(before);
  });

  it('reports every error together: folders, files and the settings of all providers', async () => {
    const file = write('file', '');
    const errors = await errorsOf({
      DATA_DIR: file,
      MEDIA_STORE: path.join(file, 'media'),
      TLS_CERT_FILE: path.join(home, 'nope.pem'),
      TLS_KEY_FILE: home,
      CATALOG_FILE: path.join(home, 'nope.json'),
      KLING_API_KEY: 'key',
      KLING_BASE_URL: 'foo',
      GOOGLE_VERTEX_SERVICE_ACCOUNT: 'a secret that is no JSON',
      OPENAI_COMPATIBLE_BASE_URL: 'localhost:11434',
      OPENAI_VIDEOS_BASE_URL: 'videos.example',
      OPENAI_VIDEOS_MODEL: 'model',
      OPENAI_VIDEOS_SIZES: '1x',
      OPENAI_VIDEOS_PRICE: '-1',
    });
    expect(errors).toEqual([
      `DATA_DIR must be a directory that this user can write to; ${file} is a file.`,
      `MEDIA_STORE must be a directory that this user can write to; ${file} is a file.`,
      `TLS_CERT_FILE names ${home}/nope.pem, which does not exist.`,
      `TLS_KEY_FILE names ${home}, which is a directory.`,
      `CATALOG_FILE ${home}/nope.json: the file does not exist.`,
      'OPENAI_COMPATIBLE_BASE_URL must be an http or https URL, such as http://127.0.0.1:11434/v1.',
      expect.stringMatching(/^GOOGLE_VERTEX_SERVICE_ACCOUNT must be the JSON text/),
      'KLING_BASE_URL must be an http or https URL, such as https://api-singapore.klingai.com.',
      'OPENAI_VIDEOS_BASE_URL must be an http or https URL, such as https://videos.example/v1.',
      expect.stringMatching(/^OPENAI_VIDEOS_SIZES must be sizes such as .* got "1x"\.$/),
      expect.stringMatching(/^OPENAI_VIDEOS_PRICE must be dollars per second, .* got "-1"\.$/),
    ]);
    expect(errors.join()).not.toContain('a secret');
  });

  it('reports every error of the catalog file', async () => {
    const file = write('catalog.json', JSON.stringify({ models: [{ id: 'lantern-9' }, {}] }));
    expect(await errorsOf({ CATALOG_FILE: file })).toEqual([
      expect.stringMatching(/^CATALOG_FILE .*catalog\.json: models\[0\]\.id names no model of the catalog/),
      expect.stringMatching(/^CATALOG_FILE .*catalog\.json: models\[1\]\.id is missing/),
    ]);
  });

  it('says which TLS file is none, and which key is that of another certificate', async () => {
    const text = write('text.pem', 'hello');
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    const [cert, otherKey] = [
      write('cert.pem', certificate.cert),
      write('other.pem', String(other.export({ type: 'pkcs8', format: 'pem' }))),
    ];
    expect(await errorsOf({ TLS_CERT_FILE: text, TLS_KEY_FILE: text })).toEqual([
      `TLS_CERT_FILE must be a certificate in PEM format; ${text} is not one.`,
      `TLS_KEY_FILE must be a private key in PEM format, without a passphrase; ${text} is not one.`,
    ]);
    expect(await errorsOf({ TLS_CERT_FILE: cert, TLS_KEY_FILE: otherKey })).toEqual([
      'TLS_KEY_FILE must be the private key of the certificate in TLS_CERT_FILE; it belongs to another certificate.',
    ]);
  });

  it('accepts a folder that exists, and one that can be created in it', async () => {
    mkdirSync(path.join(home, 'data'));
    expect(await errorsOf({ MEDIA_STORE: path.join(home, 'data/media') })).toEqual([]);
  });

  const baseUrls = providerDefinitions.flatMap(({ id, settings, alternatives = [] }) => {
    const needed = [
      ...settings.filter(({ required }) => required).map(({ name }) => name),
      ...(alternatives.at(-1) ?? []),
    ];
    const names = settings.map(({ name }) => name).filter((name) => name.endsWith('BASE_URL'));
    return names.map((name) => ({ id, name, needed }));
  });

  it.each(baseUrls)('names $name of $id if it is no URL', async ({ name, needed }) => {
    const credentials = Object.fromEntries(needed.map((each) => [each, 'key']));
    expect(await errorsOf({ ...credentials, [name]: 'localhost:1' })).toContainEqual(
      expect.stringMatching(new RegExp(`^${name} must be an http or https URL`)),
    );
  });
});
