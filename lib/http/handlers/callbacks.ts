import { jsonResponse, pathParam, type PublicContext, type GatewayResponse } from '../handler';

/** Longer than the report of any provider. */
const MAX_BODY_BYTES = 1024 * 1024;

/**
 * `POST /internal/videos/{id}/callback`: a provider reports that the progress of a video has changed. 200 if the
 * provider expects an answer, otherwise 204.
 */
export async function receiveCallback(context: PublicContext): Promise<GatewayResponse> {
  const { gateway, request } = context;
  const answer = await gateway.videos.receiveCallback(pathParam(context, 'id'), {
    signature: request.query.get('signature') ?? '',
    headers: request.headers,
    readBody: () => request.readBody(MAX_BODY_BYTES),
    signal: request.signal,
  });
  return answer === undefined ? { status: 204, headers: {} } : jsonResponse(200, answer);
}
