import type { Ledger } from '../billing/ledger';
import type { Database } from '../db/database';
import { createAnswerMessage } from './answer-message';
import { createCountTokens } from './count-tokens';
import { createTokenEstimator } from './estimate-tokens';
import type { AnswerDeps } from './message-run';
import type { Messages } from './messages';
import { createPurses } from './purses';
import { createTokenCounter } from './token-counter';
import type { StartWorker } from '../workers';

/** The use cases of the messages API for both mounts. */
export function createMessages(
  deps: Omit<AnswerDeps, 'estimator' | 'purses'> & {
    readonly db: Database;
    readonly ledger: Ledger;
    readonly startWorker: StartWorker;
  },
): Messages {
  const counter = createTokenCounter(deps);
  const estimator = createTokenEstimator(counter);
  const purses = createPurses(deps);
  return {
    answer: createAnswerMessage({ ...deps, estimator, purses }),
    count: createCountTokens({ ...deps, estimator }),
    unwritten: purses.unwritten,
    ended: purses.ended,
    settled: purses.settled,
    close: counter.close,
  };
}
