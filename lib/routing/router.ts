import type { Catalog } from '../catalog/catalog';
import { unsupportedRequest, type Refusal, type Unsupported } from '../catalog/binding-fit';
import { withoutPrice } from '../catalog/free-binding';
import { GatewayError } from '../domain/errors';
import type { ProviderId } from '../domain/ids';
import type { BindingOf, Capability, Model, ModelOf } from '../domain/model';
import type { PolicyRefusal } from '../domain/policy';
import { policyError } from '../domain/policy-error';
import type { Provider } from '../domain/provider';
import type { Mode } from '../domain/video';
import type { OwnProvider, OwnProviders, ServedBy } from './provider-directory';
import { healthKeyOf, type ProviderHealth } from './provider-health';
import type { Route, Routes } from './route';
import { routingRules, type NeedsByCapability } from './routing-rules';

// Chooses the bindings that serve a request, and their order. In test mode the test provider does the work instead, at
// the price of the first binding. In live mode a request that an organisation's own account can serve goes only there:
// it costs no credits, and it must not cost some because a provider failed.

export type UnfitReason =
  /** No adapter, no credentials, or a retired model. */
  | 'not_set_up'
  /** It is set up, but the operator has not confirmed its price. */
  | 'not_confirmed'
  /** An additional speech provider that the operator has not enabled. */
  | 'not_enabled'
  /** It is set up, but does not support a value of the request. */
  | Unsupported
  /** Another binding that is set up takes more of the request's parameters. */
  | 'takes_fewer_parameters'
  /** The organisation has an account of its own at a provider that can serve the request. */
  | 'not_own'
  /** A policy does not allow its price. */
  | { readonly refusal: PolicyRefusal };

/** Whether a policy does not allow the price of a binding; an organisation's own account has none. */
export type PriceCheck<C extends Capability> = (binding: BindingOf<C>) => PolicyRefusal | undefined;

export interface Match<C extends Capability> {
  /**
   * The routes in the order in which they are tried: preferred healthy ones, other healthy ones, those that cool down,
   * those that fail. Among equals a video goes to stable bindings first and then to the lowest price; everything else
   * follows the order of the catalog. In test mode only one route: the first in the order of the catalog, which sets
   * the price.
   */
  readonly fit: readonly Route<C>[];
  readonly unfit: readonly { readonly binding: BindingOf<C>; readonly reason: UnfitReason }[];
}

export interface Router<C extends Capability> {
  /** Sorts the bindings into those that may serve the request and those that may not. Calls nothing. */
  match(
    model: ModelOf<C>,
    bindings: readonly BindingOf<C>[],
    by: ServedBy,
    needs: NeedsByCapability[C],
    refusesPrice?: PriceCheck<C>,
  ): Match<C>;
  /**
   * Returns the `fit` routes of `match`. If there are none, throws `unsupported_value`, or the code of the value that
   * no provider supports; `price_not_allowed` if all providers that could serve it are too expensive;
   * `no_provider_available` if none is set up with a confirmed price; or `model_not_supported` if the operator has not
   * enabled the model's providers.
   */
  routes(
    model: ModelOf<C>,
    bindings: readonly BindingOf<C>[],
    by: ServedBy,
    needs: NeedsByCapability[C],
    refusesPrice?: PriceCheck<C>,
  ): Routes<C>;
  /**
   * Returns the route of one binding, whatever the request is; undefined if its provider is no longer set up. With
   * `own`, the route uses that account.
   */
  routeOf(model: ModelOf<C>, binding: BindingOf<C>, mode: Mode, own?: OwnProvider): Route<C> | undefined;
  /** Returns whether this provider is the one of test mode, which obeys scenarios. */
  isTestProvider(id: ProviderId): boolean;
}

interface RouterDeps {
  readonly providers: ReadonlyMap<ProviderId, Provider>;
  /** The provider that serves every model in test mode. */
  readonly testProvider: Provider;
  /** Asked only what does not depend on its models, so a binding from an older catalog gets the same result. */
  readonly catalog: () => Pick<Catalog, 'available' | 'isOrderable' | 'isSwitchedOff' | 'awaitsConfirmation'>;
  readonly health: ProviderHealth;
}

/** One router for each capability. */
export type Routers = { readonly [C in Capability]: Router<C> };

export const createRouters = (deps: RouterDeps): Routers => ({
  video: createRouter('video', deps),
  messages: createRouter('messages', deps),
  stt: createRouter('stt', deps),
  tts: createRouter('tts', deps),
});

function createRouter<C extends Capability>(capability: C, deps: RouterDeps): Router<C> {
  const { providers, testProvider, catalog, health } = deps;
  const rule = routingRules[capability];
  /** Cached, because a binding and its provider never change, and messages are routed thousands of times a second. */
  const known = { live: new WeakMap<BindingOf<C>, Route<C>>(), test: new WeakMap<BindingOf<C>, Route<C>>() };
  const knownOwn = new WeakMap<Provider, WeakMap<BindingOf<C>, Route<C>>>();

  function routeOf(model: ModelOf<C>, binding: BindingOf<C>, mode: Mode, own?: OwnProvider): Route<C> | undefined {
    if (own) return ownRouteOf(model, binding, own);
    const found = known[mode].get(binding);
    if (found) return found;
    const owner = mode === 'test' ? testProvider : providers.get(binding.providerId);
    const provider = owner?.[capability];
    if (!owner || !provider) return undefined;
    // Test mode has one health key: the test provider is the only candidate, so nothing depends on its health.
    const healthKey = mode === 'test' ? owner.id : healthKeyOf(binding);
    const route: Route<C> = { binding, providerId: owner.id, provider, healthKey };
    known[mode].set(binding, route);
    return route;
  }

  function ownRouteOf(model: ModelOf<C>, binding: BindingOf<C>, account: OwnProvider): Route<C> | undefined {
    const { provider: owner, credentialId } = account;
    const provider = owner[capability];
    if (!provider) return undefined;
    let routes = knownOwn.get(owner);
    if (!routes) knownOwn.set(owner, (routes = new WeakMap()));
    let route = routes.get(binding);
    if (!route) {
      const healthKey = healthKeyOf(binding, credentialId);
      const ordered = withoutPrice(rule.narrow?.(binding, model, account) ?? binding);
      route = { binding: ordered, providerId: owner.id, provider, healthKey, credentialId };
      routes.set(binding, route);
    }
    return route;
  }

  function match(
    model: ModelOf<C>,
    bindings: readonly BindingOf<C>[],
    { mode, own }: ServedBy,
    needs: NeedsByCapability[C],
    refusesPrice?: PriceCheck<C>,
  ): Match<C> {
    const owned = mode === 'live' && own.size > 0 ? matchOwn(model, bindings, own, needs) : undefined;
    if (owned && owned.fit.length > 0) return owned;
    const able: Route<C>[] = [];
    const unfit: { binding: BindingOf<C>; reason: UnfitReason }[] = [];
    for (const binding of bindings) {
      const route = routeOf(model, binding, mode);
      if (catalog().isSwitchedOff(binding)) unfit.push({ binding, reason: 'not_enabled' });
      else if (!route || (mode === 'live' && !catalog().available(model, binding))) {
        const ownReason = owned?.unfit.find((each) => each.binding === binding)?.reason;
        const missing = catalog().awaitsConfirmation(model, binding) ? 'not_confirmed' : 'not_set_up';
        unfit.push({ binding, reason: ownReason !== undefined && isUnsupported(ownReason) ? ownReason : missing });
      } else {
        const reason = rule.unsupported?.(binding, needs);
        const refusal = reason ? undefined : refusesPrice?.(binding);
        if (reason) unfit.push({ binding, reason });
        else if (refusal) unfit.push({ binding, reason: { refusal } });
        else able.push(route);
      }
    }
    return best(able, unfit, mode, needs);
  }

  /** Does what `match` does, but only with the organisation's own accounts. */
  function matchOwn(
    model: ModelOf<C>,
    bindings: readonly BindingOf<C>[],
    own: OwnProviders,
    needs: NeedsByCapability[C],
  ): Match<C> {
    const able: Route<C>[] = [];
    const unfit: { binding: BindingOf<C>; reason: UnfitReason }[] = [];
    for (const binding of bindings) {
      const account = own.get(binding.providerId);
      const route = account && catalog().isOrderable(model, binding) ? ownRouteOf(model, binding, account) : undefined;
      if (!route) unfit.push({ binding, reason: 'not_own' });
      else {
        const reason = rule.unsupported?.(route.binding, needs);
        if (reason) unfit.push({ binding, reason });
        else able.push(route);
      }
    }
    return best(able, unfit, 'live', needs);
  }

  /** Orders the suitable routes and keeps only those that take the most of the parameters. */
  function best(
    able: readonly Route<C>[],
    unfit: { binding: BindingOf<C>; reason: UnfitReason }[],
    mode: Mode,
    needs: NeedsByCapability[C],
  ): Match<C> {
    const ordered = able.length > 1 ? inOrder(able, mode, needs) : able;
    const taking = rule.takingMost?.(
      ordered.map(({ binding }) => binding),
      needs,
    );
    const fit = taking ? ordered.filter(({ binding }) => taking.includes(binding)) : ordered;
    for (const { binding } of taking ? ordered : [])
      if (!taking?.includes(binding)) unfit.push({ binding, reason: 'takes_fewer_parameters' });
    return { fit: mode === 'test' ? fit.slice(0, 1) : fit, unfit };
  }

  function inOrder(routes: readonly Route<C>[], mode: Mode, needs: NeedsByCapability[C]): readonly Route<C>[] {
    const compare = mode === 'live' ? rule.compare?.(needs) : undefined;
    const sorted = compare ? routes.toSorted((one, other) => compare(one.binding, other.binding)) : routes;
    return health.order(sorted, rule.preference?.(needs));
  }

  return {
    match,
    routes(model, bindings, by, needs, refusesPrice) {
      const { fit, unfit } = match(model, bindings, by, needs, refusesPrice);
      if (isNonEmpty(fit)) return fit;
      throw noRoute(model, unfit);
    },
    routeOf,
    isTestProvider: (id) => id === testProvider.id,
  };
}

/** Returns the error for a request without a route. `unfit` must contain every binding of the request. */
export function noRoute({ id }: Model, unfit: Match<Capability>['unfit']): GatewayError {
  for (const { reason } of unfit)
    if (typeof reason === 'object' && 'refusal' in reason) return policyError(reason.refusal);
  if (unfit.every(({ reason }) => reason === 'not_enabled'))
    return new GatewayError(
      'model_not_supported',
      `${id} is not enabled here: its text-to-speech provider is optional. Choose another model, or ask the operator to add the provider to EXTRA_SPEECH_PROVIDERS.`,
      { param: 'model' },
    );
  if (unfit.some(({ reason }) => isUnsupported(reason)))
    return unsupportedRequest(
      id,
      unfit.map(({ binding: { providerId }, reason }): Refusal => ({
        provider: providerId,
        reason: isUnsupported(reason) || reason === 'not_confirmed' ? reason : 'not_set_up',
      })),
    );
  const isUnconfirmed = unfit.some(({ reason }) => reason === 'not_confirmed');
  return new GatewayError(
    'no_provider_available',
    `${id} is listed, but ${isUnconfirmed ? 'the operator has not confirmed its price in CONFIRMED_PRICES' : 'none of its providers is set up in this installation'}. Ask the operator, or use a test key to try it in the sandbox.`,
    { param: 'model', retry: false },
  );
}

function isUnsupported(reason: UnfitReason): reason is Unsupported {
  return typeof reason === 'object' && !('refusal' in reason);
}

const isNonEmpty = <T>(list: readonly T[]): list is readonly [T, ...T[]] => list.length > 0;
