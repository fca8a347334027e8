import type { Readable } from 'node:stream';
import { GatewayError, isGatewayError } from '../domain/errors';
import type { ByteRange, Content, ContentPart } from '../domain/files';
import type { GatewayRequest, GatewayResponse } from './handler';

/**
 * Returns the response with a file or a part of it. `headers` are sent with every status, `fileHeaders` only with the
 * file. Rejects if the source fails before its first byte, and with `range_not_satisfiable`.
 */
export async function contentResponse(
  request: GatewayRequest,
  content: Content,
  {
    part,
    headers: shared,
    fileHeaders,
  }: {
    /** The part that was requested when `content` was opened. */
    readonly part: ContentPart;
    readonly headers: Readonly<Record<string, string>>;
    readonly fileHeaders: Readonly<Record<string, string>>;
  },
): Promise<GatewayResponse> {
  const { status, length, total, body } = content;
  if (status === 416) {
    body.destroy();
    throw rangeNotSatisfiable(total, shared);
  }
  const headers: Record<string, string> = { ...shared, ...fileHeaders };
  if (length !== undefined) headers['content-length'] = String(length);
  if (status === 206) headers['content-range'] = contentRange(content, typeof part === 'object' ? part : undefined);
  if (request.method === 'GET') await firstBytes(body);
  return { status, headers, body };
}

function rangeNotSatisfiable(total: number | undefined, shared: Readonly<Record<string, string>>): GatewayError {
  const { 'cache-control': _, ...headers } = shared;
  return new GatewayError(
    'range_not_satisfiable',
    total === undefined
      ? 'The range begins behind the end of the file.'
      : `The range begins behind the end of the file, which has ${total} bytes.`,
    { headers: { ...headers, ...(total !== undefined && { 'content-range': `bytes */${total}` }) } },
  );
}

/** Before the first byte the response can still be an error; afterwards a failing source can only abort it. */
function firstBytes(body: Readable): Promise<void> {
  return new Promise((resolve, reject) => {
    // A destroyed stream emits no more events.
    if (body.destroyed) return reject(contentUnavailable('the source failed before its first byte'));
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

function contentRange({ start, length, total, body }: Content, wanted: ByteRange | undefined): string {
  const end =
    length !== undefined ? start + length - 1 : (wanted?.end ?? (total === undefined ? undefined : total - 1));
  if (end !== undefined) return `bytes ${start}-${end}/${total ?? '*'}`;
  body.destroy();
  throw contentUnavailable('the source sent a part without stating its length');
}

function contentUnavailable(detail: string): GatewayError {
  return new GatewayError(
    'upstream_content_unavailable',
    'The file could not be read from the provider. Try again in a moment.',
    { detail },
  );
}
