import { bindingsFor, type VideoNeeds } from '../catalog/binding-facts';
import { GatewayError } from '../domain/errors';
import type { VideoModel } from '../domain/model';
import type { ProviderId } from '../domain/ids';
import type { Provider } from '../domain/provider';
import type { Mode, VideoProvider, VideoBinding } from '../domain/video';
import type { ProviderHealth } from './provider-health';

// Chooses the bindings for a request and their order. In test mode the test provider does the work instead, at the
// price of the first binding.

/** A binding chosen for a request, with its provider. */
export interface Route {
  readonly binding: VideoBinding;
  readonly provider: Provider & { readonly video: VideoProvider };
}

export interface Router {
  /**
   * The bindings that may serve the request (see `bindingsFor`), best first; never empty. In test mode only the one that
   * sets the price. Rejects with `no_provider_available` when the model's providers are not offered here.
   */
  candidates(
    model: VideoModel,
    bindings: readonly VideoBinding[],
    mode: Mode,
    needs: VideoNeeds,
  ): readonly [VideoBinding, ...VideoBinding[]];
  /** The provider that does the work of a binding in that mode; undefined if it is no longer enabled. */
  route(binding: VideoBinding, mode: Mode): Route | undefined;
  /** Is this provider the test provider of test mode, which obeys scenarios? */
  isTestProvider(id: ProviderId): boolean;
}

export function createRouter(deps: {
  providers: ReadonlyMap<ProviderId, Provider>;
  /** Serves every model in test mode. */
  testProvider: Provider & { readonly video: VideoProvider };
  isAvailable: (model: VideoModel, binding: VideoBinding) => boolean;
  health: ProviderHealth;
}): Router {
  const { providers, testProvider, isAvailable, health } = deps;
  return {
    candidates(model, bindings, mode, needs) {
      const offered =
        mode === 'test' ? bindings : health.order(bindings.filter((binding) => isAvailable(model, binding)));
      const [first, ...others] = bindingsFor(offered, needs);
      if (first) return [first, ...(mode === 'test' ? [] : others)];
      throw new GatewayError(
        'no_provider_available',
        bindingsFor(bindings, needs).length === 0
          ? `No provider of ${model.id} serves ${needs.resolution}. Choose another size, or name another provider.`
          : `${model.id} is listed, but none of its providers is set up in this installation. Ask the operator, or use a test key to try it in the sandbox.`,
        { param: 'model', retry: false },
      );
    },

    route(binding, mode) {
      if (mode === 'test') return { binding, provider: testProvider };
      const provider = providers.get(binding.providerId);
      return provider?.video ? { binding, provider: { ...provider, video: provider.video } } : undefined;
    },

    isTestProvider: (id) => id === testProvider.id,
  };
}
