import { GatewayError } from '../../../lib/domain/errors';
import type { GatewayRequest, GatewayResponse } from '../../../lib/http/exchange';

export function gatewayRequestOf(request: Request): GatewayRequest {
  const url = new URL(request.url);
  return {
    method: request.method,
    path: url.pathname,
    query: url.searchParams,
    headers: Object.fromEntries(request.headers),
    remoteAddress: request.headers.get('x-forwarded-for') ?? '',
    signal: request.signal,
    async readBody(maxBytes) {
      const bytes = Buffer.from(await request.arrayBuffer());
      if (bytes.length > maxBytes) throw new GatewayError('request_too_large', 'The body is too large.');
      return bytes;
    },
  };
}

export function webResponseOf(response: GatewayResponse): Response {
  return new Response((response.body as string | undefined) ?? null, { status: response.status, headers: { ...response.headers } });
}
