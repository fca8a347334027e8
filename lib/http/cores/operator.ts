import { readJson } from '../console/request-parts';
import { jsonResponse } from '../core';
import type { Exchange } from '../core';
import type { GatewayRequest, GatewayResponse } from '../exchange';
import { wholeNumberParam, wordParam } from '../query';

// The operator's endpoints. The token was checked before, in `endpoint.ts`.

const PAGE = 50;
const MAX_PAGE = 100;

/** `GET /internal/operator/organizations` */
export async function listOrganizations({ gateway, request }: Exchange): Promise<GatewayResponse> {
  return jsonResponse(200, await gateway.operator.listOrganizations(pageOf(request)));
}

/** `GET /internal/operator/transfers` */
export async function listTransfers({ gateway, request }: Exchange): Promise<GatewayResponse> {
  const organization = request.query.get('organization') || undefined;
  const mode = wordParam(request.query, 'mode', ['live', 'test'], 'live');
  return jsonResponse(200, await gateway.operator.listTransfers({ organization, mode, ...pageOf(request) }));
}

/** `POST /internal/operator/transfers`: 201, also for a repetition, which says so in its headers. */
export async function transferCredits({ gateway, request }: Exchange): Promise<GatewayResponse> {
  const { transfer, replayed } = await gateway.operator.transfer(await readJson(request));
  return jsonResponse(201, transfer, replayed ? { 'idempotent-replayed': 'true' } : {});
}

/** `POST /internal/operator/keys` */
export async function createOrganizationKey({ gateway, request }: Exchange): Promise<GatewayResponse> {
  return jsonResponse(201, await gateway.operator.createKey(await readJson(request)));
}

function pageOf({ query }: GatewayRequest) {
  return { limit: wholeNumberParam(query, 'limit', 1, MAX_PAGE, PAGE), after: query.get('after') || undefined };
}
