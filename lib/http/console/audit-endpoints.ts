import type { AuditFilter, AuditPage } from '../../audit/audit-log';
import { GatewayError } from '../../domain/errors';
import { isId } from '../../domain/ids';
import { jsonResponse, type ActorContext, type GatewayResponse } from '../handler';
import { wholeNumberParam } from '../query';
import { csvResponse, isCsv } from './csv-response';
import { textParam, timeRangeOf } from './query-params';

// The audit log of an organisation, as pages of JSON or as a table.

export async function listAuditEntries({ gateway, actor, request }: ActorContext): Promise<GatewayResponse> {
  const { query } = request;
  const filter = parseAuditFilter(query, gateway.clock.now());
  if (isCsv(query)) return csvResponse('audit-log', gateway.auditLog.listCsv(actor, filter));
  return jsonResponse(200, await gateway.auditLog.list(actor, filter, parseAuditPage(query)));
}

/** Reads `limit` and `after`. */
export function parseAuditPage(query: URLSearchParams): AuditPage {
  return { limit: wholeNumberParam(query, 'limit', 1, 100, 50), after: textParam(query, 'after') };
}

/** Reads `actor`, `action`, `created_within` (seconds before now), `created_from` and `created_to` (Unix seconds). */
export function parseAuditFilter(query: URLSearchParams, now: Date): AuditFilter {
  const actor = textParam(query, 'actor');
  const action = textParam(query, 'action');
  if (actor !== undefined && actor !== 'operator' && !isId('user', actor) && !isId('key', actor))
    throw new GatewayError('unsupported_value', 'actor must be the id of a person or of a key, or "operator".', {
      param: 'actor',
    });
  if (action !== undefined && !/^[a-z_]+(\.[a-z_]+)?$/.test(action))
    throw new GatewayError(
      'unsupported_value',
      'action must be an action such as "key.created", or its first part, such as "key".',
      { param: 'action' },
    );
  return { ...(actor !== undefined && { actor }), ...(action !== undefined && { action }), ...timeRangeOf(query, now) };
}
