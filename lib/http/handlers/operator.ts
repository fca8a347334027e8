import { organizationStates } from '../../contract/organizations';
import { parseBody } from '../../contract/parse-body';
import { verifyRequestSchema } from '../../contract/providers';
import { textParam } from '../console/query-params';
import { readJson, readOptionalJson } from '../console/request-parts';
import { jsonResponse, pathParam, type OperatorContext, type GatewayRequest, type GatewayResponse } from '../handler';
import { wholeNumberParam, wordParam } from '../query';

// The operator's endpoints: below /internal/operator for scripts, whose token `endpoint.ts` has checked, and below
// /console/api/installation for people who operate the installation (`console/access.ts`).

const PAGE = 50;
const MAX_PAGE = 100;

/** `GET …/organizations?search=&state=&order=` */
export async function listOrganizations({ gateway, request }: OperatorContext): Promise<GatewayResponse> {
  return jsonResponse(200, await gateway.operator.listOrganizations(parseOrganizationListing(request)));
}

/** Reads `search`, `state`, `order`, `limit` and `after`. */
export function parseOrganizationListing({ query }: Pick<GatewayRequest, 'query'>) {
  return {
    ...paginate(query),
    search: textParam(query, 'search'),
    state: wordParam(query, 'state', organizationStates, undefined),
    order: wordParam(query, 'order', ['asc', 'desc'], 'asc'),
  };
}

/** `POST …/organizations` */
export async function createManagedOrganization({
  gateway,
  request,
  operator,
}: OperatorContext): Promise<GatewayResponse> {
  return jsonResponse(201, await gateway.operator.createOrganization(await readJson(request), operator));
}

/** `GET …/organizations/:id` */
export async function readManagedOrganization(context: OperatorContext): Promise<GatewayResponse> {
  return jsonResponse(200, await context.gateway.operator.readOrganization(pathParam(context, 'id')));
}

/** `POST …/organizations/:id/invitations`: the body may be left out. */
export async function inviteOwner(context: OperatorContext): Promise<GatewayResponse> {
  const body = (await readOptionalJson(context.request)) ?? {};
  return jsonResponse(
    201,
    await context.gateway.operator.inviteOwner(pathParam(context, 'id'), body, context.operator),
  );
}

/** `POST …/organizations/:id/suspend` */
export async function suspendOrganization(context: OperatorContext): Promise<GatewayResponse> {
  const { gateway, request, operator } = context;
  return jsonResponse(200, await gateway.operator.suspend(pathParam(context, 'id'), await readJson(request), operator));
}

/** `POST …/organizations/:id/resume` */
export async function resumeOrganization(context: OperatorContext): Promise<GatewayResponse> {
  const { gateway, request, operator } = context;
  return jsonResponse(200, await gateway.operator.resume(pathParam(context, 'id'), await readJson(request), operator));
}

/** `GET …/organizations/:id/support?mode=` */
export async function readSupportView(context: OperatorContext): Promise<GatewayResponse> {
  const mode = wordParam(context.request.query, 'mode', ['live', 'test'], 'live');
  return jsonResponse(
    200,
    await context.gateway.operator.readSupportView(pathParam(context, 'id'), mode, context.operator),
  );
}

/** `GET …/transfers` */
export async function listTransfers({ gateway, request: { query } }: OperatorContext): Promise<GatewayResponse> {
  const organization = textParam(query, 'organization');
  const mode = wordParam(query, 'mode', ['live', 'test'], 'live');
  return jsonResponse(200, await gateway.operator.listTransfers({ organization, mode, ...paginate(query) }));
}

/** `POST …/transfers`: 201, also for a repeated request, which the headers indicate. */
export async function transferCredits({ gateway, request, operator }: OperatorContext): Promise<GatewayResponse> {
  const { transfer, replayed } = await gateway.operator.transfer(await readJson(request), operator);
  return jsonResponse(201, transfer, replayed ? { 'idempotent-replayed': 'true' } : {});
}

/** `POST /internal/operator/keys` */
export async function createOrganizationKey({ gateway, request }: OperatorContext): Promise<GatewayResponse> {
  return jsonResponse(201, await gateway.operator.createKey(await readJson(request)));
}

/** `GET /internal/operator/limits` */
export async function readOrganizationLimits({ gateway, request }: OperatorContext): Promise<GatewayResponse> {
  return jsonResponse(200, await gateway.operator.readLimits(textParam(request.query, 'organization')));
}

/** `PATCH /internal/operator/limits` */
export async function changeOrganizationLimits({
  gateway,
  request,
  operator,
}: OperatorContext): Promise<GatewayResponse> {
  return jsonResponse(200, await gateway.operator.changeLimits(await readJson(request), operator));
}

/** `GET …/providers` */
export async function listProviders({ gateway }: OperatorContext): Promise<GatewayResponse> {
  return jsonResponse(200, gateway.operator.providers.list());
}

/** `POST …/providers/verify`: the body may be left out. */
export async function verifyProviders({ gateway, request, operator }: OperatorContext): Promise<GatewayResponse> {
  const { provider } = parseBody(verifyRequestSchema, (await readOptionalJson(request)) ?? {});
  return jsonResponse(200, await gateway.operator.providers.verify(provider, operator));
}

/** `GET …/status` */
export async function readInstallationStatus({ gateway }: OperatorContext): Promise<GatewayResponse> {
  return jsonResponse(200, await gateway.operator.status());
}

/** `GET …/operators` */
export async function listOperators({ gateway }: OperatorContext): Promise<GatewayResponse> {
  return jsonResponse(200, await gateway.operator.operators.list());
}

/** `POST …/operators` */
export async function addOperator({ gateway, request, operator }: OperatorContext): Promise<GatewayResponse> {
  return jsonResponse(201, await gateway.operator.operators.add(await readJson(request), operator));
}

/** `DELETE …/operators/:id` */
export async function removeOperator(context: OperatorContext): Promise<GatewayResponse> {
  await context.gateway.operator.operators.remove(pathParam(context, 'id'), context.operator);
  return { status: 204, headers: {} };
}

/** `GET …/audit-entries` */
export async function listOperatorAuditEntries({
  gateway,
  request: { query },
}: OperatorContext): Promise<GatewayResponse> {
  return jsonResponse(200, await gateway.operator.listEntries(paginate(query)));
}

function paginate(query: URLSearchParams) {
  return { limit: wholeNumberParam(query, 'limit', 1, MAX_PAGE, PAGE), after: textParam(query, 'after') };
}
