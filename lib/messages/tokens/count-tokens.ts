import type { CurrentCatalog } from '../../catalog/catalog';
import type { Caller } from '../../domain/caller';
import type { Clock } from '../../domain/clock';
import { newMessageId } from '../../domain/ids';
import type { Log } from '../../domain/log';
import { linkSignals } from '../../io/linked-signal';
import type { Limits } from '../../limits/limits';
import type { ProviderDirectory } from '../../routing/provider-directory';
import type { Router } from '../../routing/router';
import { countable } from './countable';
import type { TokenEstimator } from './estimate-tokens';
import type { MessagesInput, TokenCount } from '../messages';
import { readMessage } from '../request/read-message';
import { MAX_COUNTED_CHARS } from './token-counter';

// Client tools count tokens before every turn and treat a failure as a broken model. The provider's counter is
// therefore called only if it has one, with a short timeout, and any failure falls back to our own estimate. Failures
// do not count against the provider's health: this auxiliary call says nothing about the main one.

const VENDOR_MS = 3_000;

export function createCountTokens(deps: {
  clock: Clock;
  log: Log;
  catalog: CurrentCatalog;
  router: Router<'messages'>;
  providers: Pick<ProviderDirectory, 'servedBy'>;
  estimator: TokenEstimator;
  limits: Pick<Limits, 'count'>;
}) {
  const { clock, log, catalog, router, providers, estimator, limits } = deps;

  return async function countTokens(caller: Caller, input: MessagesInput): Promise<TokenCount> {
    const { model, bindings, body } = readMessage(catalog(), caller, input, 'count');
    await limits.count(caller, 'token_counts_per_minute', 1);

    // Undefined if no provider is set up. An estimate needs no provider.
    const [route] = router.match(model, bindings, await providers.servedBy(caller), body).fit;
    if (route?.provider.countTokens) {
      const { binding } = route;
      const deadline = new AbortController();
      const cancel = clock.after(VENDOR_MS, () => deadline.abort(new Error('the count took too long')));
      const either = linkSignals(input.signal, deadline.signal);
      try {
        const request = {
          body,
          changed: [],
          source: input.source,
          version: input.version,
          betas: input.betas,
          messageId: newMessageId(),
          estimatedInputTokens: 0,
        };
        return {
          model: model.id,
          inputTokens: await route.provider.countTokens(request, binding, { signal: either.signal, log }),
          source: 'vendor',
        };
      } catch {
        log.debug('tokens are estimated, because the provider did not count them', {
          requestId: input.requestId,
          provider: route.providerId,
        });
      } finally {
        cancel();
        either.release();
      }
    }
    const counted = countable(body, model.messages);
    const chars = counted.texts.reduce((sum, text) => sum + text.length, 0);
    await limits.count(caller, 'counted_characters_per_minute', Math.min(chars, MAX_COUNTED_CHARS));
    const inputTokens = await estimator.careful(counted, model, input.signal);
    return { model: model.id, inputTokens, source: 'estimate' };
  };
}
