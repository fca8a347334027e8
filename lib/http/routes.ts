import { readContent } from './handlers/content';
import { readCredits } from './handlers/credits';
import { listDeliveries, resendDelivery } from './handlers/deliveries';
import { hello, readHealth, readLiveness, readReadiness, requireUpgrade } from './handlers/health';
import { countTokens, createMessage } from './handlers/messages';
import { listCompatModels, listInternalModels, listModels, readModel } from './handlers/models';
import { createOrganizationKey, listOrganizations, listTransfers, transferCredits } from './handlers/operator';
import { cancelVideo, listVideos, readVideo, removeVideo, submitVideo } from './handlers/videos';
import { readSecurityContact } from './handlers/security-contact';
import { isGatewayError, type GatewayError } from '../domain/errors';
import { createRouteTable, type RouteMatch } from './route-table';
import { parsePath } from './request-path';

/**
 * Every route of the API. The custom server answers them directly; `app/` mounts the same routes (a test compares the
 * two).
 */
export const routeTable = createRouteTable([
  { method: 'POST', pattern: '/v1/videos', auth: 'key', startsWork: true, handler: submitVideo },
  { method: 'GET', pattern: '/v1/videos', auth: 'key', handler: listVideos },
  { method: 'GET', pattern: '/v1/videos/:id', auth: 'key', handler: readVideo },
  { method: 'DELETE', pattern: '/v1/videos/:id', auth: 'key', handler: removeVideo },
  { method: 'POST', pattern: '/v1/videos/:id/cancel', auth: 'key', handler: cancelVideo },
  { method: 'GET', pattern: '/v1/videos/:id/content', auth: 'key-or-signature', handler: readContent },
  { method: 'GET', pattern: '/v1/videos/:id/webhook_deliveries', auth: 'key', handler: listDeliveries },
  {
    method: 'POST',
    pattern: '/v1/webhook_deliveries/:id/resend',
    auth: 'key',
    startsWork: true,
    handler: resendDelivery,
  },
  { method: 'POST', pattern: '/v1/messages', auth: 'key', startsWork: true, handler: createMessage },
  { method: 'POST', pattern: '/v1/messages/count_tokens', auth: 'key', handler: countTokens },
  { method: 'GET', pattern: '/v1/credits', auth: 'key', handler: readCredits },
  { method: 'GET', pattern: '/v1/models', auth: 'optional-key', handler: listModels },
  { method: 'GET', pattern: '/v1/models/*model', auth: 'optional-key', handler: readModel },
  { method: 'GET', pattern: '/v1/models_compat', auth: 'optional-key', handler: listCompatModels },
  { method: 'GET', pattern: '/v1/audio/transcriptions/ws', auth: 'public', handler: requireUpgrade },
  { method: 'GET', pattern: '/v1/audio/speech/ws', auth: 'public', handler: requireUpgrade },
  { method: 'GET', pattern: '/internal/models', auth: 'optional-key', handler: listInternalModels },
  { method: 'GET', pattern: '/internal/operator/organizations', auth: 'operator', handler: listOrganizations },
  { method: 'GET', pattern: '/internal/operator/transfers', auth: 'operator', handler: listTransfers },
  { method: 'POST', pattern: '/internal/operator/transfers', auth: 'operator', handler: transferCredits },
  { method: 'POST', pattern: '/internal/operator/keys', auth: 'operator', handler: createOrganizationKey },
  { method: 'GET', pattern: '/', auth: 'public', probe: true, handler: readHealth },
  { method: 'GET', pattern: '/.well-known/security.txt', auth: 'public', handler: readSecurityContact },
  { method: 'GET', pattern: '/api/hello', auth: 'public', probe: true, handler: hello },
  { method: 'GET', pattern: '/livez', auth: 'public', probe: true, handler: readLiveness },
  { method: 'GET', pattern: '/readyz', auth: 'public', probe: true, handler: readReadiness },
]);

/**
 * Where a request goes, decided once for each request. `route`: to a route of the table, if the method is one of its own
 * · `unknown`: nowhere below `/v1` or `/internal`, or a path that only lacks its `/v1` · `page`: to Next · `refused`: an
 * ambiguous path.
 */
export type Destination = RouteMatch | UnknownPath | PagePath | Refusal;

interface UnknownPath {
  readonly kind: 'unknown';
  readonly path: string;
  /** The route pattern that the path would match with a `/v1` before it, such as `/v1/videos/{id}`. */
  readonly suggestion: string | undefined;
}

interface PagePath {
  readonly kind: 'page';
  readonly path: string;
}

/** A request that reaches neither a handler nor a page. `headers` are added to the response (`Allow` for a wrong method). */
export interface Refusal {
  readonly kind: 'refused';
  readonly error: GatewayError;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The destination of a path as sent, without its query. */
export function findDestination(rawPath: string): Destination {
  let path: string;
  try {
    path = parsePath(rawPath);
  } catch (error) {
    if (!isGatewayError(error)) throw error;
    return { kind: 'refused', error };
  }
  const match = routeTable.match(path);
  if (match) return match;
  const suggestion = routeTable.match(`/v1${path}`)?.endpoint.pattern.replace(/[:*](\w+)/g, '{$1}');
  if (suggestion !== undefined || isBelow(path, '/v1') || isBelow(path, '/internal'))
    return { kind: 'unknown', path, suggestion };
  return { kind: 'page', path };
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}
