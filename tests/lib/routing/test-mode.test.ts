import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseScenario } from '../../../lib/providers/sandbox/scenario';
import { readScenario, scenariosOf } from '../../../lib/routing/test-mode';
import { makeAcme, type Acme } from '../videos/make-acme';

describe('the scenario of a request', () => {
  it.each([
    ['slow:45', 'a cat', 'slow:45'],
    [undefined, 'a cat [[slow:45]] at night', 'slow:45'],
    ['fail', 'a cat [[slow:45]]', 'fail'],
    [' hang ', 'a cat', 'hang'],
    [undefined, '[[ poll500:3 ]]', 'poll500:3'],
    ['', '[[drop]]', 'drop'],
    ['moderated-input', '', 'moderated-input'],
    [undefined, 'a cat [slow:45]', undefined],
    [undefined, 'a cat [[slow:45]', undefined],
    [undefined, 'a cat [[not a word]]', undefined],
    [undefined, 'a cat [[nonsense]]', undefined],
    [undefined, 'a cat [[slow]]', undefined],
    [undefined, `[[${'x'.repeat(41)}]]`, undefined],
    [undefined, 'a cat', undefined],
  ])('with header %j and prompt %j is %j', (header, prompt, word) => {
    expect(readScenario(header, prompt, 'video')).toBe(word);
  });

  it.each([
    'nonsense',
    'FAIL',
    'slow',
    'slow:',
    'slow:abc',
    'slow:45s',
    'slow:1234567',
    'fail:1',
    'fail; drop',
    'slow:N',
    'constructor',
    'x'.repeat(33),
  ])('with the header %j is refused', (header) => {
    expect(() => readScenario(header, 'a cat [[fail]]', 'video')).toThrow(
      /^The test scenario ".{1,60}" is not known\. Use fail, .*, slow:N, ratelimit:N or poll500:N, where N is a whole number of at most 6 digits\.$/,
    );
  });

  it.each([
    ['nourl', 'messages'],
    ['moderated-output', 'stt'],
    ['ratelimit:3', 'tts'],
  ] as const)('%s of videos does nothing on %s, where it has no effect', (word, capability) => {
    expect(readScenario(word, '', capability)).toBeUndefined();
    expect(readScenario(undefined, `[[${word}]]`, capability)).toBeUndefined();
  });

  it.each([
    ['video', 'fail, moderated-input, '],
    ['stt', 'fail, hang, drop or slow:N'],
  ] as const)('error-mid of messages is refused on %s, and in a text it is only text', (capability, allowed) => {
    expect(() => readScenario('error-mid', '', capability)).toThrow(
      `The test scenario "error-mid" has no effect here. Use ${allowed}`,
    );
    expect(readScenario(undefined, '[[error-mid]]', capability)).toBeUndefined();
  });

  it('of a video is one that the sandbox supports', () => {
    const words = scenariosOf('video');
    expect(words.length).toBe(11);
    for (const word of words) expect(parseScenario(word.replace('N', '3')), word).toBeDefined();
  });
});

describe('a scenario', () => {
  let acme: Acme;
  beforeAll(async () => {
    acme = await makeAcme();
  });
  afterAll(() => acme.close());

  async function scenarioSeen(caller: 'live' | 'test', body: Record<string, unknown>, scenario?: string) {
    const { id } = await acme.submit(acme[caller], body, scenario === undefined ? {} : { scenario });
    await acme.settle();
    const starts = [...acme.alpha.calls.starts, ...acme.beta.calls.starts, ...acme.stage.calls.starts];
    const start = starts.find(({ videoId }) => videoId === id);
    expect(start).toBeDefined();
    return start?.scenario;
  }

  it('reaches the test provider in test mode, for any model, and the prompt keeps its marker', async () => {
    expect(await scenarioSeen('test', {}, 'slow:45')).toBe('slow:45');
    expect(await scenarioSeen('test', { prompt: 'a cat [[fail]]' })).toBe('fail');
    expect(await scenarioSeen('test', { prompt: 'a cat [[fail]]' }, 'hang')).toBe('hang');
    expect(acme.stage.calls.starts.at(-1)?.order.prompt).toBe('a cat [[fail]]');
  });

  it("reaches the test provider's own models in live mode too", async () => {
    expect(await scenarioSeen('live', { model: 'stage-t2v' }, 'slow:45')).toBe('slow:45');
    expect(await scenarioSeen('live', { model: 'stage/stage-t2v', prompt: '[[drop]]' })).toBe('drop');
  });

  it('that is unknown is refused in test mode and for the test provider, and changes nothing for another provider', async () => {
    await expect(acme.submit(acme.test, {}, { scenario: 'nonsense' })).rejects.toMatchObject({
      code: 'unsupported_value',
    });
    await expect(acme.submit(acme.live, { model: 'stage-t2v' }, { scenario: 'slow:abc' })).rejects.toMatchObject({
      code: 'unsupported_value',
    });
    expect(await scenarioSeen('live', {}, 'nonsense')).toBeUndefined();
  });

  it('never reaches another provider, and is not stored for one', async () => {
    expect(await scenarioSeen('live', { prompt: 'a cat [[fail]]' }, 'slow:45')).toBeUndefined();
    const { rows } = await acme.db.query(
      `select count(*)::int as n from videos where mode = 'live' and model = 'acme-t2v' and scenario is not null`,
    );
    expect(rows).toEqual([{ n: 0 }]);
  });
});
