import type { Ledger } from '../billing/ledger';
import type { Database } from '../db/database';
import { createAnswerMessage, type AnswerDeps } from './answer-message';
import { createCountTokens } from './count-tokens';
import { createTokenEstimator } from './estimate-tokens';
import type { Messages } from './messages';
import { openRollingHold } from './rolling-hold';
import { createSettlements } from './settle-message';

/** The use cases of the messages API for both mounts. */
export function createMessages(deps: Omit<AnswerDeps, 'estimator' | 'settlements' | 'openHold'> & { readonly db: Database; readonly ledger: Ledger }): Messages {
  const estimator = createTokenEstimator();
  const settlements = createSettlements(deps);
  return {
    answer: createAnswerMessage({
      ...deps,
      estimator,
      settlements,
      openHold(caller, { routes, ...plan }) {
        const [first, ...others] = routes;
        return openRollingHold(deps, caller, { ...plan, bindings: [first.binding, ...others.map(({ binding }) => binding)] });
      },
    }),
    count: createCountTokens({ ...deps, estimator }),
    settled: settlements.settled,
  };
}
