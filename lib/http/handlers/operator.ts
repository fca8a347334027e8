import { parseBody } from '../../contract/parse-body';
import { verifyRequestSchema } from '../../contract/providers';
import { readJson, readOptionalJson } from '../console/request-parts';
import { jsonResponse } from '../handler';
import type { RequestContext } from '../handler';
import type { GatewayRequest, GatewayResponse } from '../request-context';
import { wholeNumberParam, wordParam } from '../query';

// The operator's endpoints. `endpoint.ts` has already checked the token.

const PAGE = 50;
const MAX_PAGE = 100;

/** `GET /internal/operator/organizations` */
export async function listOrganizations({ gateway, request }: RequestContext): Promise<GatewayResponse> {
  return jsonResponse(200, await gateway.operator.listOrganizations(paginate(request)));
}

/** `GET /internal/operator/transfers` */
export async function listTransfers({ gateway, request }: RequestContext): Promise<GatewayResponse> {
  const organization = request.query.get('organization') || undefined;
  const mode = wordParam(request.query, 'mode', ['live', 'test'], 'live');
  return jsonResponse(200, await gateway.operator.listTransfers({ organization, mode, ...paginate(request) }));
}

/** `POST /internal/operator/transfers`: 201, also for a repeated request, which the headers indicate. */
export async function transferCredits({ gateway, request }: RequestContext): Promise<GatewayResponse> {
  const { transfer, replayed } = await gateway.operator.transfer(await readJson(request));
  return jsonResponse(201, transfer, replayed ? { 'idempotent-replayed': 'true' } : {});
}

/** `POST /internal/operator/keys` */
export async function createOrganizationKey({ gateway, request }: RequestContext): Promise<GatewayResponse> {
  return jsonResponse(201, await gateway.operator.createKey(await readJson(request)));
}

/** `GET /internal/operator/limits` */
export async function readOrganizationLimits({ gateway, request }: RequestContext): Promise<GatewayResponse> {
  return jsonResponse(200, await gateway.operator.readLimits(request.query.get('organization') || undefined));
}

/** `PATCH /internal/operator/limits` */
export async function changeOrganizationLimits({ gateway, request }: RequestContext): Promise<GatewayResponse> {
  return jsonResponse(200, await gateway.operator.changeLimits(await readJson(request)));
}

/** `GET /internal/operator/providers` */
export async function listProviders({ gateway }: RequestContext): Promise<GatewayResponse> {
  return jsonResponse(200, gateway.operator.providers.list());
}

/** `POST /internal/operator/providers/verify`: the body may be left out. */
export async function verifyProviders({ gateway, request }: RequestContext): Promise<GatewayResponse> {
  const { provider } = parseBody(verifyRequestSchema, (await readOptionalJson(request)) ?? {});
  return jsonResponse(200, await gateway.operator.providers.verify(provider));
}

function paginate({ query }: GatewayRequest) {
  return { limit: wholeNumberParam(query, 'limit', 1, MAX_PAGE, PAGE), after: query.get('after') || undefined };
}
