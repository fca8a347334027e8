import { execFileSync } from 'node:child_process';
import { runInThisContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EnvironmentText, type CodeRequest, type CodeValue } from '../../app/console/components/code/code-request';
import { codeSamples } from '../../app/console/components/code/code-samples';
import { printJson, printValue, pythonSyntax, typescriptSyntax } from '../../app/console/components/code/print-value';

// Any text in a prompt must arrive unchanged from every language. The languages themselves verify it: bash, JavaScript
// and Python run the code, and the values that they read are compared with the originals.

const nasty = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({
    unit: fc.constantFrom(
      '"',
      "'",
      '\\',
      '\n',
      '\r',
      '\t',
      '$',
      '`',
      '!',
      '{',
      '}',
      '#',
      '*',
      '\u2028',
      '\u2029',
      '\u202e',
      '\u200d',
      '\u0085',
      '\u0000',
      '😀',
      'é',
      ' ',
      'u0027',
      '\\u0027',
      "'\\''",
      'JSON\n',
    ),
  }),
);
const value: fc.Arbitrary<CodeValue> = fc.letrec<{ value: CodeValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    nasty,
    fc.boolean(),
    fc.constant(null),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (Object.is(number, -0) ? 0 : number)),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(nasty, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value;
const body = fc.dictionary(nasty, value, { maxKeys: 5, noNullPrototype: true });
const bodies = fc.sample(body, { numRuns: 300, seed: 20_261_121 });

const request = (sent: Readonly<Record<string, CodeValue>>): CodeRequest => ({
  baseUrl: 'http://127.0.0.1:3000',
  method: 'POST',
  path: '/v1/messages',
  body: sent,
  mode: 'test',
});

/** What curl would send for each of these commands. */
function sentBy(commands: readonly string[], env: Record<string, string> = {}): string[] {
  const catching = `curl() {
    local previous=""
    for argument in "$@"; do
      if [ "$previous" = -d ]; then printf '%s\\0' "$argument"; fi
      if [ "$previous" = --data-binary ]; then cat; printf '\\0'; fi
      previous="$argument"
    done
  }\n`;
  const output = execFileSync('bash', ['-s'], {
    input: catching + commands.join('\n'),
    encoding: 'utf8',
    maxBuffer: 1e8,
    env: { ...process.env, ...env },
  });
  return output.split('\0').slice(0, -1);
}

describe('a request as code', () => {
  it('arrives from a shell unchanged, whatever its texts contain', () => {
    const commands = bodies.map((each) => codeSamples(request(each)).find(({ language }) => language === 'curl')!.code);
    const sent = sentBy(commands);
    expect(sent).toHaveLength(bodies.length);
    for (const [index, text] of sent.entries()) expect(JSON.parse(text)).toEqual(bodies[index]);
  });

  it('arrives from a shell even if it is too long for an argument', () => {
    const long = { prompt: `it's ${'x'.repeat(200_000)} \\u0027`, more: bodies[0]! };
    const [sent] = sentBy([codeSamples(request(long))[0]!.code]);
    expect(JSON.parse(sent!)).toEqual(long);
  });

  it('is the same value in JavaScript and JSON', () => {
    for (const each of bodies) {
      expect(runInThisContext(`(${printValue(each, typescriptSyntax, 0)})`)).toEqual(each);
      expect(JSON.parse(printJson(each))).toEqual(each);
    }
  });

  it('is the same value in Python', () => {
    const script = `import json,sys,ast\nprint(json.dumps([ast.literal_eval(text) for text in json.load(sys.stdin)]))`;
    const output = execFileSync('python3', ['-c', script], {
      input: JSON.stringify(bodies.map((each) => printValue(each, pythonSyntax, 0))),
      encoding: 'utf8',
      maxBuffer: 1e8,
    });
    expect(JSON.parse(output)).toEqual(bodies);
  });

  it('shows no invisible characters', () => {
    const code = codeSamples(request({ system: 'a\u202eb\u2028c\u200dd' })).map((sample) => sample.code);
    for (const text of code) {
      expect(text).toContain('a\\u202eb\\u2028c\\u200dd');
      expect(text).not.toMatch(/[\u2028\u202e\u200d]/);
    }
  });

  it('reads from the environment what a page cannot know', () => {
    const samples = codeSamples(request({ video_url: new EnvironmentText('SOURCE_VIDEO_URL') }));
    const of = (language: string) => samples.find((sample) => sample.language === language)!.code;
    expect(sentBy([of('curl')], { SOURCE_VIDEO_URL: 'https://example.com/a.mp4?b=1&c=2' })).toEqual([
      JSON.stringify({ video_url: 'https://example.com/a.mp4?b=1&c=2' }, null, 2).replace(/^/gm, '  ').trim(),
    ]);
    expect(of('typescript')).toContain('video_url: process.env.SOURCE_VIDEO_URL');
    expect(of('python')).toContain('"video_url": os.environ["SOURCE_VIDEO_URL"]');
  });

  it('contains no key', () => {
    for (const { code } of codeSamples(request({}))) {
      expect(code).toContain('PATCHBAY_API_KEY');
      expect(code).not.toMatch(/pb_(?:test|live)_/);
    }
  });
});
