import { availableParallelism } from 'node:os';
import type { Config } from '../lib/config/config';
import { createProviderDirectory } from '../lib/credentials/provider-directory';
import type { ProviderId } from '../lib/domain/ids';
import type { Provider, ProviderDefinition, ProviderDeps } from '../lib/domain/provider';
import { createMediaSource } from '../lib/net/media-source';
import { createVideoContent } from '../lib/videos/video-content';
import { makeProvider, ownProviderMaker } from './make-providers';
import { isFirstProcess } from './supervise';

/**
 * Composes the providers and the reader of their media. Media may be a finished video of this installation, which is
 * read through its provider, so providers need the files of videos, and these need providers. `installed` is therefore
 * filled last.
 */
export function composeProviders(
  config: Config,
  definitions: readonly ProviderDefinition[],
  deps: Omit<Parameters<typeof createProviderDirectory>[0], 'installed' | 'make'> &
    Omit<Parameters<typeof createVideoContent>[0], 'providers'> &
    Omit<Parameters<typeof createMediaSource>[0], 'openOwn'> &
    Pick<ProviderDeps, 'files' | 'probe' | 'thinkingSigner' | 'startWorker'>,
) {
  const { clock, log, files, probe, thinkingSigner, startWorker } = deps;
  const installed = new Map<ProviderId, Provider>();
  const makeOwn = ownProviderMaker(definitions, config, () => shared);
  const providers = createProviderDirectory({ ...deps, installed, make: makeOwn });
  const content = createVideoContent({ ...deps, providers });
  const media = createMediaSource({ ...deps, openOwn: content.openOwn });
  // Leave one core for requests, so that a machine that renders still answers. The processes of this machine share the
  // other cores.
  const cores = Math.max(1, Math.floor((availableParallelism() - 1) / config.webConcurrency));
  const shared = { clock, log, media, files, probe, thinkingSigner, startWorker, cores };
  for (const definition of definitions) {
    const provider = makeProvider(definition, config, shared);
    if (provider) installed.set(provider.id, provider);
  }
  if (isFirstProcess())
    log.info('providers are offered; npm run providers shows what the others need', { count: installed.size });
  return { installed, providers, makeOwn, content, media };
}
