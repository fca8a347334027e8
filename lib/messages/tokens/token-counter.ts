import type { Clock } from '../../domain/clock';
import type { TokenizerFacts } from '../../domain/messages';
import { createWorkerPool } from '../../io/worker-pool';
import type { StartWorker } from '../../workers';
import { weigh } from '../credit/token-usage';

// Counts the tokens of a body's texts in a worker thread. Long texts are sampled and extrapolated, which bounds the
// work per body and the time that other requests wait.

/** Maximum characters counted per body. */
export const MAX_COUNTED_CHARS = 64 * 1024;
/** Bodies with fewer characters are counted before others that wait. */
const URGENT_CHARS = 32 * 1024;
/** Minimum sample length of one text, so that few words are cut. */
const MIN_SAMPLE_CHARS = 512;
const IDLE_TIMEOUT_MS = 300_000;
const TASK_TIMEOUT_MS = 10_000;

export interface CountTask {
  readonly texts: readonly string[];
  readonly tokenizer: TokenizerFacts;
}

export interface TokenCounter {
  /**
   * Returns the tokens of the texts for a model with this tokenizer. Rejects with the signal's reason, and when the
   * thread fails.
   */
  count(texts: readonly string[], tokenizer: TokenizerFacts, signal?: AbortSignal): Promise<number>;
  /** True if other tasks are waiting. */
  isBusy(): boolean;
  close(): Promise<void>;
}

export function createTokenCounter(deps: { readonly startWorker: StartWorker; readonly clock: Clock }): TokenCounter {
  const threads = createWorkerPool<CountTask, number>({
    ...deps,
    source: 'lib/messages/tokens/count-worker.ts',
    maxThreads: 1,
    idleTimeoutMs: IDLE_TIMEOUT_MS,
    taskTimeoutMs: TASK_TIMEOUT_MS,
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
  /** Weight of all texts divided by the weight of the sample. */
  readonly times: number;
}

/** Takes the beginning of each text in proportion to its length; short texts are skipped until enough is due. */
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
