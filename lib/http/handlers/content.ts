import type { Readable } from 'node:stream';
import { GatewayError, isGatewayError } from '../../domain/errors';
import type { ByteRange } from '../../domain/files';
import type { ChoosePart, VideoContent } from '../../videos/videos';
import { ifRangeHolds, noneMatchHits, parseRange } from '../byte-range';
import { pathParam } from '../handler';
import type { PublicContext } from '../handler';
import type { GatewayRequest, GatewayResponse } from '../request-context';

/**
 * A file never changes under its id, but it can be deleted. A seeking player makes requests far more often than this.
 */
const MAX_AGE_SECONDS = 300;

/** `GET /v1/videos/{id}/content`, with a key or by a signed link. */
export async function readContent(context: PublicContext): Promise<GatewayResponse> {
  const { request } = context;
  requireVideoVariant(request.query);
  let wanted: ReturnType<ChoosePart>;
  const content = await openContent(context, (etag) => (wanted = choosePart(request, etag)));

  const headers: Record<string, string> = {
    'accept-ranges': 'bytes',
    etag: content.etag,
    'cache-control': `private, max-age=${MAX_AGE_SECONDS}`,
  };
  if (content.status === 304) return { status: 304, headers };
  if (content.status === 416) {
    content.body.destroy();
    if (content.total !== undefined) headers['content-range'] = `bytes */${content.total}`;
    return { status: 416, headers: { ...headers, 'cache-control': 'no-store' } };
  }
  headers['content-type'] = 'video/mp4';
  headers['content-disposition'] = `inline; filename="${content.fileName.replace(/[^\w.-]/g, '_')}"`;
  if (content.length !== undefined) headers['content-length'] = String(content.length);
  if (content.status === 206)
    headers['content-range'] = contentRange(content, typeof wanted === 'object' ? wanted : undefined);
  if (request.method === 'GET') await firstBytes(content.body);
  return { status: content.status, headers, body: content.body };
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

/** Before the first byte the response can still be an error; afterwards a failing source can only abort it. */
function firstBytes(body: Readable): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (run: () => void) => {
      body.off('readable', arrived).off('end', arrived).off('error', failed).off('close', failed);
      run();
    };
    const arrived = () => settle(resolve);
    const failed = (error?: unknown) =>
      settle(() =>
        reject(isGatewayError(error) ? error : contentUnavailable('the source failed before its first byte')),
      );
    body.on('readable', arrived).on('end', arrived).on('error', failed).on('close', failed);
  });
}

function contentRange(content: VideoContent, wanted: ByteRange | undefined): string {
  const { start, length, total } = content;
  const end =
    length !== undefined ? start + length - 1 : (wanted?.end ?? (total === undefined ? undefined : total - 1));
  if (end !== undefined) return `bytes ${start}-${end}/${total ?? '*'}`;
  content.body.destroy();
  throw contentUnavailable('a part without its length');
}

function contentUnavailable(detail: string): GatewayError {
  return new GatewayError(
    'upstream_content_unavailable',
    'The file could not be read from the provider. Try again in a moment.',
    { detail },
  );
}
