import { mayUseOf } from '../../catalog/may-use';
import type { CatalogPage, CatalogView } from '../../catalog/catalog-responses';
import { unixSeconds } from '../../domain/clock';
import { errorForLog } from '../../domain/errors';
import { noneMatchHits } from '../byte-range';
import { JSON_TYPE, pathParam, type PublicContext, type GatewayResponse } from '../handler';
import { retirementHeaders } from '../response-headers';

// The catalog is public and served from precomputed responses. The policy of a key and the own accounts of its
// organisation can change it, and only then is the response private.

/** `GET /v1/models` */
export async function listModels(context: PublicContext): Promise<GatewayResponse> {
  const view = await viewOf(context);
  return pageResponse(context, context.gateway.catalogResponses.models(context.request.query, view), view);
}

/** `GET /v1/models/{model}` */
export async function readModel(context: PublicContext): Promise<GatewayResponse> {
  const view = await viewOf(context);
  const page = context.gateway.catalogResponses.model(pathParam(context, 'model'), context.request.query, view);
  return pageResponse(context, page, view, retirementHeaders(page.model));
}

/** `GET /v1/models_compat` */
export async function listCompatModels(context: PublicContext): Promise<GatewayResponse> {
  const view = await viewOf(context);
  return pageResponse(context, context.gateway.catalogResponses.compat(context.request.query, view), view);
}

/** `GET /internal/models` */
export async function listInternalModels(context: PublicContext): Promise<GatewayResponse> {
  const view = await viewOf(context);
  return pageResponse(context, context.gateway.catalogResponses.internal(context.request.query, view), view);
}

/** Returns the caller's view of the catalog; undefined if it is not restricted, so that shared responses are used. */
async function viewOf({ gateway, caller }: PublicContext): Promise<CatalogView | undefined> {
  if (!caller) return undefined;
  const mayUse = mayUseOf(caller.policy);
  const common = gateway.catalog();
  // The catalog must be readable without the database.
  const catalog = await gateway.catalogOf(caller).catch((error: unknown) => {
    gateway.log.warn('the own accounts of an organisation could not be read', { error: errorForLog(error) });
    return common;
  });
  if (!mayUse && catalog === common) return undefined;
  return { ...(mayUse && { mayUse }), ...(catalog !== common && { catalog }) };
}

function pageResponse(
  { request, gateway }: PublicContext,
  page: CatalogPage,
  view: CatalogView | undefined,
  more?: Record<string, string>,
): GatewayResponse {
  const headers = {
    etag: page.etag,
    'cache-control': view ? 'private, max-age=60' : 'public, max-age=60, stale-while-revalidate=300',
    vary: 'Authorization, X-Api-Key',
    'x-catalog-age': String(unixSeconds(gateway.clock.now()) - unixSeconds(gateway.catalog().createdAt)),
    ...more,
  };
  if (noneMatchHits(request.headers['if-none-match'], page.etag)) return { status: 304, headers };
  return { status: 200, headers: { ...headers, 'content-type': JSON_TYPE }, body: page.body };
}
