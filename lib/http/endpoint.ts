import { checkEndpointAccess, checkScope } from '../accounts/access';
import { asGatewayError } from '../domain/database-failure';
import type { Caller } from '../domain/caller';
import { errorRules } from '../domain/error-rules';
import { errorForLog, GatewayError, isGatewayError } from '../domain/errors';
import type { LogFields } from '../domain/log';
import type { Gateway } from '../gateway';
import type { BodyShare } from '../limits/body-budget';
import type { Admission, LimitedCaller } from '../limits/limits';
import { callConsoleRoute, type CallerTrace } from './console/access';
import { corsHeaders, isCrossOrigin, preflight } from './response-headers';
import { errorResponse } from './error-response';
import { wrongHost } from './own-host';
import { isStream, requestIdOf, type GatewayRequest, type GatewayResponse } from './handler';
import { isConsoleApi, type Destination, type Endpoint, type Route, type RouteMethod } from './route-table';
import { routeTable } from './routes';

// The wrapper of every handler, the same for both mounts. Every request passes it before its handler, and every
// response gets its request id here.

const ALL_METHODS = 'DELETE, GET, HEAD, OPTIONS, POST';

/**
 * The responses of the console's API belong to one person: no cache may store them and no other site may embed them.
 */
const consoleHeaders: Readonly<Record<string, string>> = {
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
  vary: 'Cookie, Authorization',
};

/** Data collected while a request is handled, for the response headers and the log. */
interface Trace extends CallerTrace {
  route: string;
  isConsole: boolean;
  probe: boolean;
  headers: Readonly<Record<string, string>>;
  code?: string;
  /** The share of the limits that the request occupies until its response has ended. */
  admission?: Admission;
  limited?: LimitedCaller;
  body?: BodyShare;
}

/**
 * Answers one request; never rejects. A refused request and an unknown path are answered here too, with an error in our
 * format.
 */
export async function answer(
  gateway: Gateway,
  request: GatewayRequest,
  destination: Destination,
): Promise<GatewayResponse> {
  const startedAt = performance.now();
  const requestId = requestIdOf(request.headers['x-request-id']);
  const span = gateway.telemetry.tracing.request(requestId, request.headers['traceparent']);
  const trace: Trace = { route: 'unknown', isConsole: false, probe: false, headers: {} };
  let response: GatewayResponse;
  let failure: string | undefined;
  try {
    response = await respond(gateway, request, requestId, destination, trace);
  } catch (thrown) {
    const error = asGatewayError(thrown);
    response = errorResponse(error, request.path, requestId, trace.headers);
    // A client that disconnects causes various errors, and none of them is a failure of ours.
    trace.code = request.signal.aborted ? 'caller_left' : error.code;
    if (errorRules[error.code].status >= 500 && !request.signal.aborted)
      failure = isGatewayError(thrown) ? thrown.extra.detail : errorForLog(thrown);
  }
  const complete = completed(response, request, requestId, trace);
  // No client reads this status; proxies log 499 for a client that disconnected.
  const status = trace.code === 'caller_left' ? 499 : complete.status;
  span?.set({
    'http.request.method': printable(request.method),
    'http.route': trace.route,
    'http.response.status_code': status,
  });
  releaseAfter(response, trace, () => span?.end(status >= 500 ? trace.code : undefined));
  const ms = performance.now() - startedAt;
  gateway.telemetry.metrics.requestAnswered({ route: trace.route, method: request.method, status, ms });
  logRequest(gateway, request, status, requestId, trace, ms, failure);
  return complete;
}

async function respond(
  gateway: Gateway,
  request: GatewayRequest,
  requestId: string,
  destination: Destination,
  trace: Trace,
): Promise<GatewayResponse> {
  if (destination.kind === 'refused') {
    trace.headers = destination.headers ?? {};
    throw destination.error;
  }
  const { path } = destination;
  const endpoint = destination.kind === 'route' ? destination.endpoint : undefined;
  if (endpoint) trace.route = endpoint.pattern;
  trace.isConsole = isConsoleApi(path);
  const hostError = trace.isConsole ? wrongHost(request.headers['host'], gateway) : undefined;
  if (hostError) throw hostError;
  if (request.method === 'OPTIONS' && isCrossOrigin(path)) {
    trace.probe = true;
    return preflight(endpoint?.allow ?? ALL_METHODS, request.headers['access-control-request-headers']);
  }
  if (destination.kind !== 'route') throw notFound(destination.kind === 'unknown' ? destination.suggestion : undefined);
  const { params } = destination;
  const route = findRoute(destination.endpoint, request.method);
  if (!route) {
    const { allow } = destination.endpoint;
    trace.headers = { allow };
    throw new GatewayError(
      'method_not_allowed',
      `This path does not take ${printable(request.method)}. It takes ${allow}.`,
    );
  }
  trace.probe = route.probe ?? false;
  // `identity` means that the body is not encoded.
  const encoding = request.headers['content-encoding']?.trim().toLowerCase();
  if (encoding && encoding !== 'identity') {
    throw new GatewayError(
      'unsupported_content_encoding',
      'A compressed body is not supported. Send it without Content-Encoding.',
    );
  }
  refuseWhileClosing(gateway, route);
  request.countBody(() => (trace.body = gateway.limits.openBody(trace.limited)));
  // `return await`: an async function that returns a promise settles two turns later than one that awaits it.
  switch (route.access) {
    case 'key': {
      const caller = await authenticate(gateway, request, path, trace);
      await admit(gateway, caller, route, trace);
      return await route.handler({
        gateway,
        request,
        requestId,
        params,
        caller,
        answer: (other) => answer(gateway, other, routeTable.find(other.path)),
      });
    }
    case 'public':
    case 'optional-key':
    case 'key-or-signature': {
      const caller = asksForKey(route.access, request, path)
        ? await authenticate(gateway, request, path, trace, route.access === 'optional-key')
        : undefined;
      if (caller) await admit(gateway, caller, route, trace);
      return await route.handler({ gateway, request, requestId, params, caller });
    }
    case 'operator':
      await gateway.operator.check(request.headers['authorization'], request.remoteAddress);
      return await route.handler({ gateway, request, requestId, params, operator: {} });
    default:
      return callConsoleRoute({ gateway, request, requestId, params }, route, {
        trace,
        admit: (caller) => admit(gateway, caller, route, trace),
      });
  }
}

/** Counts a request of this caller. Throws `rate_limit_exceeded`, `concurrency_limit_exceeded` or `overloaded`. */
async function admit(gateway: Gateway, caller: LimitedCaller, route: Route, trace: Trace): Promise<void> {
  trace.limited = caller;
  const admitted = gateway.limits.admit(caller, route);
  // Not awaited without need: most requests are admitted synchronously.
  trace.admission = admitted instanceof Promise ? await admitted : admitted;
  if (trace.admission.error) throw trace.admission.error;
}

/** Releases the limits when the response has ended. A stream keeps them until it is closed, however it ends. */
function releaseAfter({ body }: GatewayResponse, trace: Trace, onRelease: () => void): void {
  const release = () => {
    onRelease();
    trace.admission?.release();
    trace.body?.release();
  };
  if (body !== undefined && isStream(body) && !body.closed) body.once('close', release);
  else release();
}

function notFound(suggestion: string | undefined): GatewayError {
  return new GatewayError(
    'route_not_found',
    suggestion === undefined
      ? 'There is nothing at this path. Check the method and the spelling.'
      : `There is nothing at this path. The paths of the API begin with /v1: use ${suggestion}.`,
  );
}

/** HEAD is GET without the body, everywhere. */
function findRoute(endpoint: Endpoint, method: string): Route | undefined {
  const wanted = method === 'HEAD' ? 'GET' : method;
  return Object.hasOwn(endpoint.routes, wanted) ? endpoint.routes[wanted as RouteMethod] : undefined; // Safe: it is a key of `routes`.
}

function asksForKey(
  access: 'public' | 'optional-key' | 'key-or-signature',
  request: GatewayRequest,
  path: string,
): boolean {
  if (access === 'public') return false;
  // A request with a signature is authorised by the signature only, which the handler checks.
  if (access === 'key-or-signature') return !request.query.has('signature');
  return Boolean(request.headers['authorization'] || (takesApiKeyHeader(path) && request.headers['x-api-key']));
}

/** Returns whether the key may be in `x-api-key`: SDKs of the messages API send it there, only on the API's paths. */
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

function refuseWhileClosing(gateway: Gateway, route: Route): void {
  if (route.startsWork && gateway.phase() === 'closing') {
    throw new GatewayError(
      'shutting_down',
      'This instance is shutting down and takes no new work. Try again in a few seconds.',
    );
  }
}

/** Returns the final response: adds the common headers and the length if it is known, and drops the body for HEAD. */
function completed(
  response: GatewayResponse,
  request: GatewayRequest,
  requestId: string,
  { isConsole, admission }: Trace,
): GatewayResponse {
  const { body } = response;
  const headers: Record<string, string> = {
    'x-request-id': requestId,
    'request-id': requestId,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  };
  if (isCrossOrigin(request.path)) add(headers, corsHeaders);
  if (admission) add(headers, admission.headers);
  add(headers, response.headers);
  if (isConsole) add(headers, consoleHeaders);
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
    if (trace.caller.keyId !== undefined) fields.keyId = trace.caller.keyId;
  }
  if (failure !== undefined) fields.error = failure;
  // An open console page polls every few seconds.
  const isPoll = trace.isConsole && request.method === 'GET' && status < 400;
  if (trace.code === 'internal_error' || (trace.isConsole && status >= 500))
    gateway.log.error('request failed', fields);
  else if (failure !== undefined) gateway.log.warn('request failed', fields);
  else if (trace.probe || isPoll) gateway.log.debug('request', fields);
  else gateway.log.info('request', fields);
}

function printable(method: string): string {
  return /^[A-Z]{1,16}$/.test(method) ? method : 'this method';
}
