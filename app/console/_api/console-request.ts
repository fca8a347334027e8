import type { Gateway } from '../../../lib/gateway';
import type { GatewayRequest } from '../../../lib/http/exchange';
import { gatewayRequest } from '../../../lib/http/to-web';
import { isPlainNext } from './plain-next';

/** A Web request as the management routes see it; under our own server it comes with the address that the server has judged. */
export function consoleRequest(request: Request, gateway: Gateway): GatewayRequest {
  const read = gatewayRequest(request, gateway.config.trustedProxies);
  return isPlainNext() ? read : { ...read, remoteAddress: saidAddress(request) };
}

/** Only good for counting: under a plain `next start` it is the request's own word, unless the request is silent. */
export function saidAddress(request: Request): string {
  return request.headers.get('x-forwarded-for') ?? '';
}
