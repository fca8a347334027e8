import { GatewayError } from '../../domain/errors';
import type { ChoosePart, VideoContent } from '../../videos/videos';
import { ifRangeHolds, noneMatchHits, parseRange } from '../byte-range';
import { contentResponse } from '../content-response';
import { pathParam, type PublicContext, type GatewayRequest, type GatewayResponse } from '../handler';

/**
 * Short, although a file never changes under its id, because it can be deleted. A seeking player makes requests far
 * more often than this.
 */
const MAX_AGE_SECONDS = 300;

/** `GET /v1/videos/{id}/content`, with a key or by a signed link. */
export async function readContent(context: PublicContext): Promise<GatewayResponse> {
  const { request } = context;
  requireVideoVariant(request.query);
  let wanted: ReturnType<ChoosePart>;
  const content = await openContent(context, (etag) => (wanted = choosePart(request, etag)));

  const headers = {
    'accept-ranges': 'bytes',
    etag: content.etag,
    'cache-control': `private, max-age=${MAX_AGE_SECONDS}`,
  };
  const { status } = content;
  if (status === 304) return { status, headers };
  return contentResponse(
    request,
    { ...content, status },
    {
      part: typeof wanted === 'object' ? wanted : undefined,
      headers,
      fileHeaders: {
        'content-type': 'video/mp4',
        'content-disposition': `inline; filename="${content.fileName.replace(/[^\w.-]/g, '_')}"`,
      },
    },
  );
}

function openContent(context: PublicContext, choose: ChoosePart): Promise<VideoContent> {
  const { gateway, caller, request } = context;
  const id = pathParam(context, 'id');
  if (caller) return gateway.videos.open(caller, id, choose, request.signal);
  const link = { expires: request.query.get('expires') ?? '', signature: request.query.get('signature') ?? '' };
  return gateway.videos.openSigned(id, link, choose, request.signal);
}

function requireVideoVariant(query: URLSearchParams): void {
  const variant = query.get('variant');
  if (variant === null || variant === '' || variant === 'video') return;
  throw new GatewayError('unsupported_value', 'variant must be video: thumbnails and spritesheets are not made.', {
    param: 'variant',
    details: { allowed: ['video'] },
  });
}

// RFC 9110 defines ranges for GET only; HEAD returns the length of the whole file. An unsatisfiable range does not
// matter to a client that has the file.
function choosePart(request: GatewayRequest, etag: string): ReturnType<ChoosePart> {
  if (noneMatchHits(request.headers['if-none-match'], etag)) return 'unchanged';
  if (request.method !== 'GET') return 'head';
  return ifRangeHolds(request.headers['if-range'], etag) ? parseRange(request.headers['range']) : undefined;
}
