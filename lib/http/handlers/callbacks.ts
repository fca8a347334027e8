import { pathParam, type PublicContext } from '../handler';
import type { GatewayResponse } from '../request-context';

/**
 * `POST /internal/videos/{id}/callback`: a provider reports that the progress of a video has changed. The body is not
 * read.
 */
export async function receiveCallback(context: PublicContext): Promise<GatewayResponse> {
  const { gateway, request } = context;
  await gateway.videos.receiveCallback(pathParam(context, 'id'), request.query.get('signature') ?? '');
  return { status: 204, headers: {} };
}
