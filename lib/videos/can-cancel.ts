import type { ProviderDirectory } from '../routing/provider-directory';

type WorkOfProvider = Parameters<ProviderDirectory['of']>[0] & { readonly upstreamModel: string | null };

/** Returns whether the provider of a video, or of an attempt to start one, supports cancelling it. */
export async function canCancel(providers: Pick<ProviderDirectory, 'of'>, work: WorkOfProvider): Promise<boolean> {
  const provider = (await providers.of(work))?.video;
  if (!provider?.cancel) return false;
  return work.upstreamModel === null || (provider.cancels?.(work.upstreamModel) ?? true);
}
