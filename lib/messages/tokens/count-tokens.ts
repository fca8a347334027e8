import type { CurrentCatalog } from '../../catalog/catalog';
import type { Caller } from '../../domain/caller';
import type { Clock } from '../../domain/clock';
import { GatewayError } from '../../domain/errors';
import type { KeyId } from '../../domain/ids';
import type { Log } from '../../domain/log';
import { linkSignals } from '../../io/linked-signal';
import type { Router } from '../../routing/router';
import { countable } from './countable';
import type { TokenEstimator } from './estimate-tokens';
import { newMessageId } from '../answer/message-id';
import type { MessagesInput, TokenCount } from '../messages';
import { readMessage } from '../request/read-message';
import { MAX_COUNTED_CHARS } from './token-counter';

// Client tools count tokens before every turn and treat a failure as a broken model. The provider's counter is
// therefore called only if it has one, with a short timeout, and any failure falls back to our own estimate. Failures
// do not count against the provider's health: this auxiliary call says nothing about the main one.

/** Per key, separate from the limits of messages. */
const MAX_PER_MINUTE = 600;
/** The same, for the characters that our tokenizer counts. */
const MAX_CHARS_PER_MINUTE = 5_000_000;
const MINUTE_MS = 60_000;
const VENDOR_MS = 3_000;

export function createCountTokens(deps: {
  clock: Clock;
  log: Log;
  catalog: CurrentCatalog;
  router: Router<'messages'>;
  estimator: TokenEstimator;
}) {
  const { clock, log, catalog, router, estimator } = deps;
  const limit = createMinuteLimit(clock);

  return async function countTokens(caller: Caller, input: MessagesInput): Promise<TokenCount> {
    const { model, bindings, body } = readMessage(catalog(), caller, input, 'count');
    limit.recordCount(caller.keyId);

    // None, if no provider is set up: an estimate needs none.
    const [route] = router.match(model, bindings, caller.mode, body).fit;
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
    limit.recordChars(
      caller.keyId,
      counted.texts.reduce((sum, text) => sum + text.length, 0),
    );
    return { inputTokens: await estimator.careful(counted, model, input.signal), source: 'estimate' };
  };
}

interface MinuteLimit {
  /** Throws `rate_limit_exceeded` if the key counts too often. */
  recordCount(key: KeyId): void;
  /**
   * Throws `rate_limit_exceeded` if the key counts too many characters. At most MAX_COUNTED_CHARS are added per body.
   */
  recordChars(key: KeyId, chars: number): void;
}

/** The limits apply per process. */
function createMinuteLimit(clock: Clock): MinuteLimit {
  const keys = new Map<KeyId, { counts: number; chars: number }>();
  let minute = 0;

  function usedBy(key: KeyId): { counts: number; chars: number } {
    const now = Math.floor(clock.nowMs() / MINUTE_MS);
    if (now !== minute) {
      minute = now;
      keys.clear();
    }
    let used = keys.get(key);
    if (!used) keys.set(key, (used = { counts: 0, chars: 0 }));
    return used;
  }

  function refuse(sentence: string): never {
    const waitSeconds = Math.ceil(((minute + 1) * MINUTE_MS - clock.nowMs()) / 1_000);
    throw new GatewayError('rate_limit_exceeded', `${sentence} Try again after the pause that Retry-After names.`, {
      retryAfterSeconds: Math.max(1, waitSeconds),
    });
  }

  return {
    recordCount(key) {
      const used = usedBy(key);
      used.counts += 1;
      if (used.counts > MAX_PER_MINUTE)
        refuse(`This key reached its limit of ${MAX_PER_MINUTE} count_tokens requests per minute.`);
    },
    recordChars(key, chars) {
      const used = usedBy(key);
      used.chars += Math.min(chars, MAX_COUNTED_CHARS);
      if (used.chars > MAX_CHARS_PER_MINUTE)
        refuse(
          `This key reached its limit of ${MAX_CHARS_PER_MINUTE.toLocaleString('en')} characters per minute for count_tokens.`,
        );
    },
  };
}
