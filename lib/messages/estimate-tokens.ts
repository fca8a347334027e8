import type { MessagesBody, TokenizerFacts } from '../domain/messages';
import type { MessagesModel } from '../domain/model';
import { countable } from './countable';
import { otherScriptsShare } from './scripts';
import { countTokensOf } from './tokenizer';
import { weigh } from './usage-meter';

// The local estimate of a body's input tokens: a quick one for every request, to hold credit by, and a careful one for
// callers who ask. Both learn from what providers report, each model for itself.

export interface TokenEstimator {
  /** Microseconds for a usual body. */
  quick(body: MessagesBody, model: MessagesModel): number;
  /** With the model's tokenizer; milliseconds for a long body. Slightly too much rather than too little. */
  careful(body: MessagesBody, model: MessagesModel): Promise<number>;
  /** What the provider counted for a body. */
  learn(body: MessagesBody, model: MessagesModel, actualTokens: number): void;
}

/** How much one observation moves the factor. */
const WEIGHT = 0.2;
const LOWEST = 0.7;
const HIGHEST = 2;
/** Below it the frame outweighs the text, and nothing is learnt. */
const FEWEST_TOKENS = 200;
/** The careful estimate is made for one in so many answers, to learn from. */
const CAREFUL_EVERY = 16;
const LONGEST_LEARNT_CHARS = 64 * 1024;
/** Clients shorten conversations by this number: too late is worse than too early. */
const BIAS = 1.05;

export function createTokenEstimator(): TokenEstimator {
  const factors = { quick: new Map<string, number>(), careful: new Map<string, number>() };
  const seen = new Map<string, number>();

  const factorOf = (kind: 'quick' | 'careful', model: MessagesModel) => factors[kind].get(model.id) ?? 1;
  const move = (kind: 'quick' | 'careful', model: MessagesModel, ratio: number) => {
    const factor = factorOf(kind, model);
    factors[kind].set(model.id, Math.min(HIGHEST, Math.max(LOWEST, factor + (ratio - factor) * WEIGHT)));
  };
  const rawQuick = (body: MessagesBody, { messages: facts }: MessagesModel) => {
    const { texts, fixedTokens } = countable(body, facts);
    let tokens = 0;
    for (const text of texts) tokens += weigh(text) * multiplierFor(text, facts.tokenizer);
    return tokens + fixedTokens;
  };
  const rawCareful = async (body: MessagesBody, { messages: facts }: MessagesModel) => {
    const { texts, fixedTokens } = countable(body, facts);
    return (await countTokensOf(texts, facts.tokenizer.encoding, (piece) => multiplierFor(piece, facts.tokenizer))) + fixedTokens;
  };

  return {
    quick: (body, model) => Math.max(1, Math.ceil(rawQuick(body, model) * factorOf('quick', model))),
    careful: async (body, model) => Math.max(1, Math.ceil((await rawCareful(body, model)) * factorOf('careful', model) * BIAS)),
    learn(body, model, actualTokens) {
      if (actualTokens < FEWEST_TOKENS) return;
      const quick = rawQuick(body, model);
      move('quick', model, actualTokens / quick);
      const count = (seen.get(model.id) ?? 0) + 1;
      seen.set(model.id, count);
      if (count % CAREFUL_EVERY !== 1 || quick * 4 > LONGEST_LEARNT_CHARS) return;
      // A fault of the tokenizer costs an estimate, not an answer.
      rawCareful(body, model).then((careful) => move('careful', model, actualTokens / careful), () => {});
    },
  };
}

/** Tokens of the model for each token of the encoding, for this text. */
function multiplierFor(text: string, { multiplier, otherScriptsMultiplier }: TokenizerFacts): number {
  if (otherScriptsMultiplier === undefined) return multiplier;
  const share = otherScriptsShare(text);
  return multiplier * (1 - share) + otherScriptsMultiplier * share;
}
