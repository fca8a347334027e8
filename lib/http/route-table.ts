import type { Permission } from '../domain/roles';
import { GatewayError, isGatewayError } from '../domain/errors';
import { isCrossOrigin } from './response-headers';
import type {
  ActorContext,
  Handler,
  KeyContext,
  OperatorContext,
  PersonContext,
  PublicContext,
  RequestContext,
} from './handler';

// Reads and matches paths. The type requires every route to declare its access class, and a handler that needs a
// caller cannot be used with a class that allows anonymous requests.

export type RouteMethod = 'GET' | 'POST' | 'PATCH' | 'DELETE';

interface RoutePlace {
  readonly method: RouteMethod;
  /** Literal segments, `:name` for one segment, `*name` for all remaining ones. */
  readonly pattern: string;
  /**
   * The route starts work. Requests are refused while the process drains, because it could not finish the work, and
   * while it is overloaded.
   */
  readonly startsWork?: true;
  /** Submits a video, which has a limit of its own. */
  readonly submits?: true;
  /** The response may be a long stream; the number of open streams is limited. */
  readonly stays?: true;
  /** A health check; logged at debug level, because machines call it every few seconds. */
  readonly probe?: true;
}

/**
 * A route of the API. `public`: no authentication · `key`: a valid key · `optional-key`: a key is not required but must
 * be valid if sent, and restricts the response · `key-or-signature`: a valid key, or a signed link that the handler
 * verifies · `operator`: the operator's token; keys are refused.
 */
type ApiRoute = RoutePlace &
  (
    | { readonly access: 'key'; readonly handler: Handler<KeyContext> }
    | { readonly access: 'operator'; readonly handler: Handler<OperatorContext> }
    | { readonly access: 'public' | 'optional-key' | 'key-or-signature'; readonly handler: Handler<PublicContext> }
  );

/**
 * A route of the console's API, below `/console/api`. `stranger`: a person who is not signed in; keys are refused ·
 * `member`: every role, and keys with the scope `manage` · `editor`: the same without the role viewer, to make changes
 * or see a secret · `person`: a signed-in person, whether or not they belong to an organisation, for endpoints that are
 * about the person; keys are refused · `installation`: a signed-in person who operates the installation, whatever the
 * role; keys are refused.
 */
export type ConsoleRoute = RoutePlace &
  ({ readonly access: 'stranger'; readonly handler: Handler<RequestContext> } | GuardedRoute);

export type GuardedRoute = {
  /**
   * Shows or creates a secret, changes the rights of a person, or deletes the organisation: a person must have signed
   * in within the last ten minutes (not required for a key, which is a secret itself).
   */
  readonly fresh?: true;
  /** The action that the audit log records for a success, such as `key.created`. */
  readonly audit?: string;
  /** The permission that the role must have besides the access class; see `lib/domain/roles.ts`. */
  readonly permission?: Permission;
} & (
  | { readonly access: 'member' | 'editor'; readonly handler: Handler<ActorContext> }
  | { readonly access: 'person'; readonly handler: Handler<PersonContext> }
  | { readonly access: 'installation'; readonly handler: Handler<OperatorContext> }
);

export type Route = ApiRoute | ConsoleRoute;

/** All routes of one pattern. */
export interface Endpoint {
  readonly pattern: string;
  readonly routes: { readonly [method in RouteMethod]?: Route };
  /** The `Allow` header; contains HEAD if GET is allowed. */
  readonly allow: string;
}

export interface RouteMatch {
  readonly kind: 'route';
  /** The normalised path. */
  readonly path: string;
  readonly endpoint: Endpoint;
  readonly params: Readonly<Record<string, string>>;
}

/**
 * Where a request goes, decided once for each request. `route`: to a route of the table, if it supports the method ·
 * `unknown`: a path below `/v1`, `/internal` or `/console/api` without a route, or one that only lacks its `/v1` ·
 * `page`: to Next, unless `checkPageRequest` decides otherwise · `refused`: an ambiguous path.
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

/**
 * A request that reaches neither a handler nor a page. `headers` are added to the response (`Allow` for a wrong
 * method).
 */
export interface Refusal {
  readonly kind: 'refused';
  readonly error: GatewayError;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface RouteTable {
  readonly endpoints: readonly Endpoint[];
  /** Returns the destination of a path as it was sent, without its query. */
  find(rawPath: string): Destination;
}

const NO_PARAMS: Readonly<Record<string, string>> = {};

/**
 * Indexes the routes once, so that a request costs one lookup, or a segment comparison with the few patterns of the
 * same length.
 */
export function createRouteTable(routes: readonly Route[]): RouteTable {
  const endpoints = groupByPattern(routes);
  const literals = new Map<string, RouteMatch>();
  const patterns: { readonly segments: readonly string[]; readonly endpoint: Endpoint }[] = [];
  for (const endpoint of endpoints) {
    if (/[:*]/.test(endpoint.pattern)) patterns.push({ segments: endpoint.pattern.split('/'), endpoint });
    else literals.set(endpoint.pattern, { kind: 'route', path: endpoint.pattern, endpoint, params: NO_PARAMS });
  }

  function match(path: string): RouteMatch | undefined {
    const literal = literals.get(path);
    if (literal) return literal;
    const segments = path.split('/');
    for (const { segments: pattern, endpoint } of patterns) {
      const params = matchSegments(pattern, segments);
      if (params) return { kind: 'route', path, endpoint, params };
    }
    return undefined;
  }

  return {
    endpoints,
    find(rawPath) {
      let path: string;
      try {
        path = parsePath(rawPath);
      } catch (error) {
        if (!isGatewayError(error)) throw error;
        return { kind: 'refused', error };
      }
      const found = match(path);
      if (found) return found;
      const suggestion = match(`/v1${path}`)?.endpoint.pattern.replace(/[:*](\w+)/g, '{$1}');
      if (suggestion !== undefined || isBelow(path, '/v1') || isBelow(path, '/internal') || isConsoleApi(path))
        return { kind: 'unknown', path, suggestion };
      return { kind: 'page', path };
    },
  };
}

function groupByPattern(routes: readonly Route[]): readonly Endpoint[] {
  const groups = new Map<string, Partial<Record<RouteMethod, Route>>>();
  for (const route of routes) {
    const group = groups.get(route.pattern) ?? {};
    if (group[route.method]) throw new Error(`${route.method} ${route.pattern} is declared twice.`);
    group[route.method] = route;
    groups.set(route.pattern, group);
  }
  return Array.from(groups, ([pattern, group]) => ({ pattern, routes: group, allow: allowOf(pattern, group) }));
}

function allowOf(pattern: string, group: Partial<Record<RouteMethod, Route>>): string {
  const methods: string[] = Object.keys(group);
  if (group.GET) methods.push('HEAD');
  if (isCrossOrigin(pattern)) methods.push('OPTIONS');
  return methods.sort().join(', ');
}

function matchSegments(pattern: readonly string[], segments: readonly string[]): Record<string, string> | undefined {
  const last = pattern.at(-1) ?? '';
  const rest = last.startsWith('*');
  if (rest ? segments.length < pattern.length : segments.length !== pattern.length) return undefined;
  const params: Record<string, string> = {};
  const fixed = rest ? pattern.length - 1 : pattern.length;
  for (let at = 0; at < fixed; at += 1) {
    const expected = pattern[at] ?? '';
    const actual = segments[at] ?? '';
    if (!expected.startsWith(':')) {
      if (expected !== actual) return undefined;
    } else if (actual === '') return undefined;
    else params[expected.slice(1)] = actual;
  }
  if (rest) {
    const value = segments.slice(fixed).join('/');
    // A path with a trailing slash is a different path.
    if (value === '' || value.endsWith('/')) return undefined;
    params[last.slice(1)] = value;
  }
  return params;
}

/**
 * Returns whether a path belongs to the console's API. Its routes read the sign-in cookie; those of `/v1` and
 * `/internal` do not.
 */
export function isConsoleApi(path: string): boolean {
  return path.startsWith('/console/api/');
}

/** Returns whether a path is the folder itself or inside it. */
export function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

// A path is normalised once. If two parts of the server read a path differently, its access checks can be bypassed, so
// a path with more than one reading is refused and not repaired.

const UNUSUAL = /[%\\]|\/\/|\/\.{1,2}(?:\/|$)|[^\x21-\x7e]/;
const ENCODED_SEPARATOR = /%(?:2f|5c|00)/i;
const ENCODED_BACKSLASH_OR_NUL = /%(?:5c|00)/i;
const AMBIGUOUS = /\\|\/\/|\/\.{1,2}(?:\/|$)|\p{Cc}/u;

/** Below this prefix a slash may be percent-encoded, because a pinned model id contains one. */
const MODELS_PREFIX = '/v1/models/';

/** Decodes a path, such as `/v1/models/acme/x`. Throws `invalid_path` if it has more than one reading. */
function parsePath(raw: string): string {
  return withoutAlias(parseSpelling(raw));
}

function parseSpelling(raw: string): string {
  if (!raw.startsWith('/')) throw invalidPath('The path must begin with a slash.');
  if (!UNUSUAL.test(raw)) return raw;
  const forbidden = raw.startsWith(MODELS_PREFIX) ? ENCODED_BACKSLASH_OR_NUL : ENCODED_SEPARATOR;
  if (forbidden.test(raw))
    throw invalidPath(
      'The path contains an encoded slash, backslash or NUL. Only a model id may contain an encoded slash.',
    );
  const decoded = decode(raw);
  if (AMBIGUOUS.test(decoded))
    throw invalidPath(
      'The path contains an empty or dot segment, a backslash or a control character. Send it in its plain form.',
    );
  return decoded;
}

// The base URL of messages clients is documented with and without `/v1`, so some clients omit it and some repeat it.
// These paths mean nothing else, so they are rewritten here to the one form. So is the Markdown of a page of the
// documentation, because a pattern has whole segments only.
function withoutAlias(path: string): string {
  const page = /^\/docs\/(.+)\.md$/.exec(path)?.[1];
  if (page !== undefined) return `/docs/markdown/${page}`;
  if (path.startsWith('/v1/v1/')) return path.slice(3);
  return path === '/messages' || path === '/messages/count_tokens' ? `/v1${path}` : path;
}

function decode(raw: string): string {
  if (/[^\x21-\x7e]/.test(raw)) throw invalidPath('The path contains characters that must be percent-encoded.');
  try {
    return decodeURIComponent(raw);
  } catch {
    throw invalidPath('The path contains percent-encoding that is not valid UTF-8.');
  }
}

function invalidPath(message: string): GatewayError {
  return new GatewayError('invalid_path', message);
}
