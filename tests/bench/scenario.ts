import type { Stage } from './stage';

/** One thing to measure; a new one is a file in `scenarios` and a line in `run.ts`. */
export interface Scenario {
  /** Chosen by it on the command line, or by its first words: `sse` also means `sse-paced`. */
  readonly name: string;
  /** Is it a part of the short run too? */
  readonly isShort: boolean;
  /** Measures, says what came of it, and answers whether it reaches its targets. */
  run(stage: Stage): Promise<boolean>;
}
