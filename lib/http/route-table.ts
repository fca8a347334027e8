import type { Permission } from '../domain/roles';
import { isCrossOrigin } from './cors';
import type {
  ActorContext,
  Handler,
  KeyContext,
  OperatorContext,
  PersonContext,
  PublicContext,
  RequestContext,
} from './handler';

// Routes and path matching. The type requires every route to declare its access class, and a handler that needs a
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

export interface RouteTable {
  readonly endpoints: readonly Endpoint[];
  /** The endpoint of a path that `parsePath` has normalised. */
  match(path: string): RouteMatch | undefined;
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

  return {
    endpoints,
    match(path) {
      const literal = literals.get(path);
      if (literal) return literal;
      const segments = path.split('/');
      for (const { segments: pattern, endpoint } of patterns) {
        const params = matchSegments(pattern, segments);
        if (params) return { kind: 'route', path, endpoint, params };
      }
      return undefined;
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
