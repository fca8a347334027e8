import type { MessagesBody } from '../../domain/messages';
import type { MessagesModel } from '../../domain/model';
import { countable, type Countable } from './countable';
import { multiplierFor } from './non-latin-share';
import type { TokenCounter } from './token-counter';
import { weigh } from '../credit/token-usage';

// The local estimate of a body's input tokens: a quick one for every request, to hold credit by, and a careful one for
// callers who ask. Both learn from what providers report, each model for itself.

export interface TokenEstimator {
  /** Microseconds for a usual body. */
  quick(body: MessagesBody, model: MessagesModel): number;
  /** With the model's tokenizer, in a thread; the quick one when that fails. Slightly too much rather than too little. */
  careful(counted: Countable, model: MessagesModel, signal?: AbortSignal): Promise<number>;
  /** What the provider counted for a body. */
  learn(body: MessagesBody, model: MessagesModel, actualTokens: number): void;
}

/** How much one observation moves the factor. */
const WEIGHT = 0.2;
const LOWEST = 0.7;
const HIGHEST = 2;
/** Below it the frame outweighs the text, and nothing is learnt. */
const MIN_TOKENS = 200;
/** The careful estimate is made for one in so many answers, to learn from. */
const CAREFUL_EVERY = 16;
const MAX_LEARNT_CHARS = 64 * 1024;
/** Clients shorten conversations by this number: too late is worse than too early. */
const BIAS = 1.05;

export function createTokenEstimator(counter: Pick<TokenCounter, 'count' | 'isBusy'>): TokenEstimator {
  const factors = { quick: new Map<string, number>(), careful: new Map<string, number>() };
  const seen = new Map<string, number>();

  const factorOf = (kind: 'quick' | 'careful', model: MessagesModel) => factors[kind].get(model.id) ?? 1;
  const move = (kind: 'quick' | 'careful', model: MessagesModel, ratio: number) => {
    const factor = factorOf(kind, model);
    factors[kind].set(model.id, Math.min(HIGHEST, Math.max(LOWEST, factor + (ratio - factor) * WEIGHT)));
  };
  const rawQuick = ({ texts, fixedTokens }: Countable, { messages: { tokenizer } }: MessagesModel) => {
    let tokens = 0;
    for (const text of texts) tokens += weigh(text) * multiplierFor(text, tokenizer);
    return tokens + fixedTokens;
  };
  const quick = (counted: Countable, model: MessagesModel) =>
    Math.max(1, Math.ceil(rawQuick(counted, model) * factorOf('quick', model)));
  const rawCareful = async (
    { texts, fixedTokens }: Countable,
    { messages: { tokenizer } }: MessagesModel,
    signal?: AbortSignal,
  ) => (await counter.count(texts, tokenizer, signal)) + fixedTokens;

  return {
    quick: (body, model) => quick(countable(body, model.messages), model),
    async careful(counted, model, signal) {
      try {
        return Math.max(1, Math.ceil((await rawCareful(counted, model, signal)) * factorOf('careful', model) * BIAS));
      } catch {
        signal?.throwIfAborted();
        return quick(counted, model);
      }
    },
    learn(body, model, actualTokens) {
      if (actualTokens < MIN_TOKENS) return;
      const counted = countable(body, model.messages);
      const raw = rawQuick(counted, model);
      move('quick', model, actualTokens / raw);
      const count = (seen.get(model.id) ?? 0) + 1;
      seen.set(model.id, count);
      // Callers who wait for a count come first.
      if (count % CAREFUL_EVERY !== 1 || raw * 4 > MAX_LEARNT_CHARS || counter.isBusy()) return;
      // A fault of the tokenizer costs an estimate, not an answer.
      rawCareful(counted, model).then(
        (careful) => move('careful', model, actualTokens / careful),
        () => {},
      );
    },
  };
}
