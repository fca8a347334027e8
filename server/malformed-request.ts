import type { IncomingMessage } from 'node:http';
import { GatewayError } from '../lib/domain/errors';

/**
 * Returns a `malformed_request` error for a request that Node accepts but proxies could read differently; otherwise
 * undefined. Absolute targets are refused because they are for proxies: a proxy behind us once followed such a target
 * into the internal network.
 */
export function malformedRequest(req: IncomingMessage): GatewayError | undefined {
  if (!req.url?.startsWith('/'))
    return new GatewayError('malformed_request', 'The request target must be a path, such as /v1/models.');
  const hosts = countHosts(req.rawHeaders);
  if (hosts > 1) return new GatewayError('malformed_request', 'The Host header was sent more than once. Send it once.');
  if (hosts === 0 && req.httpVersion === '1.1')
    return new GatewayError('malformed_request', 'The Host header is missing.');
  return undefined;
}

/** Counts the Host headers. `rawHeaders` alternates names and values; `req.headers` keeps only the first value. */
function countHosts(rawHeaders: readonly string[]): number {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts;
}
