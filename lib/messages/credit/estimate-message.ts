import type { TokenCounts } from '../../billing/message-cost';
import type { Fields } from '../../domain/json';
import type { MessagesBody } from '../../domain/messages';
import type { MessagesModel } from '../../domain/model';
import type { Route } from '../../routing/route';
import { applyModelLimits } from '../request/read-message';
import { checkBlockTypes, parseMessagesBody } from '../request/messages-request';
import type { TokenEstimator } from '../tokens/estimate-tokens';
import { maxTokenCounts } from './rolling-hold';

export interface MessageEstimate {
  readonly body: MessagesBody;
  /**
   * What the message uses at most at this provider: the estimate of the input for which credit is reserved, and all of
   * `max_tokens`. Throws the error for a body that the provider does not take.
   */
  tokensAt(route: Route<'messages'>): TokenCounts;
}

/** Any API version: only sampling parameters depend on it, and they do not affect the price. */
const ANY_VERSION = '';

/** Returns a function that reads a body as `POST /v1/messages` does, and throws the same errors. */
export function createEstimateMessage(estimator: Pick<TokenEstimator, 'quick'>) {
  return function estimateMessage(model: MessagesModel, values: Fields): MessageEstimate {
    const body = parseMessagesBody(values, { for: 'answer' });
    return {
      body,
      tokensAt({ provider, binding }) {
        if (!provider.native) checkBlockTypes(body);
        const limited = applyModelLimits(body, model, binding, ANY_VERSION).body;
        return maxTokenCounts(limited, estimator.quick(body, model), limited.max_tokens ?? 0);
      },
    };
  };
}
