import type { Actor } from '../../domain/caller';
import { errorForLog } from '../../domain/errors';
import type { RequestContext, GatewayResponse } from '../handler';

/**
 * Writes a success into the audit log; without an action, nothing. A failure to write it does not change the response:
 * the action is already done.
 */
export async function recordSuccess(
  { gateway, params, request, requestId }: RequestContext,
  actor: Pick<Actor, 'orgId' | 'userId' | 'keyId'>,
  action: string | undefined,
  response: GatewayResponse,
  detail?: string,
): Promise<void> {
  if (action === undefined || response.status >= 400) return;
  try {
    await gateway.auditLog.record(
      { ...actor, address: request.remoteAddress },
      action,
      params['id'] ?? idIn(response),
      detail,
    );
  } catch (error) {
    gateway.log.error('an entry of the audit log could not be written', {
      requestId,
      code: action,
      orgId: actor.orgId,
      error: errorForLog(error),
    });
  }
}

/** Returns the id of the object in the response. */
function idIn({ body }: GatewayResponse): string | undefined {
  if (typeof body !== 'string') return undefined;
  const shown: unknown = JSON.parse(body);
  return typeof shown === 'object' && shown !== null && 'id' in shown && typeof shown.id === 'string'
    ? shown.id
    : undefined;
}
