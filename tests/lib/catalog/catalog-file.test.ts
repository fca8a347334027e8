import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CatalogData } from '../../../lib/catalog/apply-catalog-file';
import { canOrderWith } from '../../../lib/catalog/can-order';
import { createCatalogFile, type CatalogFile } from '../../../lib/catalog/catalog-file';
import { allModels } from '../../../lib/catalog/models';
import { providerDefinitions } from '../../../lib/providers/registry';
import { createTestClock, type TestClock } from '../../support/clock';
import { recordLog, type RecordedLog } from '../../support/log';
import { fileOf, lantern } from './file-models';

let folder: string;
let file: string;
let clock: TestClock;
let log: RecordedLog;
let catalogFile: CatalogFile;
let end: (() => void) | undefined;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'patchbay-catalog-'));
  file = path.join(folder, 'catalog.json');
  clock = createTestClock();
  log = recordLog();
  catalogFile = createCatalogFile({
    file,
    base: allModels,
    canOrder: canOrderWith(providerDefinitions),
    clock,
    log,
  });
});
afterEach(async () => {
  end?.();
  end = undefined;
  await rm(folder, { recursive: true });
});

/** Begins to watch the file and keeps what it adopts. */
async function watch(): Promise<CatalogData[]> {
  await catalogFile.read();
  const adopted: CatalogData[] = [];
  end = catalogFile.watch((data) => adopted.push(data));
  return adopted;
}

/** Lets the clock run, and the file system with it, until the expectation holds. */
const within = (expectation: () => void) =>
  vi.waitFor(
    async () => {
      await clock.advance(1_000);
      expectation();
    },
    { timeout: 5_000, interval: 5 },
  );

const named = (name: string) => fileOf({ ...lantern, name });
const nameIn = (data: CatalogData | undefined) => data?.models.find(({ id }) => id === 'lantern-t2v')?.name;

describe('the file at the start', () => {
  it('is read with its models', async () => {
    await writeFile(file, named('First'));
    expect(nameIn(await catalogFile.read())).toBe('First');
  });

  it('is refused with every error', async () => {
    await writeFile(file, fileOf({ id: 'nothing' }, { ...lantern, seconds: 'four' }));
    await expect(catalogFile.read()).rejects.toThrow(
      /^CATALOG_FILE .*catalog\.json has 2 errors:\n {2}- models\[0\]\.id names no model.*\n {2}- models\[1\]\.seconds must be a list; got "four"\.$/,
    );
  });

  it('that is missing, or a directory, is refused with the reason', async () => {
    await expect(catalogFile.read()).rejects.toThrow('the file does not exist.');
    await mkdir(file);
    await expect(catalogFile.read()).rejects.toThrow('the file is a directory.');
  });
});

describe('a change of the file', () => {
  it('is adopted once, whether the file is written again or replaced', async () => {
    await writeFile(file, named('First'));
    const adopted = await watch();
    await writeFile(file, named('Second, longer'));
    await within(() => expect(adopted.map(nameIn)).toEqual(['Second, longer']));
    await writeFile(`${file}.new`, named('Third'));
    await rename(`${file}.new`, file);
    await within(() => expect(adopted.map(nameIn)).toEqual(['Second, longer', 'Third']));
    for (let looks = 0; looks < 5; looks += 1) await clock.advance(1_000);
    expect(adopted).toHaveLength(2);
    expect(catalogFile.errors()).toEqual([]);
  });

  it('behind a link is adopted, as Kubernetes updates a file', async () => {
    for (const [version, name] of [
      ['v1', 'First'],
      ['v2', 'Second'],
    ] as const) {
      await mkdir(path.join(folder, version));
      await writeFile(path.join(folder, version, 'catalog.json'), named(name));
    }
    await symlink('v1', path.join(folder, '..data'));
    await symlink('..data/catalog.json', file);
    const adopted = await watch();
    await symlink('v2', path.join(folder, '..new'));
    await rename(path.join(folder, '..new'), path.join(folder, '..data'));
    await within(() => expect(adopted.map(nameIn)).toEqual(['Second']));
  });

  it('to the same text is not adopted', async () => {
    await writeFile(file, named('First'));
    const adopted = await watch();
    await writeFile(`${file}.new`, named('First'));
    await rename(`${file}.new`, file);
    await within(() => expect(clock.now().getTime()).toBeGreaterThan(Date.parse('2026-11-21T12:00:08Z')));
    expect(adopted).toEqual([]);
  });

  it('with errors is not adopted: they are logged once and returned until the file is valid again', async () => {
    await writeFile(file, named('First'));
    const adopted = await watch();
    await writeFile(file, fileOf({ ...lantern, price: undefined }, { id: 'nothing' }));
    await within(() => expect(catalogFile.errors()).toHaveLength(2));
    for (let looks = 0; looks < 5; looks += 1) await clock.advance(1_000);
    expect(adopted).toEqual([]);
    expect(log.lines.map(({ level, message, fields }) => [level, message, fields.reason])).toEqual([
      ['error', 'CATALOG_FILE has an error; the catalog before it stays in force', 'models[0].price is missing.'],
      [
        'error',
        'CATALOG_FILE has an error; the catalog before it stays in force',
        expect.stringMatching(/^models\[1\]\.id names no model/),
      ],
    ]);
    await rm(file);
    await within(() => expect(catalogFile.errors()).toEqual(['the file does not exist.']));
    await writeFile(file, named('Second'));
    await within(() => expect(adopted.map(nameIn)).toEqual(['Second']));
    expect(catalogFile.errors()).toEqual([]);
  });

  it('back to the version in force ends its errors', async () => {
    await writeFile(file, named('First'));
    const adopted = await watch();
    await writeFile(file, '{');
    await within(() => expect(catalogFile.errors()).toHaveLength(1));
    await writeFile(file, named('First'));
    await within(() => expect(catalogFile.errors()).toEqual([]));
    expect(adopted).toEqual([]);
    await rm(file);
    await within(() => expect(catalogFile.errors()).toHaveLength(1));
    await writeFile(file, named('First'));
    await within(() => expect(catalogFile.errors()).toEqual([]));
  });

  it('is not looked for after the end', async () => {
    await writeFile(file, named('First'));
    await watch();
    end?.();
    expect(clock.pending()).toBe(0);
  });
});
