import { readContent } from './handlers/content';
import { readCredits } from './handlers/credits';
import { listDeliveries, resendDelivery } from './handlers/deliveries';
import { hello, readHealth, readLiveness, readReadiness, requireUpgrade } from './handlers/health';
import { countTokens, createMessage } from './handlers/messages';
import { listCompatModels, listInternalModels, listModels, readModel } from './handlers/models';
import { createOrganizationKey, listOrganizations, listTransfers, transferCredits } from './handlers/operator';
import { cancelVideo, listVideos, readVideo, removeVideo, submitVideo } from './handlers/videos';
import { readSecurityContact } from './handlers/security-contact';
import { createRouteTable } from './route-table';
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
 * Does the API answer this path (as sent), and not a page? True for every path below `/v1` and `/internal`, known or
 * not; for an ambiguous path, because it is refused; and for a path that only lacks its `/v1`.
 */
export function isOurs(rawPath: string): boolean {
  let path: string;
  try {
    path = parsePath(rawPath);
  } catch {
    return true;
  }
  return (
    path === '/v1' ||
    path.startsWith('/v1/') ||
    path === '/internal' ||
    path.startsWith('/internal/') ||
    routeTable.match(path) !== undefined ||
    apiPatternOf(path) !== undefined
  );
}

/**
 * The route pattern that a path without its `/v1` would match with it, such as `/v1/videos/{id}`; undefined if there is
 * none.
 */
export function apiPatternOf(path: string): string | undefined {
  return routeTable.match(`/v1${path}`)?.endpoint.pattern.replace(/[:*](\w+)/g, '{$1}');
}
