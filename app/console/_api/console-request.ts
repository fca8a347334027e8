import type { GatewayRequest } from '../../../lib/http/exchange';
import { gatewayRequest } from '../../../lib/http/to-web';
import type { Gateway } from '../../../lib/gateway';

export function consoleRequest(request: Request, gateway: Gateway): GatewayRequest {
  return gatewayRequest(request, gateway.config.trustedProxies);
}
