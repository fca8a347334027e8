import { allowedBindings, checkModelAccess } from '../accounts/access';
import type { Catalog } from '../catalog/catalog';
import { resolveModelOf } from '../catalog/resolve';
import type { Caller } from '../domain/caller';
import type { Clock } from '../domain/clock';
import { GatewayError } from '../domain/errors';
import type { KeyId } from '../domain/ids';
import type { Log } from '../domain/log';
import type { MessagesRouter } from '../routing/messages-router';
import type { TokenEstimator } from './estimate-tokens';
import { newMessageId } from './message-id';
import type { MessagesInput, TokenCount } from './messages';
import { parseMessagesBody, parseModelName } from './messages-request';

// Client tools count before every turn, and treat a failure as a broken model. So the provider's counter is asked only where
// it has one, only for a moment, and whatever goes wrong there is answered with our own estimate. It feeds no circuit: an
// auxiliary call says nothing about the main one.

/** Of one key, apart from the limits of messages. */
const MOST_PER_MINUTE = 600;
const MINUTE_MS = 60_000;
const VENDOR_MS = 3_000;

export function createCountTokens(deps: { clock: Clock; log: Log; catalog: Catalog; router: MessagesRouter; estimator: TokenEstimator }) {
  const { clock, log, catalog, router, estimator } = deps;
  const limit = createMinuteLimit(clock);

  return async function countTokens(caller: Caller, input: MessagesInput): Promise<TokenCount> {
    const { model, bindings: resolved } = resolveModelOf(catalog, parseModelName(input.values), 'messages', caller.policy);
    checkModelAccess(caller.policy, model.id);
    const bindings = allowedBindings(caller.policy, resolved);
    const body = parseMessagesBody(input.values, { for: 'count' });
    limit(caller.keyId);

    const [route] = router.routes(model, bindings, caller.mode, body);
    const { provider, binding } = route;
    if (provider.countTokens) {
      const deadline = new AbortController();
      const cancel = clock.after(VENDOR_MS, () => deadline.abort(new Error('the count took too long')));
      const unfollow = input.hangUp.follow(() => deadline.abort(new Error('the caller left')));
      try {
        const request = { body, changed: [], source: input.source, version: input.version, betas: input.betas, messageId: newMessageId(), estimatedInputTokens: 0 };
        return { inputTokens: await provider.countTokens(request, binding, { signal: deadline.signal, log }), source: 'vendor' };
      } catch {
        log.debug('tokens are estimated, because the provider did not count them', { requestId: input.requestId, provider: route.providerId });
      } finally {
        cancel();
        unfollow();
      }
    }
    return { inputTokens: await estimator.careful(body, model), source: 'estimate' };
  };
}

/** Throws `rate_limit_exceeded` for a key that counts too often; per process. */
function createMinuteLimit(clock: Clock): (key: KeyId) => void {
  const counts = new Map<KeyId, number>();
  let minute = 0;
  return (key) => {
    const now = clock.nowMs();
    if (Math.floor(now / MINUTE_MS) !== minute) {
      minute = Math.floor(now / MINUTE_MS);
      counts.clear();
    }
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    if (count <= MOST_PER_MINUTE) return;
    const waitSeconds = Math.ceil(((minute + 1) * MINUTE_MS - now) / 1_000);
    throw new GatewayError('rate_limit_exceeded', `This key has counted tokens ${MOST_PER_MINUTE} times in this minute, which is the most. Try again after the pause that Retry-After names.`, { retryAfterSeconds: Math.max(1, waitSeconds) });
  };
}
