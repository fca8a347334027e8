import type { DeletedVideoJson } from '../../contract/videos';
import { consoleKeyId } from '../../domain/caller';
import { GatewayError } from '../../domain/errors';
import { isId, type KeyId } from '../../domain/ids';
import type { VideoStatus } from '../../domain/video';
import type { VideoSearch } from '../../videos/videos';
import { jsonResponse, pathParam, type ActorContext } from '../handler';
import { wholeNumberParam } from '../query';
import type { GatewayResponse } from '../request-context';
import { accountOf } from './request-parts';

// Searches, shows, cancels and deletes the videos of an organisation. A list is of one mode; an id implies its mode.

const STATUSES: readonly VideoStatus[] = ['queued', 'in_progress', 'completed', 'failed'];
const MAX_TEXT_CHARS = 200;
const LAST_SECOND = 253_402_300_799;

export async function searchVideos(context: ActorContext): Promise<GatewayResponse> {
  return jsonResponse(
    200,
    await context.gateway.videos.search(
      accountOf(context),
      parseVideoSearch(context.request.query, context.gateway.clock.now()),
    ),
  );
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

/** The id in the path, and the account that it belongs to. */
async function named(context: ActorContext) {
  const id = pathParam(context, 'id');
  return { id, account: await context.gateway.videos.accountOf(context.actor.orgId, id) };
}

/**
 * Reads `status`, `model`, `key`, `created_within` (seconds before now), `created_from` and `created_to` (unix seconds),
 * `request_id`, `search`, `limit` and `after`.
 */
export function parseVideoSearch(query: URLSearchParams, now: Date): VideoSearch {
  const status = statusOf(query.get('status'));
  const model = textOf(query, 'model');
  const keyId = keyOf(textOf(query, 'key'));
  const withinSeconds = wholeNumberParam(query, 'created_within', 1, LAST_SECOND, undefined);
  const from =
    withinSeconds === undefined ? instantOf(query, 'created_from') : new Date(now.getTime() - withinSeconds * 1000);
  const to = instantOf(query, 'created_to');
  const requestId = textOf(query, 'request_id');
  const search = textOf(query, 'search');
  const after = textOf(query, 'after');
  return {
    limit: wholeNumberParam(query, 'limit', 1, 100, 20),
    ...(status && { status }),
    ...(model === undefined ? {} : { model }),
    ...(keyId && { keyId }),
    ...(from && { from }),
    ...(to && { to }),
    ...(requestId === undefined ? {} : { requestId }),
    ...(search === undefined ? {} : { search }),
    ...(after === undefined ? {} : { after }),
  };
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

function textOf(query: URLSearchParams, name: string): string | undefined {
  const text = query.get(name)?.trim();
  if (!text) return undefined;
  if (text.length > MAX_TEXT_CHARS)
    throw new GatewayError('string_too_long', `${name} may have at most ${MAX_TEXT_CHARS} characters.`, {
      param: name,
    });
  // A Postgres text cannot contain NUL, so no row matches.
  if (text.includes('\0'))
    throw new GatewayError('invalid_character', `${name} contains a NUL character. Remove it.`, { param: name });
  return text;
}

function keyOf(text: string | undefined): KeyId | undefined {
  if (text === undefined) return undefined;
  if (text === consoleKeyId) return consoleKeyId;
  if (isId('key', text)) return text;
  throw new GatewayError(
    'unsupported_value',
    'key must be the id of a key, such as key_… from GET /console/api/keys, or "console".',
    { param: 'key' },
  );
}

function instantOf(query: URLSearchParams, name: string): Date | undefined {
  const seconds = wholeNumberParam(query, name, 0, LAST_SECOND, undefined);
  return seconds === undefined ? undefined : new Date(seconds * 1000);
}
