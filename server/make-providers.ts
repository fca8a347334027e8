import path from 'node:path';
import type { Config } from '../lib/config/config';
import type { MakeOwnProvider } from '../lib/credentials/provider-directory';
import type { ProviderId } from '../lib/domain/ids';
import type { Provider, ProviderDefinition, ProviderDeps } from '../lib/domain/provider';
import { missingSettings } from '../lib/domain/provider-settings';
import { makePrivateDirectory } from '../lib/io/private-directory';
import { underRulesOf } from '../lib/routing/test-mode';

type SharedDeps = Omit<ProviderDeps, 'settings' | 'dataDir'>;

/**
 * Creates the provider with the operator's settings. Returns undefined and writes a log line if a variable is missing.
 */
export function makeProvider(definition: ProviderDefinition, config: Config, deps: SharedDeps): Provider | undefined {
  const settings = config.providerSettings[definition.id] ?? {};
  const missing = missingSettings(definition, settings);
  if (missing) {
    // Most installations use few providers, so one without any variables is logged only for debugging. A credential
    // with only some of its variables is a mistake.
    deps.log[missing.isPartial ? 'warn' : 'debug']('a provider is not offered, because a variable is missing', {
      provider: definition.id,
      solution: missing.sentence,
    });
    return undefined;
  }
  return definition.create({ ...deps, settings, dataDir: dataDirOf(config, definition.id) });
}

/**
 * Returns a function that creates providers with an organisation's credentials. The URLs of servers always come from
 * the operator's settings.
 */
export function ownProviderMaker(
  definitions: readonly ProviderDefinition[],
  config: Config,
  deps: () => SharedDeps,
): MakeOwnProvider {
  return (id, settings) => {
    const definition = definitions.find((each) => each.id === id);
    if (!definition) return undefined;
    const narrow = definition.narrow;
    const all = { ...baseUrlsOf(config.providerSettings[id]), ...settings };
    return {
      provider: definition.create({ ...deps(), settings: all, dataDir: dataDirOf(config, id) }),
      ...(narrow && { narrow: (binding, kind) => narrow(binding, kind, all) }),
    };
  };
}

/**
 * Returns the provider that replaces all others in test mode. Its messages follow the rules of the provider that it
 * replaces: what that one would refuse is refused, and what it would ignore is ignored.
 */
export function testProviderOf(
  providers: ReadonlyMap<ProviderId, Provider>,
  definition: ProviderDefinition,
  definitions: readonly ProviderDefinition[],
) {
  const provider = providers.get(definition.id);
  if (!provider?.video) throw new Error('The provider that replaces all others in test mode is missing.');
  const { video, messages } = provider;
  return { ...provider, video, ...(messages && { messages: underRulesOf(definitions, messages) }) };
}

/** Creates the provider's data directory, if it does not exist yet, and returns its path. */
function dataDirOf(config: Config, id: ProviderId): string {
  const dataDir = path.join(config.dataDir, 'providers', id);
  makePrivateDirectory(dataDir);
  return dataDir;
}

/** Returns the operator's settings that contain URLs of servers: their names end in BASE_URL. */
function baseUrlsOf(settings: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(settings).filter(([name]) => name.endsWith('BASE_URL')));
}
