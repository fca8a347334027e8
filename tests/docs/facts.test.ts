import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { applyCatalogFile } from '../../lib/catalog/apply-catalog-file';
import { canOrderWith } from '../../lib/catalog/can-order';
import { allModels } from '../../lib/catalog/models';
import { documentedVariables } from '../../lib/config/documented-variables';
import type { SettingAlias } from '../../lib/domain/provider';
import { createAnchors } from '../../lib/docs/page';
import { providerDefinitions } from '../../lib/providers/registry';
import { layers } from '../support/layers';
import { projectRoot } from '../support/project';
import { codeBlocks, codeWords, docsPages, docsText, sectionOf, tableRows } from './pages';

// What the pages name must exist: links, files, commands and variables. The numbers that they state must be true.

const pages = docsPages.map(({ name, text }) => [name, text] as const);
const exists = (file: string) => existsSync(path.join(projectRoot, file));
/** Without code blocks, whose contents are samples. */
const prose = (text: string) => text.replace(/^```[^]*?^```$/gm, '');

describe.each(pages)('%s', (name, text) => {
  it('links to files, pages and headings that exist', () => {
    for (const target of linksOf(text)) {
      if (/^https?:/.test(target)) continue;
      const [file = '', anchor] = target.split('#');
      const page = file === '' ? name : path.posix.join(path.posix.dirname(name), file);
      expect(exists(page), target).toBe(true);
      if (anchor !== undefined) expect(headingsOf(docsText(page)), target).toContain(anchor);
    }
  });

  it('names files and folders that exist', () => {
    const named = codeWords(prose(text)).filter((word) =>
      /^(lib|server|app|tests|docs|drizzle|\.ci)\/[\w./-]+$/.test(word),
    );
    // Orbit is the provider that the guides add.
    expect(named.filter((file) => !/\borbit\b/.test(file) && !exists(file))).toEqual([]);
  });

  it('names scripts of package.json', () => {
    const { scripts } = readPackage(projectRoot);
    const named = [...text.matchAll(/\bnpm run (?:--silent )?([\w:-]+)|\bnpm (start|test)\b/g)].map(
      ([, script, short = '']) => script ?? short,
    );
    expect(named.filter((script) => !(script in scripts))).toEqual([]);
  });

  it('names environment variables that exist', () => {
    const variables = new Set([
      ...documentedVariables(providerDefinitions).map(({ name: variable }) => variable),
      ...providerDefinitions.flatMap(({ settings }) =>
        settings.flatMap(({ aliases = [] }) => aliases.flatMap(variablesOf)),
      ),
      // Of Node.
      'NODE_EXTRA_CA_CERTS',
      // Of the samples, the tests and the benchmark.
      'PATCHBAY_API_KEY',
      'CRASH_ROUNDS',
      'PROOF_RUNS',
      'PORTKEY_DIR',
      'PREVIOUS_SUITES',
      'PREVIOUS_VERSION',
      'PATCHBAY_BASE_URL',
      'XDG_CONFIG_HOME',
      'COST_AGAINST',
      'COST_ENV',
      'COST_NODE_ARGS',
      'CHROMIUM_PATH',
      'ORBIT_API_KEY',
      'ORBIT_BASE_URL',
    ]);
    const named = codeWords(prose(text)).flatMap(
      (word) => /^([A-Z][A-Z\d]*(?:_[A-Z\d]+)+)(?:=.*)?$/.exec(word)?.[1] ?? [],
    );
    expect(named.filter((variable) => !variables.has(variable))).toEqual([]);
  });
});

function variablesOf(alias: SettingAlias): string[] {
  if (typeof alias === 'string') return [alias];
  return 'of' in alias ? [alias.of] : [alias.id, alias.secret];
}

it('the samples of a catalog file have no errors', () => {
  const samples = codeBlocks(docsText('docs/catalog-file.md')).filter(({ language }) => language === 'json');
  expect(samples.length).toBeGreaterThan(1);
  for (const { text } of samples)
    expect(() => applyCatalogFile('catalog.json', text, allModels, canOrderWith(providerDefinitions))).not.toThrow();
});

describe('the README', () => {
  const text = docsText('README.md');

  it('has at most 150 lines, none above 120 columns', () => {
    const lines = text.trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(150);
    expect(lines.filter((line) => line.length > 120)).toEqual([]);
  });

  it('says how many video models this source can serve live', () => {
    const video = allModels.filter((model) => model.capability === 'video');
    const served = video.filter(({ bindings }) =>
      bindings.some((binding) => {
        const definition = providerDefinitions.find(({ id }) => id === binding.providerId);
        return definition?.capabilities.includes('video') && (definition.knows?.(binding) ?? true);
      }),
    );
    const priced = served.filter(({ bindings }) => bindings.some(({ price }) => price.verified));
    // At once, so that a new model shows every number that must change.
    expect([
      /Video: \d+ of the \d+ video models/.exec(text)?.[0],
      /The prices of \d+ were read/.exec(text)?.[0],
      /\d+ of the \d+ video models/.exec(docsText('docs/catalog.md'))?.[0],
    ]).toEqual([
      `Video: ${served.length} of the ${video.length} video models`,
      `The prices of ${priced.length} were read`,
      `${video.length - served.length} of the ${video.length} video models`,
    ]);
  });

  it('has pictures of at most 200 KB', () => {
    const pictures = linksOf(text).filter((target) => target.endsWith('.webp'));
    expect(pictures).toHaveLength(2);
    for (const picture of pictures) expect(readFileSync(path.join(projectRoot, picture)).length).toBeLessThan(200_000);
  });
});

describe('the architecture page', () => {
  it('names every folder of lib', () => {
    const tree = codeBlocks(docsText('docs/architecture.md'))[0]?.text ?? '';
    const folders = readdirSync(path.join(projectRoot, 'lib'), { withFileTypes: true }).filter((entry) =>
      entry.isDirectory(),
    );
    expect(folders.map(({ name }) => `  ${name}/`).filter((line) => !tree.includes(line))).toEqual([]);
  });

  it('shows which folder of lib may import which', () => {
    const rows = tableRows(sectionOf(docsText('docs/architecture.md'), 'Layers'));
    const shown = rows.map(([folder = '', imported = '']) => [codeWords(folder)[0], codeWords(imported)]);
    expect(shown).toEqual(Object.entries(layers).filter(([name]) => name !== 'app' && name !== 'server'));
  });
});

describe('the dependencies page', () => {
  const page = docsText('docs/contributing/dependencies.md');
  const { dependencies, devDependencies } = readPackage(projectRoot);

  it.each([
    ['Shipped', dependencies],
    ['Development', devDependencies],
  ])('lists every package of package.json once: %s', (section, installed) => {
    const listed = tableRows(sectionOf(page, section)).flatMap(([names = '']) => codeWords(names));
    expect(listed.toSorted()).toEqual(Object.keys(installed).toSorted());
  });

  it.each(['Shipped', 'Development'])('states the licence of every package: %s', (section) => {
    for (const [names = '', , , licences = ''] of tableRows(sectionOf(page, section))) {
      const installed = codeWords(names).map(
        (name) => readPackage(path.join(projectRoot, 'node_modules', name)).license,
      );
      expect(licences.split(', ').toSorted(), names).toEqual([...new Set(installed)].toSorted());
    }
  });
});

describe('the index of decisions', () => {
  it('lists every page with its date', () => {
    const index = docsText('docs/decisions/README.md');
    const decisions = docsPages.filter(({ name }) => /^docs\/decisions\/(?!README)/.test(name));
    expect(decisions.length).toBeGreaterThan(10);
    for (const { name, text } of decisions) {
      const [, title = '', date = ''] = /^# (.*)\n\n(\d{4}-\d\d-\d\d)\n/.exec(text) ?? [];
      expect(index.replace(/\s+/g, ' ')).toContain(`- ${date}: [${title}](${path.posix.basename(name)})`);
    }
  });
});

describe('the performance page', () => {
  it('describes the scenarios of the benchmark', () => {
    const files = readdirSync(path.join(projectRoot, 'tests/bench/scenarios')).map((file) => file.replace('.ts', ''));
    const described = tableRows(docsText('docs/performance.md')).flatMap(([names = '']) => codeWords(names));
    expect(described.toSorted()).toEqual(files.toSorted());
  });

  it('names the arguments of Node that npm start and the Dockerfile use', () => {
    const commandOf = (file: string, command: RegExp) =>
      command.exec(readFileSync(path.join(projectRoot, file), 'utf8'))?.[1]?.match(/--[\w-]+=?\w*/g) ?? [];
    const used = commandOf('package.json', /"start": "([^"]+)"/);
    expect(used).not.toEqual([]);
    expect(commandOf('Dockerfile', /^CMD \[(.+)\]/m)).toEqual(used);
    expect(codeWords(docsText('docs/performance.md'))).toEqual(expect.arrayContaining(used));
  });
});

/** The `package.json` of a folder. */
function readPackage(folder: string) {
  // Safe: npm reads the same files.
  return JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
    dependencies: Record<string, string>;
    devDependencies: Record<string, string>;
    license: string;
  };
}

/** Targets of links and pictures. */
function linksOf(text: string): string[] {
  return [...prose(text).matchAll(/\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"/g)].map(
    ([, link, picture = '']) => link ?? picture,
  );
}

/** The anchors of a page's headings. */
function headingsOf(text: string): string[] {
  const nameHeading = createAnchors();
  return [...prose(text).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => nameHeading(heading));
}
