import { ifRangeHolds, parseRange } from '../byte-range';
import { contentResponse } from '../content-response';
import { pathParam, type PublicContext, type GatewayResponse } from '../handler';

/**
 * `GET /internal/videos/{id}/media/{file}`: the bytes of a data URL, for the provider of the video, by a signed link.
 * The name of the file is the place of the medium in the order, and the extension of its type.
 */
export async function readMedia(context: PublicContext): Promise<GatewayResponse> {
  const { gateway, request } = context;
  const { method, headers, query, signal } = request;
  const link = { expires: query.get('expires') ?? '', signature: query.get('signature') ?? '' };
  // A file without an ETag satisfies no `If-Range`.
  const range = ifRangeHolds(headers['if-range'], '') ? parseRange(headers['range']) : undefined;
  const part = method === 'GET' ? range : 'head';
  const content = await gateway.videos.openMedia(
    pathParam(context, 'id'),
    pathParam(context, 'file'),
    link,
    part,
    signal,
  );
  return contentResponse(request, content, {
    part,
    headers: { 'accept-ranges': 'bytes', 'cache-control': 'private, no-store' },
    fileHeaders: { 'content-type': content.contentType },
  });
}
