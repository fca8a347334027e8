import type { Ledger } from '../billing/ledger';
import type { Database } from '../db/database';
import type { Limits } from '../limits/limits';
import { createContentWriter } from '../contents/content-writer';
import { createAnswerMessage } from './answer/answer-message';
import { createCountTokens } from './tokens/count-tokens';
import { createTokenEstimator } from './tokens/estimate-tokens';
import type { AnswerDeps } from './answer/message-run';
import type { Messages } from './messages';
import { createReadContent } from './answer/read-content';
import { createCreditReservations } from './credit/credit-reservations';
import { createEstimateMessage } from './credit/estimate-message';
import { createTokenCounter } from './tokens/token-counter';
import type { StartWorker } from '../workers';

/** Creates the use cases of the messages API, which the HTTP API and the console share. */
export function createMessages(
  deps: Omit<AnswerDeps, 'estimator' | 'reservations' | 'contents'> & {
    readonly db: Database;
    readonly ledger: Ledger;
    readonly startWorker: StartWorker;
    readonly limits: Pick<Limits, 'count' | 'spent'>;
  },
): Messages {
  const counter = createTokenCounter(deps);
  const estimator = createTokenEstimator(counter);
  const reservations = createCreditReservations(deps);
  const contents = createContentWriter('message', deps);
  return {
    answer: createAnswerMessage({ ...deps, estimator, reservations, contents }),
    count: createCountTokens({ ...deps, estimator }),
    estimate: createEstimateMessage(estimator),
    unwritten: reservations.unwritten,
    ended: reservations.ended,
    async settled() {
      await Promise.all([reservations.settled(), contents.settled()]);
    },
    content: createReadContent(deps),
    close: counter.close,
  };
}
