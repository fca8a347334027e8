import type { MessagesBody } from '../../domain/messages';
import type { MessagesModel } from '../../domain/model';
import { countable, multiplierFor, type Countable } from './countable';
import type { TokenCounter } from './token-counter';
import { weigh } from '../credit/token-usage';

// The local estimate of a body's input tokens: a quick one for every request, which sizes the credit hold, and a
// careful one for count_tokens. Both learn a correction factor per model from the counts that providers report.

export interface TokenEstimator {
  /** Takes microseconds for a typical body. */
  quick(body: MessagesBody, model: MessagesModel): number;
  /** Uses the model's tokenizer in a worker thread, or the quick estimate if that fails. Rounds up rather than down. */
  careful(counted: Countable, model: MessagesModel, signal?: AbortSignal): Promise<number>;
  /** Learns from the provider's count for a body. */
  learn(body: MessagesBody, model: MessagesModel, actualTokens: number): void;
}

/** Weight of one observation in the moving average. */
const WEIGHT = 0.2;
const LOWEST = 0.7;
const HIGHEST = 2;
/** Below this, framing outweighs the text and nothing is learned. */
const MIN_TOKENS = 200;
/** To learn its factor, the careful estimate runs for one in this many answers. */
const CAREFUL_EVERY = 16;
const MAX_LEARNT_CHARS = 64 * 1024;
/** Raises the estimate: clients shorten a conversation when it nears the limit, better too early than too late. */
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
      // Requests that wait for a count have priority.
      if (count % CAREFUL_EVERY !== 1 || raw * 4 > MAX_LEARNT_CHARS || counter.isBusy()) return;
      // If the tokenizer fails, only this observation is lost.
      rawCareful(counted, model).then(
        (careful) => move('careful', model, actualTokens / careful),
        () => {},
      );
    },
  };
}
