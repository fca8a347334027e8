import type { DeletedVideoJson } from '../../contract/videos';
import { GatewayError } from '../../domain/errors';
import type { VideoStatus } from '../../domain/video';
import type { VideoSearch } from '../../videos/videos';
import { jsonResponse, pathParam, type ActorContext, type GatewayResponse } from '../handler';
import { wholeNumberParam } from '../query';
import { keyParam, textParam, timeRangeOf } from './query-params';
import { accountOfNamed } from './request-parts';

// Searches, shows, cancels and deletes the videos of an organisation. A list has one mode; an id, also as `search`,
// implies its mode.

const STATUSES: readonly VideoStatus[] = ['queued', 'in_progress', 'completed', 'failed'];

export async function searchVideos(context: ActorContext): Promise<GatewayResponse> {
  const { gateway, actor, request } = context;
  const { limit, after, ...search } = parseVideoSearch(request.query, gateway.clock.now());
  const filter = { ...search, favoritesOf: await gateway.videos.favoriteOwner(actor) };
  const account = await accountOfNamed(context, ['request_id', 'search'], (either) =>
    gateway.videos.search(either, { ...filter, limit: 1 }),
  );
  return jsonResponse(200, await gateway.videos.search(account, { ...filter, limit, ...(after && { after }) }));
}

export async function markFavorite(context: ActorContext): Promise<GatewayResponse> {
  return setFavorite(context, true);
}

export async function unmarkFavorite(context: ActorContext): Promise<GatewayResponse> {
  return setFavorite(context, false);
}

async function setFavorite(context: ActorContext, favorite: boolean): Promise<GatewayResponse> {
  const { gateway, actor } = context;
  return jsonResponse(200, await gateway.videos.setFavorite(actor, pathParam(context, 'id'), favorite));
}

export async function readVideoDetails(context: ActorContext): Promise<GatewayResponse> {
  const { account, id } = await named(context);
  return jsonResponse(200, await context.gateway.videos.details(account, id));
}

export async function deleteConsoleVideo(context: ActorContext): Promise<GatewayResponse> {
  const { account, id } = await named(context);
  await context.gateway.videos.remove(account, id);
  return jsonResponse(200, { id, object: 'video.deleted', deleted: true } satisfies DeletedVideoJson);
}

export async function cancelConsoleVideo(context: ActorContext): Promise<GatewayResponse> {
  const { account, id } = await named(context);
  return jsonResponse(200, await context.gateway.videos.cancel(account, id));
}

/** Returns the id in the path, and the account that the video belongs to. */
async function named(context: ActorContext) {
  const id = pathParam(context, 'id');
  return { id, account: await context.gateway.videos.accountOf(context.actor.orgId, id) };
}

/**
 * Reads `status`, `model`, `key`, `created_within` (seconds before now), `created_from` and `created_to` (unix
 * seconds), `request_id`, `search`, `favorite`, `limit` and `after`.
 */
export function parseVideoSearch(query: URLSearchParams, now: Date): VideoSearch {
  const status = statusOf(query.get('status'));
  const model = textParam(query, 'model');
  const keyId = keyParam(query);
  const requestId = textParam(query, 'request_id');
  const search = textParam(query, 'search');
  const after = textParam(query, 'after');
  return {
    limit: wholeNumberParam(query, 'limit', 1, 100, 20),
    ...(status && { status }),
    ...(model === undefined ? {} : { model }),
    ...(keyId && { keyId }),
    ...timeRangeOf(query, now),
    ...(requestId === undefined ? {} : { requestId }),
    ...(search === undefined ? {} : { search }),
    ...(after === undefined ? {} : { after }),
    ...(isFavorite(query.get('favorite')) && { onlyFavorites: true }),
  };
}

function isFavorite(text: string | null): boolean {
  if (text === null || text === '') return false;
  if (text === 'true') return true;
  throw new GatewayError(
    'unsupported_value',
    'favorite must be "true", for the favourites only. Leave it out for all.',
    {
      param: 'favorite',
    },
  );
}

function statusOf(text: string | null): VideoStatus | undefined {
  if (text === null || text === '') return undefined;
  const status = STATUSES.find((each) => each === text);
  if (!status)
    throw new GatewayError('unsupported_value', `status must be one of ${STATUSES.join(', ')}.`, {
      param: 'status',
      details: { allowed: STATUSES },
    });
  return status;
}
