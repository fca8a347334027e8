import { FRESH_SIGN_IN_MS, type ActiveSignIn } from '../../accounts/accounts';
import type { Actor, Role } from '../../domain/caller';
import { errorForLog, errorRules, GatewayError, isGatewayError } from '../../domain/errors';
import type { LogFields } from '../../domain/log';
import type { Gateway } from '../../gateway';
import { requestIdOf } from '../request-id';
import { asGatewayError, errorResponse } from '../error-response';
import type { GatewayRequest, GatewayResponse } from '../request-context';
import type { ConsoleEndpoint, ConsoleContext, ConsoleMethod, ConsoleRoute } from './console-route';
import { checkNotCrossSite, checkSameOrigin } from './same-origin';

// The wrapper of every management route: it authenticates the caller, checks the role and the origin. An API key is
// sent explicitly; a sign-in is a cookie that other sites can make a browser send, so with a cookie every change must
// come from one of our own pages.

/** Loads the person of the request's cookie. A function, so that the cookie is not read for a request with a key. */
export type FindPerson = () => Promise<ActiveSignIn | undefined>;

/** A request with the pattern of its route, such as `/console/api/keys/:id`. */
export interface ConsoleArrival {
  readonly request: GatewayRequest;
  readonly pattern: string;
  readonly params: Readonly<Record<string, string>>;
}

interface Trace {
  actor?: Actor;
  code?: string;
  error?: string | undefined;
}

/** Answers one management request; never rejects. */
export async function answerConsole(
  gateway: Gateway,
  endpoint: ConsoleEndpoint,
  { request, pattern, params }: ConsoleArrival,
  findPerson: FindPerson,
): Promise<GatewayResponse> {
  const startedAt = performance.now();
  const requestId = requestIdOf(request.headers['x-request-id']);
  const trace: Trace = {};
  const allow = [...Object.keys(endpoint), ...(endpoint.GET ? ['HEAD'] : [])].join(', ');
  let response: GatewayResponse;
  try {
    response = await respond({ gateway, request, requestId, params }, endpoint, allow, findPerson, trace);
  } catch (thrown) {
    const error = asGatewayError(thrown);
    // A client that disconnects causes various errors, and none of them is a failure of ours.
    const hasLeft = request.signal.aborted;
    trace.code = hasLeft ? 'caller_left' : error.code;
    if (errorRules[error.code].status >= 500 && !hasLeft)
      trace.error = isGatewayError(thrown) ? thrown.extra.detail : errorForLog(thrown);
    response = errorResponse(error, request.path, requestId, error.code === 'method_not_allowed' ? { allow } : {});
  }
  logRequest(gateway, request, pattern, response.status, requestId, trace, performance.now() - startedAt);
  return {
    ...response,
    headers: {
      'x-request-id': requestId,
      'request-id': requestId,
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      ...response.headers,
      'cache-control': 'no-store',
      vary: 'Cookie, Authorization',
    },
  };
}

async function respond(
  context: ConsoleContext,
  endpoint: ConsoleEndpoint,
  allow: string,
  findPerson: FindPerson,
  trace: Trace,
): Promise<GatewayResponse> {
  const { gateway, request } = context;
  // HEAD is handled as GET; the transport omits the body.
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const route = Object.hasOwn(endpoint, method) ? endpoint[method as ConsoleMethod] : undefined; // Safe: it is a key of the endpoint.
  if (!route) {
    if (allow === '')
      throw new GatewayError(
        'route_not_found',
        'There is nothing at this path. Check the method and the spelling of the address.',
      );
    throw new GatewayError('method_not_allowed', `This path does not take this method. It takes ${allow}.`);
  }
  if (request.headers['content-encoding']) {
    throw new GatewayError(
      'unsupported_content_encoding',
      'A compressed body is not supported. Send it without Content-Encoding.',
    );
  }
  if (request.headers['authorization'] !== undefined) return answerKey(context, route, trace);

  if (method !== 'GET') checkSameOrigin(request.headers, gateway);
  else if (route.who !== 'stranger' && route.audit !== undefined) checkNotCrossSite(request.headers);
  if (route.who === 'stranger') return route.answer(context);

  const person = await findPerson();
  if (!person) {
    throw new GatewayError(
      'not_signed_in',
      'You are not signed in. Sign in to the console, or send an API key with the scope "manage" as "Authorization: Bearer pb_live_…".',
    );
  }
  const actor: Actor = { orgId: person.orgId, role: person.role, userId: person.userId, signInId: person.signInId };
  trace.actor = actor;
  if (route.who === 'editor') checkEditor(person.role);
  if (route.who === 'editor' && person.orgSuspended) {
    throw new GatewayError(
      'organization_suspended',
      'This organisation is suspended: everything can be read, and nothing can be done. Ask the operator of this installation.',
    );
  }
  const checkFresh = () => {
    if (gateway.clock.nowMs() - person.signedInAtMs <= FRESH_SIGN_IN_MS) return;
    throw new GatewayError(
      'reauthentication_required',
      'This shows or changes a secret, or allows a key more, and you signed in more than 10 minutes ago. Sign in again, then repeat it.',
    );
  };
  if (route.fresh) checkFresh();
  const known = { ...context, actor, checkFresh };
  return audited(
    context,
    actor,
    route,
    route.who === 'person' ? await route.answer({ ...known, person }) : await route.answer(known),
  );
}

/**
 * Writes a success into the audit log if the route has an audit action. A failure to write it does not change the
 * response.
 */
async function audited(
  { gateway, params, requestId }: ConsoleContext,
  actor: Actor,
  route: ConsoleRoute,
  response: GatewayResponse,
): Promise<GatewayResponse> {
  if (route.who === 'stranger' || route.audit === undefined || response.status >= 400) return response;
  try {
    await gateway.auditLog.record(actor, route.audit, params.id ?? idIn(response));
  } catch (error) {
    gateway.log.error('an entry of the audit log could not be written', {
      requestId,
      code: route.audit,
      orgId: actor.orgId,
      error: errorForLog(error),
    });
  }
  return response;
}

/** The id of the object in the response. */
function idIn({ body }: GatewayResponse): string | undefined {
  if (typeof body !== 'string') return undefined;
  const shown: unknown = JSON.parse(body);
  return typeof shown === 'object' && shown !== null && 'id' in shown && typeof shown.id === 'string'
    ? shown.id
    : undefined;
}

async function answerKey(context: ConsoleContext, route: ConsoleRoute, trace: Trace): Promise<GatewayResponse> {
  const { gateway, request } = context;
  const caller = await gateway.accounts.authenticate(
    { authorization: request.headers['authorization'] },
    request.remoteAddress,
  );
  trace.actor = { orgId: caller.orgId, keyId: caller.keyId, role: 'viewer' };
  const actor = await gateway.accounts.actorOfKey(caller);
  if (route.who === 'stranger' || route.who === 'person') {
    throw new GatewayError(
      'role_required',
      'This endpoint needs a signed-in user. API keys cannot call it; use the console.',
    );
  }
  if (route.who === 'editor' && actor.role === 'viewer') {
    throw new GatewayError(
      'role_required',
      'This key acts for a person whose role is viewer, which may look but not change anything. Ask an owner or admin of the organisation.',
    );
  }
  // A key is a secret itself.
  return audited(context, actor, route, await route.answer({ ...context, actor, checkFresh: () => undefined }));
}

function checkEditor(role: Role): void {
  if (role !== 'viewer') return;
  throw new GatewayError(
    'role_required',
    'Your role is viewer, which may look but not change anything. Ask an owner or admin of the organisation.',
  );
}

function logRequest(
  gateway: Gateway,
  request: GatewayRequest,
  pattern: string,
  status: number,
  requestId: string,
  trace: Trace,
  ms: number,
): void {
  const fields: LogFields = { requestId, method: request.method, route: pattern, status, ms: Math.round(ms * 10) / 10 };
  if (trace.code !== undefined) fields.code = trace.code;
  if (trace.actor) fields.orgId = trace.actor.orgId;
  if (trace.actor?.keyId) fields.keyId = trace.actor.keyId;
  if (trace.error !== undefined) fields.error = trace.error;
  if (status >= 500 && trace.code !== 'caller_left') gateway.log.error('request failed', fields);
  // An open console page polls every few seconds.
  else if (request.method === 'GET' && status < 400) gateway.log.debug('request', fields);
  else gateway.log.info('request', fields);
}
