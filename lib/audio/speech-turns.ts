import type { Clock } from '../domain/clock';
import { settledSoon } from './session';
import type { Generation } from './speech-generation';

// The turns of the texts on one speech socket, one generation at a time. Only `current` may be heard, and it is
// replaced before anything else happens. This rule keeps a cancelled reply silent even if its upstream continues to
// send audio.
//
//   none ──start──▶ current waits ──the former is settled──▶ current runs ──ended, or cancel──▶ none
//                    │         ▲                                  │
//                    └──start──┴───────────────start──────────────┘
//
// A former generation releases its hold before the next one opens one: of a burst of texts only the last one opens a
// hold.

export interface SpeechTurns {
  /** The generation that may be heard, or that waits for the former one to end; a newer text replaces it. */
  current(): Generation | undefined;
  /** Cancels the current generation, and runs this one when the former one is settled. */
  start(next: Generation): void;
  /** Cancels the current generation. */
  cancel(): void;
  /** Resolves when the charge of every generation that runs now is settled. */
  settled(): Promise<unknown>;
}

interface TurnEvents {
  /** The current generation has failed. */
  failed(error: unknown): void;
  /** A generation has ended, current or not. */
  ended(): void;
}

export function createSpeechTurns(clock: Clock, events: TurnEvents): SpeechTurns {
  /** Promises of the running generations; each resolves when its charge is settled. Usually there is one. */
  const running = new Set<Promise<void>>();
  /** The end of the generation that started most recently. */
  let former: Promise<void> | undefined;
  let current: Generation | undefined;
  let isWaiting = false;

  /** From here on, audio of the previous generation is dropped. */
  function supersede(next: Generation | undefined): void {
    current?.cancel();
    current = next;
  }

  async function runCurrent(): Promise<void> {
    if (isWaiting) return;
    if (former) {
      isWaiting = true;
      await settledSoon(clock, former);
      isWaiting = false;
    }
    if (current) run(current);
  }

  function run(generation: Generation): void {
    const ended = generation
      .run()
      .catch((error: unknown) => {
        if (generation === current) events.failed(error);
      })
      .finally(() => {
        running.delete(ended);
        if (former === ended) former = undefined;
        if (current === generation) current = undefined;
        events.ended();
      });
    running.add(ended);
    former = ended;
  }

  return {
    current: () => current,
    start(next) {
      supersede(next);
      void runCurrent();
    },
    cancel: () => supersede(undefined),
    settled: () => Promise.all(running),
  };
}
