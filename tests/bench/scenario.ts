import type { Harness } from './harness';

/** One measurement. To add one, write a file in `scenarios` and list it in `run.ts`. */
export interface Scenario {
  /**
   * Selects the scenario on the command line. The first words of a name select it too: `sse` also selects `sse-paced`.
   */
  readonly name: string;
  /** Whether a smoke run includes it. */
  readonly inSmokeRun: boolean;
  /** Measures and prints the figures. Resolves to whether the scenario reaches its targets. */
  run(harness: Harness): Promise<boolean>;
}
