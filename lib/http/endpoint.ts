import type { Readable } from 'node:stream';
import { checkEndpointAccess, checkScope } from '../accounts/access';
import type { Caller } from '../domain/caller';
import { errorForLog, errorRules, GatewayError, isGatewayError } from '../domain/errors';
import type { LogFields } from '../domain/log';
import type { Gateway } from '../gateway';
import { corsHeaders, isCrossOrigin, preflight } from './cors';
import { asGatewayError, errorResponse } from './error-response';
import type { GatewayRequest, GatewayResponse } from './request-context';
import { requestIdOf } from './request-id';
import { parsePath } from './request-path';
import type { Endpoint, Route, RouteMethod } from './route-table';
import { apiPatternOf, routeTable } from './routes';

// The wrapper of every handler, the same for both mounts. Every request passes it before its handler, and every
// response gets its request id here.

const ALL_METHODS = 'DELETE, GET, HEAD, OPTIONS, POST';

/** Data collected while a request is handled, for the response headers and the log. */
interface Trace {
  route: string;
  probe: boolean;
  headers: Readonly<Record<string, string>>;
  caller?: Caller;
  code?: string;
}

/** Answers one request; never rejects. An unknown path is answered here too, with an error in our format. */
export function answer(gateway: Gateway, request: GatewayRequest): Promise<GatewayResponse> {
  return wrap(gateway, request, (requestId, trace) => respond(gateway, request, requestId, trace));
}

/** The response to a request that is refused before routing; `headers` are added (`Allow` for a wrong method). */
export function refuse(
  gateway: Gateway,
  request: GatewayRequest,
  error: GatewayError,
  headers: Readonly<Record<string, string>> = {},
): Promise<GatewayResponse> {
  return wrap(gateway, request, (_requestId, trace) => {
    trace.headers = headers;
    return Promise.reject(error);
  });
}

async function wrap(
  gateway: Gateway,
  request: GatewayRequest,
  run: (requestId: string, trace: Trace) => Promise<GatewayResponse>,
): Promise<GatewayResponse> {
  const startedAt = performance.now();
  const requestId = requestIdOf(request.headers['x-request-id']);
  const trace: Trace = { route: 'unknown', probe: false, headers: {} };
  let response: GatewayResponse;
  let failure: string | undefined;
  try {
    response = await run(requestId, trace);
  } catch (thrown) {
    const error = asGatewayError(thrown);
    response = errorResponse(error, request.path, requestId, trace.headers);
    // A client that disconnects causes various errors, and none of them is a failure of ours.
    trace.code = request.signal.aborted ? 'caller_left' : error.code;
    if (errorRules[error.code].status >= 500 && !request.signal.aborted)
      failure = isGatewayError(thrown) ? thrown.extra.detail : errorForLog(thrown);
  }
  const complete = completed(response, request, requestId);
  // No client reads this status; proxies log 499 for a client that disconnected.
  const status = trace.code === 'caller_left' ? 499 : complete.status;
  logRequest(gateway, request, status, requestId, trace, performance.now() - startedAt, failure);
  return complete;
}

async function respond(
  gateway: Gateway,
  request: GatewayRequest,
  requestId: string,
  trace: Trace,
): Promise<GatewayResponse> {
  const path = parsePath(request.path);
  const match = routeTable.match(path);
  if (match) trace.route = match.endpoint.pattern;
  if (request.method === 'OPTIONS' && isCrossOrigin(path)) {
    trace.probe = true;
    return preflight(match?.endpoint.allow ?? ALL_METHODS, request.headers['access-control-request-headers']);
  }
  if (!match) throw notFound(path);
  const route = findRoute(match.endpoint, request.method);
  if (!route) {
    trace.headers = { allow: match.endpoint.allow };
    throw new GatewayError(
      'method_not_allowed',
      `This path does not take ${printable(request.method)}. It takes ${match.endpoint.allow}.`,
    );
  }
  trace.probe = route.probe ?? false;
  if (request.headers['content-encoding']) {
    throw new GatewayError(
      'unsupported_content_encoding',
      'A compressed body is not supported. Send it without Content-Encoding.',
    );
  }
  refuseWhileStopping(gateway, route);
  const { params } = match;
  if (route.auth === 'operator') {
    await gateway.operator.check(request.headers['authorization'], request.remoteAddress);
    return route.handler({ gateway, request, requestId, params });
  }
  if (route.auth === 'key') {
    const caller = await authenticate(gateway, request, path, trace);
    return route.handler({ gateway, request, requestId, params, caller });
  }
  const caller = asksForKey(route.auth, request, path)
    ? await authenticate(gateway, request, path, trace, route.auth === 'optional-key')
    : undefined;
  return route.handler({ gateway, request, requestId, params, caller });
}

function notFound(path: string): GatewayError {
  const pattern = apiPatternOf(path);
  return new GatewayError(
    'route_not_found',
    pattern === undefined
      ? 'There is nothing at this path. Check the method and the spelling of the address.'
      : `There is nothing at this path. The paths of the API begin with /v1: use ${pattern}.`,
  );
}

/** HEAD is GET without the body, everywhere. */
function findRoute(endpoint: Endpoint, method: string): Route | undefined {
  const wanted = method === 'HEAD' ? 'GET' : method;
  return Object.hasOwn(endpoint.routes, wanted) ? endpoint.routes[wanted as RouteMethod] : undefined; // Safe: it is a key of `routes`.
}

function asksForKey(
  auth: 'public' | 'optional-key' | 'key-or-signature',
  request: GatewayRequest,
  path: string,
): boolean {
  if (auth === 'public') return false;
  // A request with a signature is authorised by the signature only, which the handler checks.
  if (auth === 'key-or-signature') return !request.query.has('signature');
  return Boolean(request.headers['authorization'] || (takesApiKeyHeader(path) && request.headers['x-api-key']));
}

/** The messages SDKs send the key in `x-api-key`, and only on the paths of that API. */
function takesApiKeyHeader(path: string): boolean {
  return path.startsWith('/v1/models') || path.startsWith('/v1/messages');
}

async function authenticate(
  gateway: Gateway,
  request: GatewayRequest,
  path: string,
  trace: Trace,
  isPublic = false,
): Promise<Caller> {
  if (gateway.phase() === 'starting')
    throw new GatewayError('database_unavailable', 'The service is starting. Try again in a few seconds.');
  const apiKey = takesApiKeyHeader(path) ? (request.headers['x-api-key'] ?? '') : undefined;
  const caller = await gateway.accounts.authenticate(
    { authorization: request.headers['authorization'], apiKey },
    request.remoteAddress,
  );
  trace.caller = caller;
  // A bad key does not prevent access to a public endpoint.
  if (path.startsWith('/v1/') && !isPublic) {
    checkScope(caller.policy, 'inference');
    checkEndpointAccess(caller.policy, path);
  }
  return caller;
}

function refuseWhileStopping(gateway: Gateway, route: Route): void {
  if (route.startsWork && gateway.phase() === 'draining') {
    throw new GatewayError(
      'shutting_down',
      'This instance is shutting down and takes no new work. Try again in a few seconds.',
    );
  }
}

/** The final response: the headers common to all responses, the length if it is known, no body for HEAD. */
function completed(response: GatewayResponse, request: GatewayRequest, requestId: string): GatewayResponse {
  const { body } = response;
  const headers: Record<string, string> = {
    'x-request-id': requestId,
    'request-id': requestId,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  };
  if (isCrossOrigin(request.path)) add(headers, corsHeaders);
  add(headers, response.headers);
  if (typeof body === 'string' || Buffer.isBuffer(body)) headers['content-length'] = String(Buffer.byteLength(body));
  else if (body === undefined && response.status !== 204 && response.status !== 304) headers['content-length'] ??= '0';
  const { status, onEnd } = response;
  if (request.method !== 'HEAD') return { status, headers, body, onEnd };
  if (body !== undefined && isStream(body)) body.destroy();
  return { status, headers, onEnd };
}

/** `Object.assign`, which is slow in V8 for an object that already has properties. */
function add(headers: Record<string, string>, more: Readonly<Record<string, string>>): void {
  for (const name in more) headers[name] = more[name] ?? '';
}

export function isStream(body: Buffer | string | Readable): body is Readable {
  return typeof body !== 'string' && !Buffer.isBuffer(body);
}

function logRequest(
  gateway: Gateway,
  request: GatewayRequest,
  status: number,
  requestId: string,
  trace: Trace,
  ms: number,
  failure: string | undefined,
): void {
  const fields: LogFields = {
    requestId,
    method: printable(request.method),
    route: trace.route,
    status,
    ms: Math.round(ms * 10) / 10,
  };
  if (trace.code !== undefined) fields.code = trace.code;
  if (trace.caller) {
    fields.orgId = trace.caller.orgId;
    fields.keyId = trace.caller.keyId;
  }
  if (failure !== undefined) fields.error = failure;
  if (trace.code === 'internal_error') gateway.log.error('request failed', fields);
  else if (failure !== undefined) gateway.log.warn('request failed', fields);
  else if (trace.probe) gateway.log.debug('request', fields);
  else gateway.log.info('request', fields);
}

function printable(method: string): string {
  return /^[A-Z]{1,16}$/.test(method) ? method : 'this method';
}
