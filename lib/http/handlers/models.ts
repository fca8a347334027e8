import { mayUseOf, type MayUse } from '../../catalog/may-use';
import type { CatalogPage } from '../../catalog/catalog-responses';
import type { Caller } from '../../domain/caller';
import { unixSeconds } from '../../domain/clock';
import type { Model } from '../../domain/model';
import { noneMatchHits } from '../byte-range';
import { JSON_TYPE, pathParam } from '../handler';
import type { PublicContext } from '../handler';
import type { GatewayResponse } from '../request-context';

// The catalog is public and served from precomputed responses. A key's policy can restrict it, and only then is the
// response private.

/** `GET /v1/models` */
export function listModels(context: PublicContext): GatewayResponse {
  const mayUse = policyOf(context.caller);
  return pageResponse(context, context.gateway.catalogResponses.models(context.request.query, mayUse), mayUse);
}

/** `GET /v1/models/{model}` */
export function readModel(context: PublicContext): GatewayResponse {
  const mayUse = policyOf(context.caller);
  const page = context.gateway.catalogResponses.model(pathParam(context, 'model'), context.request.query, mayUse);
  return pageResponse(context, page, mayUse, retirementHeaders(page.model));
}

/** `GET /v1/models_compat` */
export function listCompatModels(context: PublicContext): GatewayResponse {
  const mayUse = policyOf(context.caller);
  return pageResponse(context, context.gateway.catalogResponses.compat(context.request.query, mayUse), mayUse);
}

/** `GET /internal/models` */
export function listInternalModels(context: PublicContext): GatewayResponse {
  const mayUse = policyOf(context.caller);
  return pageResponse(context, context.gateway.catalogResponses.internal(context.request.query, mayUse), mayUse);
}

/** Undefined without restrictions, so that the shared responses are used. */
function policyOf(caller: Caller | undefined): MayUse | undefined {
  return caller && mayUseOf(caller.policy);
}

function pageResponse(
  { request, gateway }: PublicContext,
  page: CatalogPage,
  mayUse: MayUse | undefined,
  more?: Record<string, string>,
): GatewayResponse {
  const headers = {
    etag: page.etag,
    'cache-control': mayUse ? 'private, max-age=60' : 'public, max-age=60, stale-while-revalidate=300',
    vary: 'Authorization, X-Api-Key',
    'x-catalog-age': String(unixSeconds(gateway.clock.now()) - unixSeconds(gateway.catalog().createdAt)),
    ...more,
  };
  if (noneMatchHits(request.headers['if-none-match'], page.etag)) return { status: 304, headers };
  return { status: 200, headers: { ...headers, 'content-type': JSON_TYPE }, body: page.body };
}

/** RFC 9745 (`@` and Unix seconds) and RFC 8594 (an HTTP date). */
function retirementHeaders(model: Model): Record<string, string> {
  const headers: Record<string, string> = {};
  if (model.deprecatedAt !== undefined) headers['deprecation'] = `@${unixSeconds(new Date(model.deprecatedAt))}`;
  if (model.deactivatedAt !== undefined) headers['sunset'] = new Date(model.deactivatedAt).toUTCString();
  return headers;
}
