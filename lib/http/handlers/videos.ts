import type { Caller } from '../../domain/caller';
import { GatewayError } from '../../domain/errors';
import type { DeletedVideoJson, VideoJson } from '../../contract/videos';
import { jsonResponse, pathParam, type AuthenticatedContext, type GatewayResponse } from '../handler';
import { wholeNumberParam, wordParam } from '../query';
import { readRequestBody } from '../request-body';
import { retirementHeaders } from '../response-headers';

const PRINTABLE = /^[\x20-\x7e]{1,255}$/;

/** `POST /v1/videos` */
export async function submitVideo(context: AuthenticatedContext): Promise<GatewayResponse> {
  const { gateway, caller, request, requestId } = context;
  const idempotencyKey = parseIdempotencyKey(request.headers['idempotency-key']);
  const { values, textOnly } = await readRequestBody(request);
  const scenario = request.headers['x-test-scenario'];
  const submitted = await gateway.videos.submit(caller, {
    body: values,
    textOnly,
    requestId,
    automaticRetry: Number(request.headers['x-stainless-retry-count'] ?? 0) >= 1,
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    ...(scenario ? { scenario } : {}),
  });
  const headers = retirementHeaders(gateway.catalog().find(submitted.video.model));
  if (submitted.ignoredParams.length > 0) headers['x-ignored-params'] = submitted.ignoredParams.join(', ');
  if (submitted.replayed) headers['idempotent-replayed'] = 'true';
  return {
    ...jsonResponse(202, submitted.video, headers),
    onEnd: (how) => gateway.videos.recordAnswer(submitted, how),
  };
}

/** `GET /v1/videos/{id}` */
export async function readVideo(context: AuthenticatedContext): Promise<GatewayResponse> {
  const { video, accepted } = await context.gateway.videos.get(context.caller, pathParam(context, 'id'));
  return jsonResponse(200, video, {
    ...pollHeaders(video, context.caller),
    ...(accepted && {
      'x-patchbay-provider': accepted.provider,
      'x-patchbay-attempts': String(accepted.attempts),
    }),
  });
}

/** `GET /v1/videos` */
export async function listVideos(context: AuthenticatedContext): Promise<GatewayResponse> {
  const { query } = context.request;
  const limit = wholeNumberParam(query, 'limit', 1, 100, 20);
  const order = wordParam(query, 'order', ['asc', 'desc'], 'desc');
  const after = query.get('after');
  return jsonResponse(
    200,
    await context.gateway.videos.list(context.caller, { limit, order, ...(after ? { after } : {}) }),
  );
}

/** `DELETE /v1/videos/{id}` */
export async function removeVideo(context: AuthenticatedContext): Promise<GatewayResponse> {
  const id = pathParam(context, 'id');
  await context.gateway.videos.remove(context.caller, id);
  return jsonResponse(200, { id, object: 'video.deleted', deleted: true } satisfies DeletedVideoJson);
}

/** `POST /v1/videos/{id}/cancel` */
export async function cancelVideo(context: AuthenticatedContext): Promise<GatewayResponse> {
  return jsonResponse(200, await context.gateway.videos.cancel(context.caller, pathParam(context, 'id')));
}

export function parseIdempotencyKey(header: string | undefined): string | undefined {
  if (header === undefined || PRINTABLE.test(header)) return header;
  throw new GatewayError(
    'invalid_idempotency_key',
    'Idempotency-Key must be 1 to 255 printable ASCII characters. A random UUID is a good choice.',
  );
}

// The official Python client waits for the time in this header, and polls every second without it. A test video is made
// on this machine and ready soon.
function pollHeaders(video: VideoJson, caller: Caller): Record<string, string> {
  if (video.status !== 'queued' && video.status !== 'in_progress') return {};
  const pollAfterMs = caller.mode === 'test' ? 1_000 : 5_000;
  return { 'openai-poll-after-ms': String(pollAfterMs), 'retry-after': String(pollAfterMs / 1_000) };
}
