import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

// The errors that other gateways had are numbered in the project's regression matrix, and a test that shows that we lack one
// begins with its number. Here only this is looked at: no row was forgotten, and none was dropped later.

const ROWS = 51;
const folders = ['tests/conformance', 'tests/providers/dialects', 'tests/lib/messages'];

function numberedFacts(): Map<number, string> {
  const facts = new Map<number, string>();
  for (const folder of folders) {
    for (const file of readdirSync(folder).filter((name) => name.endsWith('.test.ts'))) {
      const source = readFileSync(path.join(folder, file), 'utf8');
      // The name behind `it(` or behind the table of `it.each(…)(`.
      for (const [, row, fact] of source.matchAll(/(?:\bit\(|\)\()\s*['"`](\d+): ([^\n]+?)['"`],/g))
        facts.set(Number(row), fact ?? '');
    }
  }
  return facts;
}

describe('the regression matrix', () => {
  it('has a test for each of its rows, named by the fact', () => {
    const facts = numberedFacts();
    expect([...facts.keys()].toSorted((one, other) => one - other)).toEqual(
      Array.from({ length: ROWS }, (_, index) => index + 1),
    );
    for (const fact of facts.values()) expect(fact.split(' ').length).toBeGreaterThan(3);
  });
});
