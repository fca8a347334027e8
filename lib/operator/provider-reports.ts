import type { CurrentCatalog } from '../catalog/catalog';
import type { ProviderListJson, VerificationListJson } from '../contract/providers';
import { GatewayError } from '../domain/errors';
import type { ProviderId } from '../domain/ids';
import type { Binding, Model } from '../domain/model';
import type { Provider, ProviderDefinition } from '../domain/provider';
import { missingSettings } from '../domain/provider-settings';
import type { VerifyProvider } from './verify-provider';

// Reports which providers this installation offers, and whether they accept its credentials.

export interface ProviderReports {
  /** Lists the providers in the order of the registry. */
  list(): ProviderListJson;
  /**
   * Sends each offered provider, or only this one, the cheapest request that needs its credentials, for each of its
   * capabilities. Rejects with `unsupported_value` if the provider does not exist or is not offered.
   */
  verify(provider?: ProviderId): Promise<VerificationListJson>;
}

export interface ProviderReportsDeps {
  readonly definitions: readonly ProviderDefinition[];
  /** The configuration variables that are set, by provider. */
  readonly settings: Readonly<Record<ProviderId, Readonly<Record<string, string>>>>;
  /** The offered providers. */
  readonly providers: ReadonlyMap<ProviderId, Provider>;
  readonly catalog: CurrentCatalog;
  readonly verify: VerifyProvider;
}

export function createProviderReports(deps: ProviderReportsDeps): ProviderReports {
  const { definitions, settings, providers, catalog, verify } = deps;

  function reasonOf(definition: ProviderDefinition): string | null {
    return missingSettings(definition, settings[definition.id] ?? {})?.sentence ?? null;
  }

  return {
    list() {
      const current = catalog();
      const data = definitions.map((definition) => {
        const { id, name, capabilities } = definition;
        const modelsWhere = (holds: (model: Model, binding: Binding) => boolean) =>
          current.list().filter((model) => model.bindings.some((each) => each.providerId === id && holds(model, each)));
        return {
          id,
          object: 'provider' as const,
          name,
          capabilities: [...capabilities],
          offered: providers.has(id),
          reason: reasonOf(definition),
          models: modelsWhere(current.available).length,
          unconfirmed_models: modelsWhere(current.awaitsConfirmation).map((model) => model.id),
        };
      });
      return { object: 'list', data };
    },

    async verify(id) {
      const chosen =
        id === undefined ? [...providers.values()] : [providers.get(id)].filter((each) => each !== undefined);
      if (chosen.length === 0) {
        const definition = definitions.find((each) => each.id === id);
        const why = definition ? `${definition.name} is not offered. ${reasonOf(definition) ?? ''}`.trim() : undefined;
        throw new GatewayError(
          'unsupported_value',
          why ?? `There is no provider with this id. There are ${definitions.map((each) => each.id).join(', ')}.`,
          { param: 'provider' },
        );
      }
      const data = await Promise.all(chosen.map((provider) => verify(provider)));
      return { object: 'list', data: data.flat() };
    },
  };
}
