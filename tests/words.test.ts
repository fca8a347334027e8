import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { docsPages, docsText, tableRows } from './docs/pages';
import { projectRoot } from './support/project';
import { sourcesBelow } from './support/sources';

// docs/contributing/style.md says which words we do not use. Each has a pattern here that leaves the word's ordinary
// meanings alone, such as a core of a processor.

const STYLE = 'docs/contributing/style.md';

/** By the word as the style page has it: its pattern, a text that has it, and one that only looks similar. */
const WORDS: Readonly<Record<string, readonly [pattern: RegExp, wrong: string, right: string]>> = {
  core: [/\bCore\b|[a-z]Core\b|http\/cores/, 'readonly videosCore: Core', 'two cores'],
  exchange: [/\bexchanges?\b|Exchange\b/, 'KeyExchange', 'exchanged for a token'],
  thoughts: [/thoughts/i, 'withoutThoughts', 'thoughtful'],
  ear: [/\bear\b/, 'sandbox/ear', 'early'],
  film: [/\bfilm\b/, 'sandbox/film', '<Film />'],
  'hang-up': [/hang(s|ing)?[- ]?up|hung up/i, 'new HangUp()', 'hanging'],
  purse: [/purse/i, 'createPurses', 'pursue'],
  'live keys': [/live-?keys/i, 'live-keys', 'a live key'],
  'whole answer': [/whole-?answer|(answer|ask|present|relay|write)Whole/i, 'presentWhole', 'wholeSeconds'],
  'in one piece': [/in-?one-?piece|in one piece/i, 'inOnePiece', 'in two pieces'],
  'stand-in': [/\bstand-ins?\b|\bstandIns?\b|StandIn(?!g)/, 'isStandIn', 'standing'],
  fault: [/(?<!de)faults?\b/i, 'StaleFault', 'default'],
  'MOST_…': [/\bMOST(_\w+)?\b|\bmost[A-Z]/, 'MOST_CUT', 'most'],
  'LEAST_…': [/\bLEAST(_\w+)?\b|\bleast[A-Z]/, 'LEAST_MS', 'least'],
  'LONGEST_…': [/\b(LONGEST|SHORTEST)(_\w+)?\b|\b(longest|shortest)[A-Z]/, 'SHORTEST', 'longest'],
  'SOON_…': [/\b(SOON|CALM|GOODBYE)_/, 'SOON_MS', 'IS_DUE_SOON'],
  noteSeen: [/\bnote[A-Z]\w*\(/, 'noteCheck(', 'noteLines.map('],
  'says=': [/\bsays=["{]|\breadonly says\b/, 'says="Saved"', 'says so'],
  'look=': [/\blook=["{]|\breadonly look\b/, 'look={quiet}', 'look'],
  'act=': [/\bact=["{]|\breadonly act\b/, 'act="Delete"', 'contract={contract}'],
  'fault=': [/\bfault=["{]/, 'fault={error}', 'default="x"'],
  'go-link': [/go-link|GoLink/, 'GoLink', 'going'],
  tiles: [/\bTiles\b/, '<Tiles>', 'textiles'],
  nobody: [/\bnobody\b/i, 'Nobody knows', 'no body'],
  somebody: [/\bsomebody\b/i, 'somebody else', 'some body'],
  whoever: [/\bwhoever\b/i, 'whoever reads', 'however'],
  'is told': [/\b(are|be|been|is|was|were) told\b/, 'before it is told', 'retold'],
  'so long a': [/\bso (long|much|short) an?\b/i, 'So long a line', 'so a line'],
  'so many of': [/\bso (many|much) of\b/i, 'so many of them', 'so many'],
  'stands beside': [/\bstands? beside\b/i, 'It stands beside', 'beside'],
  'https address': [/\bhttps?`? address/i, 'an https address', 'an IP address'],
  'base address': [/\bbase ?address/i, 'baseAddress', 'e-mail address'],
  'web address': [/\bweb ?address|WebAddress/i, 'isWebAddress', 'the network address'],
  'media address': [/\bmedia ?address/i, 'MediaAddresses', 'media at a private address'],
  'webhook address': [/\bwebhook(?:'s)? ?address/i, "the webhook's address", 'a webhook to a private address'],
};

const rootFile = (name: string) => ({ name, text: readFileSync(path.join(projectRoot, name), 'utf8') });

const texts = [
  ...['lib', 'app', 'server'].flatMap((folder) => sourcesBelow(folder, /\.(tsx?|m[jt]s|css)$/)),
  ...docsPages.filter(({ name }) => name !== STYLE),
  ...sourcesBelow('public', /\.js$/),
  ...['.env.example', 'CHANGELOG.md', 'CONTRIBUTING.md', 'instrumentation.ts', 'proxy.ts', 'next.config.mjs'].map(
    rootFile,
  ),
];

/** A text that may have a word: changing it would invalidate signatures that clients hold. */
const ALLOWED = 'patchbay signatures of thoughts v1';

it('has every word that the style page rejects', () => {
  const rejected = tableRows(docsText(STYLE)).flatMap(([, cell = '']) => cell.replaceAll('`', '').split(', '));
  expect(rejected).toEqual(Object.keys(WORDS));
});

describe.each(Object.entries(WORDS))('"%s"', (_word, [pattern, wrong, right]) => {
  it('is distinguished from similar words', () => {
    expect([pattern.test(wrong), pattern.test(right)]).toEqual([true, false]);
  });

  it('is in no source, page or setting', () => {
    const found = texts.flatMap(({ name, text }) =>
      text
        .replaceAll(ALLOWED, '')
        .split('\n')
        .flatMap((line, at) => (pattern.test(line) ? [`${name}:${at + 1}: ${line.trim()}`] : [])),
    );
    expect(found).toEqual([]);
  });
});
