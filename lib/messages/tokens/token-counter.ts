import type { Clock } from '../../domain/clock';
import type { TokenizerFacts } from '../../domain/messages';
import { createTaskThreads } from '../../task-threads';
import type { StartWorker } from '../../workers';
import { weigh } from '../credit/token-usage';

// Tokens of the texts of a body, counted in a thread. Of long texts a sample is counted, and the rest is taken to be like it:
// the work for one body has a bound, and so has the time for which it keeps others waiting.

/** Characters that are counted of one body. */
export const MAX_COUNTED_CHARS = 64 * 1024;
/** Fewer are counted before others that wait. */
const URGENT_CHARS = 32 * 1024;
/** What is taken of one text is at least so long, so that few words are cut. */
const MIN_SAMPLE_CHARS = 512;
const IDLE_MS = 300_000;
const MAX_TASK_MS = 10_000;

export interface CountTask {
  readonly texts: readonly string[];
  readonly tokenizer: TokenizerFacts;
}

export interface TokenCounter {
  /** Tokens of the texts for a model that counts like this. Rejects with the signal's reason, and when the thread fails. */
  count(texts: readonly string[], tokenizer: TokenizerFacts, signal?: AbortSignal): Promise<number>;
  /** Others wait to be counted. */
  isBusy(): boolean;
  close(): Promise<void>;
}

export function createTokenCounter(deps: { readonly startWorker: StartWorker; readonly clock: Clock }): TokenCounter {
  const threads = createTaskThreads<CountTask, number>({
    ...deps,
    source: 'lib/messages/tokens/count-worker.ts',
    threads: 1,
    idleMs: IDLE_MS,
    mostTaskMs: MAX_TASK_MS,
  });
  return {
    async count(texts, tokenizer, signal = new AbortController().signal) {
      const sample = sampleOf(texts);
      const tokens = await threads.run(
        { texts: sample.texts, tokenizer },
        { signal, urgent: sample.chars < URGENT_CHARS },
      );
      return tokens * sample.times;
    },
    isBusy: () => threads.waiting() > 0,
    close: threads.close,
  };
}

interface Sample {
  readonly texts: readonly string[];
  readonly chars: number;
  /** How many times as much as the sample the whole weighs. */
  readonly times: number;
}

/** The beginning of every text, or of every so many short ones, as long as its share is. */
export function sampleOf(texts: readonly string[]): Sample {
  let chars = 0;
  for (const text of texts) chars += text.length;
  if (chars <= MAX_COUNTED_CHARS) return { texts, chars, times: 1 };
  const share = MAX_COUNTED_CHARS / chars;
  const taken: string[] = [];
  let due = 0;
  let weight = 0;
  for (const text of texts) {
    due += text.length * share;
    weight += weigh(text);
    if (due < Math.min(text.length, MIN_SAMPLE_CHARS)) continue;
    const part = text.slice(0, due);
    due -= part.length;
    taken.push(part);
  }
  let takenChars = 0;
  let takenWeight = 0;
  for (const part of taken) {
    takenChars += part.length;
    takenWeight += weigh(part);
  }
  return { texts: taken, chars: takenChars, times: takenWeight === 0 ? 1 : weight / takenWeight };
}
