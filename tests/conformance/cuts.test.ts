import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clients } from './clients';
import { sendRaw, userTurn } from './raw';
import { wholeStreams } from './scenarios';
import { say, startWorld, type World } from './world';

// The upstream's bytes may be cut anywhere on their way to us. Each stream is sent so often, cut after every so many bytes and
// each time one byte later, that every one of its offsets was a cut; what leaves us must be the same text. The clients read
// each stream once more byte by byte.

const EVERY_BYTES = 64;
const AT_ONCE = 8;

let world: World;
beforeAll(async () => void (world = await startWorld()));
afterAll(() => world.close());

/** What is made anew for each answer: our ids, and those that we give to calls that came without one. */
const withoutIds = (text: string) => text.replaceAll(/"id":"(msg|toolu)_[A-Za-z0-9]+"/g, '"id":"$1"');

/** Of one length, because the length of the question is part of the answer: its tokens. */
const asking = (scenario: string) => say(scenario).padEnd(80);

async function answerTo(model: string, scenario: string): Promise<string> {
  const { status, text } = await sendRaw(world.baseUrl, world.key, userTurn(model, asking(scenario)));
  expect(status, text).toBe(200);
  return withoutIds(text);
}

describe('a stream that arrives in pieces', () => {
  it.each(wholeStreams)('is the same wherever it was cut: $model, $scenario', async ({ model, scenario }) => {
    const whole = await answerTo(model, scenario);
    for (let first = 0; first < EVERY_BYTES; first += AT_ONCE) {
      const cuts = Array.from({ length: AT_ONCE }, (_, index) => first + index);
      const texts = await Promise.all(
        cuts.map((from) => answerTo(model, `${scenario} every=${EVERY_BYTES} from=${from}`)),
      );
      for (const [index, text] of texts.entries())
        if (text !== whole) expect(text, `cut at ${cuts[index]}`).toBe(whole);
    }
  });

  it.each(wholeStreams)(
    'is read alike byte by byte by every client: $model, $scenario',
    async ({ model, scenario }) => {
      const ask = (text: string) =>
        Promise.all(clients.map((client) => client.stream(world.baseUrl, world.key, { model, text: asking(text) })));
      expect(await ask(`${scenario} chunking=byte`)).toEqual(await ask(scenario));
    },
  );
});
