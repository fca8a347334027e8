import { readContent } from './cores/content';
import { readCredits } from './cores/credits';
import { listDeliveries, resendDelivery } from './cores/deliveries';
import { hello, readHealth, readLiveness, readReadiness, requireUpgrade } from './cores/health';
import { countTokens, createMessage } from './cores/messages';
import { listCompatModels, listInternalModels, listModels, readModel } from './cores/models';
import { createOrganizationKey, listOrganizations, listTransfers, transferCredits } from './cores/operator';
import { cancelVideo, listVideos, readVideo, removeVideo, submitVideo } from './cores/videos';
import { readSecurityContact } from './cores/security-contact';
import { createRouteTable } from './route-table';
import { parsePath } from './request-path';

/** Every route of the API. The server answers them directly; `app/` mounts the same ones (a test compares the two). */
export const routeTable = createRouteTable([
  { method: 'POST', pattern: '/v1/videos', auth: 'key', startsWork: true, core: submitVideo },
  { method: 'GET', pattern: '/v1/videos', auth: 'key', core: listVideos },
  { method: 'GET', pattern: '/v1/videos/:id', auth: 'key', core: readVideo },
  { method: 'DELETE', pattern: '/v1/videos/:id', auth: 'key', core: removeVideo },
  { method: 'POST', pattern: '/v1/videos/:id/cancel', auth: 'key', core: cancelVideo },
  { method: 'GET', pattern: '/v1/videos/:id/content', auth: 'key-or-signature', core: readContent },
  { method: 'GET', pattern: '/v1/videos/:id/webhook_deliveries', auth: 'key', core: listDeliveries },
  { method: 'POST', pattern: '/v1/webhook_deliveries/:id/resend', auth: 'key', startsWork: true, core: resendDelivery },
  { method: 'POST', pattern: '/v1/messages', auth: 'key', startsWork: true, core: createMessage },
  { method: 'POST', pattern: '/v1/messages/count_tokens', auth: 'key', core: countTokens },
  { method: 'GET', pattern: '/v1/credits', auth: 'key', core: readCredits },
  { method: 'GET', pattern: '/v1/models', auth: 'optional-key', core: listModels },
  { method: 'GET', pattern: '/v1/models/*model', auth: 'optional-key', core: readModel },
  { method: 'GET', pattern: '/v1/models_compat', auth: 'optional-key', core: listCompatModels },
  { method: 'GET', pattern: '/v1/audio/transcriptions/ws', auth: 'public', core: requireUpgrade },
  { method: 'GET', pattern: '/v1/audio/speech/ws', auth: 'public', core: requireUpgrade },
  { method: 'GET', pattern: '/internal/models', auth: 'optional-key', core: listInternalModels },
  { method: 'GET', pattern: '/internal/operator/organizations', auth: 'operator', core: listOrganizations },
  { method: 'GET', pattern: '/internal/operator/transfers', auth: 'operator', core: listTransfers },
  { method: 'POST', pattern: '/internal/operator/transfers', auth: 'operator', core: transferCredits },
  { method: 'POST', pattern: '/internal/operator/keys', auth: 'operator', core: createOrganizationKey },
  { method: 'GET', pattern: '/', auth: 'public', probe: true, core: readHealth },
  { method: 'GET', pattern: '/.well-known/security.txt', auth: 'public', core: readSecurityContact },
  { method: 'GET', pattern: '/api/hello', auth: 'public', probe: true, core: hello },
  { method: 'GET', pattern: '/livez', auth: 'public', probe: true, core: readLiveness },
  { method: 'GET', pattern: '/readyz', auth: 'public', probe: true, core: readReadiness },
]);

/**
 * Is this path (as sent) ours to answer, rather than a page's? All below `/v1` and `/internal` is, known or not; so is a path
 * that could be read in two ways, because it is refused, and one that only lacks its `/v1`.
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

/** Where a path without its `/v1` would lead with it, such as `/v1/videos/{id}`; undefined when nowhere. */
export function apiPatternOf(path: string): string | undefined {
  return routeTable.match(`/v1${path}`)?.endpoint.pattern.replace(/[:*](\w+)/g, '{$1}');
}
