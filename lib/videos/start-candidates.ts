import type { CurrentCatalog } from '../catalog/catalog';
import type { VideoModel } from '../domain/model';
import type { AttemptRow, StartingVideo } from '../db/video-starts';
import type { ProviderDirectory } from '../routing/provider-directory';
import type { Route } from '../routing/route';
import type { Router } from '../routing/router';
import { modelOfEntry } from './model-of-video';

// The candidates of a video: the providers that were chosen for it at its submission, in their order.

/** Returns the model, if it is still known, and the routes of the candidates that can still be called. */
export async function readCandidates(
  {
    catalog,
    router,
    providers,
  }: {
    readonly catalog: CurrentCatalog;
    readonly router: Pick<Router<'video'>, 'routeOf'>;
    readonly providers: Pick<ProviderDirectory, 'ownOf'>;
  },
  { video, catalogEntry }: Pick<StartingVideo, 'video' | 'catalogEntry'>,
): Promise<{ readonly model: VideoModel | undefined; readonly routes: readonly Route<'video'>[] }> {
  const model = modelOfEntry(catalog, video, catalogEntry);
  const routes: Route<'video'>[] = [];
  for (const { provider, upstreamModel, credentialId } of video.candidates) {
    const binding = model?.bindings.find(
      (candidate) => candidate.providerId === provider && candidate.modelName === upstreamModel,
    );
    const own = credentialId === undefined ? undefined : await providers.ownOf(credentialId);
    // Never use the installation's account instead: that would cost credits.
    if (!model || !binding || (credentialId !== undefined && !own)) continue;
    const route = router.routeOf(model, binding, video.mode, own);
    if (route) routes.push(route);
  }
  return { model, routes };
}

/** Returns whether the attempt used this route. */
export function isOf({ providerId, binding }: Route<'video'>, attempt: AttemptRow): boolean {
  return attempt.provider === providerId && attempt.upstreamModel === binding.modelName;
}

export function hasRefusedForGood(route: Route<'video'>, attempts: readonly AttemptRow[]): boolean {
  return attempts.some((attempt) => isOf(route, attempt) && isRefusalForGood(attempt.code));
}

/**
 * Returns whether a provider would refuse again in the next round: it refused the operator's credentials, or does not
 * offer the model.
 */
export function isRefusalForGood(code: string | null | undefined): boolean {
  return code === 'upstream_auth_failed' || code === 'provider_model_not_found';
}
