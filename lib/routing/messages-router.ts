import { GatewayError } from '../domain/errors';
import type { MessagesBinding, MessagesBody, MessagesProvider } from '../domain/messages';
import type { MessagesModel } from '../domain/model';
import type { ProviderId } from '../domain/ids';
import type { Provider } from '../domain/provider';
import type { Mode } from '../domain/video';
import type { CircuitBreaker } from './circuit-breaker';

// Chooses the bindings for a message and their order. In test mode the test provider does the work instead, at the
// price of the first binding.

/** A binding chosen for a request, with its provider. */
export interface MessagesRoute {
  readonly binding: MessagesBinding;
  readonly providerId: ProviderId;
  readonly provider: MessagesProvider;
  /** The key of its circuit breaker. */
  readonly circuit: string;
}

export interface MessagesRouter {
  /** Best first; never empty. Rejects with `no_provider_available`. */
  routes(
    model: MessagesModel,
    bindings: readonly MessagesBinding[],
    mode: Mode,
    body: MessagesBody,
  ): readonly [MessagesRoute, ...MessagesRoute[]];
  /** Does this provider obey scenarios? */
  isTestProvider(id: ProviderId): boolean;
}

export function createMessagesRouter(deps: {
  providers: ReadonlyMap<ProviderId, Provider>;
  /** Serves every model in test mode. */
  testProvider: Provider;
  isAvailable: (model: MessagesModel, binding: MessagesBinding) => boolean;
  breaker: CircuitBreaker;
}): MessagesRouter {
  const { providers, testProvider, isAvailable, breaker } = deps;
  /** Cached, because a binding and its provider never change. */
  const known = new WeakMap<MessagesBinding, MessagesRoute>();

  function routeOf(binding: MessagesBinding): MessagesRoute | undefined {
    const found = known.get(binding);
    if (found) return found;
    const { providerId, modelName } = binding;
    const provider = providers.get(providerId)?.messages;
    if (!provider) return undefined;
    const route = { binding, providerId, provider, circuit: `${providerId} ${modelName}` };
    known.set(binding, route);
    return route;
  }

  return {
    routes(model, bindings, mode, body) {
      const [quoting] = bindings;
      if (mode === 'test' && quoting && testProvider.messages)
        return [
          { binding: quoting, providerId: testProvider.id, provider: testProvider.messages, circuit: testProvider.id },
        ];
      const offered: MessagesRoute[] = [];
      for (const binding of mode === 'test' ? [] : bindings) {
        const route = routeOf(binding);
        if (route && isAvailable(model, binding)) offered.push(route);
      }
      if (offered.length === 0) {
        throw new GatewayError(
          'no_provider_available',
          `${model.id} is listed, but none of its providers is set up in this installation. Ask the operator, or use a test key to try it in the sandbox.`,
          { param: 'model', retry: false },
        );
      }
      const [only] = offered;
      if (only && offered.length === 1) return [only];
      const origin = newestSignature(body);
      const waiting = new Set(offered.filter(({ circuit }) => breaker.isCooling(circuit)));
      const rank = (route: MessagesRoute) =>
        waiting.has(route) ? 2 : origin !== undefined && thinking(route, origin) ? 0 : 1;
      const [first, ...others] = offered.toSorted((one, other) => rank(one) - rank(other));
      // Safe: the list is not empty.
      return [first!, ...others];
    },
    isTestProvider: (id) => id === testProvider.id,
  };
}

// A thinking block can be sent back only to the provider that produced it, so the conversation stays with that provider
// while it is healthy.

/**
 * Was this signature made for this provider? Our own signatures, for providers that do not sign, begin with the
 * provider's name.
 */
function thinking({ provider, providerId }: MessagesRoute, signature: string): boolean {
  return signature.startsWith('gw1.') ? signature.startsWith(`gw1.${providerId}.`) : provider.native === true;
}

function newestSignature({ messages }: MessagesBody): string | undefined {
  for (let at = messages.length - 1; at >= 0; at -= 1) {
    const content = messages[at]?.content;
    if (typeof content !== 'object') continue;
    for (const block of content) {
      if (block.type === 'thinking' && typeof block.signature === 'string' && block.signature !== '')
        return block.signature;
    }
  }
  return undefined;
}
