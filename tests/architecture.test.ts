import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { providerDefinitions } from '../lib/providers/registry';

// What no linter can say about the house. Each rule was born from a slip that such houses know.

const root = path.resolve(import.meta.dirname, '..');

function sourcesBelow(folder: string): { name: string; text: string }[] {
  return readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .map((file) => ({ name: path.relative(root, file), text: readFileSync(file, 'utf8') }));
}

const lib = sourcesBelow('lib');
const app = sourcesBelow('app');
const server = sourcesBelow('server');
const all = [...lib, ...app, ...server];

describe('the house', () => {
  it('was really read: the rules below see its files', () => {
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
          // A set of constants is no state.
          .filter((line) => !/ReadonlySet<|ReadonlyMap<|new Set\(\[|new Set<[^>]+>\(\[/.test(line))
          .map((line) => `${name}: ${line}`),
      );
    expect(stateful).toEqual([]);
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

  it('gives every provider its contract suite', () => {
    for (const definition of providerDefinitions) {
      const tests = sourcesBelow(`tests/providers/${definition.id}`);
      expect(
        tests.some(({ text }) => /\w+Contract\(/.test(text)),
        `tests/providers/${definition.id} runs no contract suite`,
      ).toBe(true);
    }
  });

  it('reads the environment only where the process begins', () => {
    // Code for others to copy reads their environment, not ours.
    const readers = all
      .filter(({ name }) => !name.startsWith('app/console/_code/'))
      .filter(({ text }) => /process\.env(?!\.NEXTAUTH_)/.test(text))
      .map(({ name }) => name);
    expect(
      readers.filter(
        (name) =>
          ![
            'server/main.ts',
            'server/compose.ts',
            'server/credits.ts',
            'server/dev-main.ts',
            'server/seed.ts',
          ].includes(name),
      ),
    ).toEqual([]);
  });

  it("reaches the outside only through the guarded fetch and the providers' kit", () => {
    const callers = lib
      .filter(({ name }) => !name.startsWith('lib/net/') && !name.startsWith('lib/providers/kit/'))
      .filter(({ text }) =>
        /from 'undici'|from 'node:https?'|import \{[^}]*(connect|Socket)[^}]*\} from 'node:net'|globalThis\.fetch|\bnew WebSocket\(/.test(
          text,
        ),
      )
      .map(({ name }) => name);
    // Address syntax and the database's socket class are not ways out.
    expect(
      callers.filter(
        (name) => !['lib/config.ts', 'lib/db/open-database.ts', 'lib/http/remote-address.ts'].includes(name),
      ),
    ).toEqual([]);
  });

  it('has no file whose name says nothing about what is inside', () => {
    expect(
      all.map(({ name }) => name).filter((name) => /(^|\/)(utils?|helpers?|common|misc|types)(\.|\/)/i.test(name)),
    ).toEqual([]);
  });

  it('builds every console address in paths.ts', () => {
    const literal = app
      .filter(({ name }) => name !== 'app/console/paths.ts')
      .flatMap(({ name, text }) => (/(href|push|replace|redirect)[=(]\s*\{?['"`]\/console/.test(text) ? [name] : []));
    expect(literal).toEqual([]);
  });
});

describe('the direction of imports', () => {
  const layers: Readonly<Record<string, RegExp>> = {
    'lib/domain/': /^lib\/domain\//,
    'lib/providers/kit/': /^lib\/(domain|providers\/kit)\//,
    'lib/db/': /^lib\/(domain|db|workers)/,
    'lib/catalog/': /^lib\/(domain|catalog)\//,
    'lib/routing/': /^lib\/(domain|catalog|routing)\//,
    'lib/net/': /^lib\/(domain|net)\//,
  };

  it('holds for every file, type imports included', () => {
    let seen = 0;
    const wrong: string[] = [];
    for (const { name, text } of lib) {
      const allowed = Object.entries(layers).find(([folder]) => name.startsWith(folder))?.[1];
      for (const imported of importsOf(text)) {
        if (!imported.startsWith('.')) continue;
        seen += 1;
        const target = path.relative(root, path.resolve(root, path.dirname(name), imported));
        if (allowed && !allowed.test(target)) wrong.push(`${name} imports ${target}`);
        if (name.startsWith('lib/') && /^(app|server)\//.test(target)) wrong.push(`${name} imports ${target}`);
        if (
          target.startsWith('lib/providers/') &&
          !name.startsWith('lib/providers/') &&
          target !== 'lib/providers/registry'
        )
          wrong.push(`${name} imports ${target}`);
      }
    }
    expect(seen).toBeGreaterThan(200);
    expect(wrong).toEqual([]);
  });
});

function importsOf(text: string): string[] {
  return [...text.matchAll(/(?:from|import)\s+'([^']+)'/g)].map((match) => match[1] ?? '');
}
