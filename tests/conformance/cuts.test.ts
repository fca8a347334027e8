import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isFullRun, proofRuns } from '../support/proof-runs';
import { clients } from './clients';
import { sendRaw, userTurn } from './raw';
import { wholeStreams } from './scenarios';
import { say, startWorld, type World } from './world';

// The upstream's bytes may be cut anywhere on their way to us. Each stream is cut every 64 bytes, beginning at some of
// the first 64 offsets, or at all of them when `PROOF_RUNS` is 1, so that every offset of the stream is a cut once.
// What we send must be the same text each time. The clients also read each stream byte by byte.

const EVERY_BYTES = 64;
const AT_ONCE = 4;
const FIRST_CUTS = Math.min(EVERY_BYTES, proofRuns(EVERY_BYTES, AT_ONCE));
const firstCuts = Array.from({ length: FIRST_CUTS }, (_, index) => Math.floor((index * EVERY_BYTES) / FIRST_CUTS));

let world: World;
beforeAll(async () => void (world = await startWorld()));
afterAll(() => world.close());

/** What is new in each answer: our ids, and those that we give to calls without one. */
const withoutIds = (text: string) => text.replaceAll(/"id":"(msg|toolu)_[A-Za-z0-9]+"/g, '"id":"$1"');

/** All have the same length, because the length of the question determines its tokens, which are part of the answer. */
const asking = (scenario: string) => say(scenario).padEnd(80);

async function answerTo(model: string, scenario: string): Promise<string> {
  const { status, text } = await sendRaw(world.baseUrl, world.key, userTurn(model, asking(scenario)));
  expect(status, text).toBe(200);
  return withoutIds(text);
}

describe('a stream that arrives in pieces', () => {
  it.each(wholeStreams)('is the same at every cut: $model, $scenario', async ({ model, scenario }) => {
    const whole = await answerTo(model, scenario);
    for (let first = 0; first < firstCuts.length; first += AT_ONCE) {
      const cuts = firstCuts.slice(first, first + AT_ONCE);
      const texts = await Promise.all(
        cuts.map((from) => answerTo(model, `${scenario} every=${EVERY_BYTES} from=${from}`)),
      );
      for (const [index, text] of texts.entries())
        if (text !== whole) expect(text, `cut at ${cuts[index]}`).toBe(whole);
    }
  });

  // In a short run the clients share the streams.
  it.each(wholeStreams.map((stream, index) => ({ ...stream, index })))(
    'is read the same byte by byte by every client: $model, $scenario',
    async ({ model, scenario, index }) => {
      const readers = isFullRun() ? clients : clients.filter((_, place) => place === index % clients.length);
      const ask = (text: string) =>
        Promise.all(readers.map((client) => client.stream(world.baseUrl, world.key, { model, text: asking(text) })));
      expect(await ask(`${scenario} chunking=byte`)).toEqual(await ask(scenario));
    },
  );
});
