import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Capability } from '../lib/domain/model';
import { providerDefinitions } from '../lib/providers/registry';
import { layers, PROVIDER_LAYER, typesOnly } from './support/layers';
import { projectRoot } from './support/project';
import { sourcesBelow } from './support/sources';

// Rules about the source that the linter cannot express. support/layers.ts lists which folder may import which.

const lib = sourcesBelow('lib');
const app = sourcesBelow('app');
const server = sourcesBelow('server');
const all = [...lib, ...app, ...server];
const names = new Set(all.map(({ name }) => name));

describe('the source', () => {
  it('is read: the rules below see its files', () => {
    expect(lib.length).toBeGreaterThan(100);
    expect(app.length).toBeGreaterThan(15);
    expect(server.length).toBeGreaterThan(2);
  });

  it('keeps no state at the top level of lib, because one process loads it several times', () => {
    const stateful = lib
      // A worker's entry is loaded once, in a thread of its own.
      .filter(({ name }) => !name.endsWith('-worker.ts'))
      .flatMap(({ name, text }) =>
        text
          .split('\n')
          .filter((line) =>
            /^(export )?let |^(export )?const \w+(: [^=]+)? = (new (Map|Set|WeakMap|WeakSet|LRUCache|Pool|Agent|EventEmitter)\b(?!.*\[)|setInterval|setTimeout|createClient)/.test(
              line,
            ),
          )
          // A set of constants is not state.
          .filter((line) => !/ReadonlySet<|ReadonlyMap<|new Set\(\[|new Set<[^>]+>\(\[/.test(line))
          .map((line) => `${name}: ${line}`),
      );
    expect(stateful).toEqual([]);
  });

  it('parses URLs without URL.canParse, which Node 20 gets wrong', () => {
    const using = [...lib, ...server].filter(
      ({ name, text }) => name !== 'lib/domain/url.ts' && /URL\.canParse/.test(text),
    );
    expect(using.map(({ name }) => name)).toEqual([]);
  });

  it('names a provider only in its folder, in the registry and in data', () => {
    const ids = providerDefinitions.map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(0);
    const named = all
      .filter(({ name }) => !name.startsWith('lib/providers/') && !name.startsWith('lib/catalog/families/'))
      .flatMap(({ name, text }) =>
        ids
          .filter((id) => new RegExp(`===? '${id}'|case '${id}'|\\['${id}'\\]`).test(text))
          .map((id) => `${name} names ${id}`),
      );
    expect(named).toEqual([]);
  });

  it('runs the contract suite of every capability of every provider', () => {
    const suites: Readonly<Record<Capability, RegExp>> = {
      video: /^ *video(Vendor)?Contract\(/m,
      messages: /^ *messagesContract\(/m,
      stt: /^ *sttContract\(/m,
      tts: /^ *ttsContract\(/m,
    };
    const missing = providerDefinitions.flatMap(({ id, capabilities }) => {
      const tests = sourcesBelow(`tests/providers/${id}`, /\.test\.ts$/);
      return capabilities
        .filter((capability) => !tests.some(({ text }) => suites[capability].test(text)))
        .map((capability) => `${id}: ${capability}`);
    });
    // The suites of speech are about the connection to a vendor; the sandbox has none, and tests of its own.
    expect(missing).toEqual(['sandbox: stt', 'sandbox: tts']);
  });

  it('has a case for every video vendor, with which the gate runs a whole gateway', () => {
    const [cases] = sourcesBelow('tests/conformance', /^video-vendor-cases\.ts$/);
    const vendors = providerDefinitions.filter(({ capabilities }) => capabilities.includes('video'));
    const missing = vendors.filter(({ id }) => !cases?.text.includes(`'../../lib/providers/${id}/index'`));
    expect(missing.map(({ id }) => id)).toEqual(['sandbox']);
  });

  it('reads the environment only where the process begins', () => {
    // Code for others to copy reads their environment, not ours.
    const readers = all
      .filter(({ name }) => !name.startsWith('app/console/components/code/'))
      .filter(({ text }) => /process\.env(?!\.NEXTAUTH_)/.test(text))
      .map(({ name }) => name);
    expect(
      readers.filter(
        (name) =>
          ![
            'server/main.ts',
            'server/compose.ts',
            'server/operator-command.ts',
            'server/dev-main.ts',
            'server/doctor.ts',
            'server/patchbay.ts',
            'server/seed.ts',
          ].includes(name),
      ),
    ).toEqual([]);
  });

  it("reaches the outside only through the guarded fetch and the providers' kit, apart from the client that apps install", () => {
    const callers = lib
      .filter(
        ({ name }) =>
          !['lib/net/', 'lib/providers/kit/', 'lib/client/', 'lib/cli/'].some((home) => name.startsWith(home)),
      )
      .filter(({ text }) =>
        /from 'undici'|from 'node:https?'|import \{[^}]*(connect|Socket)[^}]*\} from 'node:net'|globalThis\.fetch|\bnew WebSocket\(/.test(
          text,
        ),
      )
      .map(({ name }) => name);
    // Address syntax and the database's socket class do not reach the outside, and the connector only for these two.
    const others = ['lib/config/variables.ts', 'lib/db/open-database.ts', 'lib/io/undici-connector.ts'];
    expect(callers.filter((name) => !others.includes(name))).toEqual([]);
  });

  it('has no file whose name says nothing about what is inside', () => {
    expect(
      all.map(({ name }) => name).filter((name) => /(^|\/)(utils?|helpers?|common|misc|types)(\.|\/)/i.test(name)),
    ).toEqual([]);
  });

  it('builds every address of a page of the console in paths.ts', () => {
    const literal = app
      .filter(({ name }) => name !== 'app/console/paths.ts')
      .flatMap(({ name, text }) => (/(href|push|replace|redirect)[=(]\s*\{?['"`]\/console/.test(text) ? [name] : []));
    expect(literal).toEqual([]);
  });
});

/** The folder of the provider that has a file. */
const providerOf = (file: string) => file.split('/')[2];

describe('the direction of imports', () => {
  const files = new Map(all.map(({ name, text }) => [name, importedFiles(name, text)]));
  const layerImports = [...files].flatMap(([name, imported]) =>
    imported
      .map((target) => ({ name, target, from: layerOf(name), to: layerOf(target) }))
      .filter(({ from, to }) => from !== to),
  );

  it('is read: the rules below see the imports', () => {
    expect(layerImports.length).toBeGreaterThan(500);
    expect(files.get('lib/domain/provider.ts')).toContain('lib/domain/call.ts');
  });

  it('has a rule for every folder', () => {
    const present = [...files.keys()].map(layerOf);
    expect(present.filter((layer) => !(layer in layers))).toEqual([]);
    expect(Object.keys(layers).filter((layer) => !present.includes(layer))).toEqual([]);
  });

  it('follows the list in every file, type imports included', () => {
    const wrong = layerImports.filter(({ from, to }) => !layers[from]?.includes(to));
    expect(wrong.map(({ name, target }) => `${name} imports ${target}`)).toEqual([]);
  });

  it('is known to the linter, which shows a wrong import of app in the editor', () => {
    const forbidden = Object.keys(layers).filter(
      (layer) => !layers.app?.includes(layer) || typesOnly.app?.includes(layer),
    );
    const folders = forbidden.filter((layer) => !['app', 'server'].includes(layer)).map((layer) => layer.split('/')[0]);
    // Safe: the linter reads the same file.
    const { overrides } = JSON.parse(readFileSync(path.join(projectRoot, '.oxlintrc.json'), 'utf8')) as LintRules;
    const rule = overrides.find(({ files }) => files.includes('app/**'))?.rules['no-restricted-imports'];
    expect(rule?.[1]?.patterns).toEqual([
      {
        regex: `^(\\.\\./)+(lib/(${[...new Set(folders)].join('|')})|server)(/|$)`,
        allowTypeImports: true,
        message: expect.any(String),
      },
    ]);
  });

  it('lists nothing that no file imports', () => {
    const unused = Object.entries(layers).flatMap(([from, allowed]) =>
      allowed
        .filter((to) => !layerImports.some((used) => used.from === from && used.to === to))
        .map((to) => `${from} imports nothing from ${to}`),
    );
    expect(unused).toEqual([]);
  });

  it('never leads from one provider to another, except through the registry', () => {
    const wrong = [...files].flatMap(([name, imported]) =>
      layerOf(name) === PROVIDER_LAYER
        ? imported
            .filter((target) => layerOf(target) === PROVIDER_LAYER && providerOf(target) !== providerOf(name))
            .map((target) => `${name} imports ${target}`)
        : [],
    );
    expect(wrong).toEqual([]);
  });

  it('points upwards in the list: a folder imports only from those above its own', () => {
    const order = Object.keys(layers);
    const wrong = Object.entries(layers).flatMap(([from, allowed]) =>
      allowed.filter((to) => order.indexOf(to) >= order.indexOf(from)).map((to) => `${from} imports ${to}`),
    );
    expect(wrong).toEqual([]);
  });

  it('has no circle between files, type imports included', () => {
    expect(findCircle(files)).toEqual([]);
  });
});

describe('findCircle', () => {
  it('names the members of a circle in their order', () => {
    const graph = new Map([
      ['a', ['b', 'c']],
      ['b', ['d']],
      ['c', ['d', 'e']],
      ['d', []],
      ['e', ['c']],
    ]);
    expect(findCircle(graph)).toEqual(['c', 'e', 'c']);
    expect(findCircle(new Map([...graph, ['e', []]]))).toEqual([]);
  });
});

interface LintRules {
  readonly overrides: readonly {
    readonly files: readonly string[];
    readonly rules: Readonly<Record<string, readonly [string, { readonly patterns?: readonly object[] }]>>;
  }[];
}

/** The row of `layers` that a file belongs to, by its path from the project's root. */
function layerOf(file: string): string {
  const [top = '', folder = '', provider = '', rest] = file.replace(/\.tsx?$/, '').split('/');
  if (top !== 'lib') return top;
  if (folder !== 'providers' || rest === undefined) return folder;
  const own = `providers/${provider}`;
  return own in layers ? own : PROVIDER_LAYER;
}

/** The files of lib, app and server that a file imports. */
function importedFiles(file: string, text: string): string[] {
  return [...text.matchAll(/(?:from|import|import\()\s*'(\.[^']*)'/g)].flatMap(([, specifier = '']) => {
    const target = path.join(path.dirname(file), specifier);
    return [`${target}.ts`, `${target}.tsx`].filter((name) => names.has(name));
  });
}

/** One circle of a graph, with its first member again at its end; empty if there is none. */
function findCircle(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>();
  const visit = (node: string, trail: readonly string[]): string[] => {
    if (trail.includes(node)) return [...trail.slice(trail.indexOf(node)), node];
    if (done.has(node)) return [];
    for (const next of graph.get(node) ?? []) {
      const circle = visit(next, [...trail, node]);
      if (circle.length > 0) return circle;
    }
    done.add(node);
    return [];
  };
  for (const node of graph.keys()) {
    const circle = visit(node, []);
    if (circle.length > 0) return circle;
  }
  return [];
}
