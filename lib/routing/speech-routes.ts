import { GatewayError } from '../domain/errors';
import type { Binding, Model, SttModel, TtsModel } from '../domain/model';
import type { ProviderId } from '../domain/ids';
import type { Provider } from '../domain/provider';
import type { TtsBinding, TtsProvider } from '../domain/speech';
import type { SttBinding, SttProvider } from '../domain/transcription';
import type { Mode } from '../domain/video';
import type { ProviderHealth } from './provider-health';

// Chooses the bindings for transcription and for speech, best first. In test mode the test provider does the work at
// the first binding's price.

export interface SttRoute {
  readonly binding: SttBinding;
  readonly providerId: ProviderId;
  readonly stt: SttProvider;
}

export interface TtsRoute {
  readonly binding: TtsBinding;
  readonly providerId: ProviderId;
  readonly tts: TtsProvider;
}

export interface SpeechRoutes {
  /** Rejects with `no_provider_available` when none of the model's providers is offered here. */
  transcription(model: SttModel, bindings: readonly SttBinding[], mode: Mode): readonly [SttRoute, ...SttRoute[]];
  /** Rejects with `no_provider_available`, and with `model_not_supported` for a provider that the operator has not enabled. */
  speech(model: TtsModel, bindings: readonly TtsBinding[], mode: Mode): TtsRoute;
  /**
   * The provider that will most likely be called for speech; undefined for a live caller if only the test provider
   * could serve.
   */
  likelySpeaker(
    models: readonly Model[],
    mode: Mode,
  ): { readonly providerId: ProviderId; readonly tts: TtsProvider } | undefined;
  /** Is this provider the test provider of test mode, which obeys scenarios? */
  isTestProvider(id: ProviderId): boolean;
}

export function createSpeechRoutes(deps: {
  providers: ReadonlyMap<ProviderId, Provider>;
  testProvider: Provider;
  isAvailable: (model: Model, binding: Binding) => boolean;
  isSwitchedOff: (binding: Binding) => boolean;
  health: ProviderHealth;
}): SpeechRoutes {
  const { providers, testProvider, isAvailable, isSwitchedOff, health } = deps;

  const notOffered = (model: Model) =>
    new GatewayError(
      'no_provider_available',
      `${model.id} is listed, but none of its providers is set up in this installation. Ask the operator, or use a test key to try it in the sandbox.`,
      {
        param: 'model',
        retry: false,
      },
    );

  return {
    transcription(model, bindings, mode) {
      const usable =
        mode === 'test'
          ? bindings.slice(0, 1)
          : health.order(bindings.filter((binding) => isAvailable(model, binding)));
      const routes = usable.flatMap((binding) => {
        const provider = mode === 'test' ? testProvider : providers.get(binding.providerId);
        return provider?.stt ? [{ binding, providerId: provider.id, stt: provider.stt }] : [];
      });
      const [first, ...others] = routes;
      if (!first) throw notOffered(model);
      return [first, ...others];
    },

    speech(model, bindings, mode) {
      const switchedOn = bindings.filter((binding) => !isSwitchedOff(binding));
      if (switchedOn.length === 0) {
        throw new GatewayError(
          'model_not_supported',
          `${model.id} is not enabled here: its text-to-speech provider is optional. Choose another model, or ask the operator to add the provider to EXTRA_SPEECH_PROVIDERS.`,
          { param: 'model' },
        );
      }
      const usable =
        mode === 'test'
          ? switchedOn.slice(0, 1)
          : health.order(switchedOn.filter((binding) => isAvailable(model, binding)));
      for (const binding of usable) {
        const provider = mode === 'test' ? testProvider : providers.get(binding.providerId);
        if (provider?.tts) return { binding, providerId: provider.id, tts: provider.tts };
      }
      throw notOffered(model);
    },

    likelySpeaker(models, mode) {
      if (mode === 'test') return testProvider.tts && { providerId: testProvider.id, tts: testProvider.tts };
      for (const model of models) {
        if (model.capability !== 'tts') continue;
        for (const binding of model.bindings) {
          const tts =
            binding.providerId === testProvider.id || !isAvailable(model, binding)
              ? undefined
              : providers.get(binding.providerId)?.tts;
          if (tts) return { providerId: binding.providerId, tts };
        }
      }
      return undefined;
    },

    isTestProvider: (id) => id === testProvider.id,
  };
}
