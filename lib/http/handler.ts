import type { Readable } from 'node:stream';
import type { ActivePerson } from '../accounts/accounts';
import type { Actor, Caller } from '../domain/caller';
import { newId, type OrgId } from '../domain/ids';
import type { Gateway } from '../gateway';
import type { OperatorIdentity } from '../operator/operator-log';
import type { BodyShare } from '../limits/body-budget';

// A request and a response as handlers see them: plain values, so that the same handler runs directly behind the custom
// server and behind a Next route file through `toWeb` (docs/decisions/one-handler-two-mounts.md).

export interface GatewayRequest {
  readonly method: string;
  /** Path without the query, as sent (still percent-encoded). */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Lower-case names; repeated headers joined by a comma, as Node does. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The socket's peer, or the client address from a trusted proxy. */
  readonly remoteAddress: string;
  /**
   * Aborts when the client disconnects before the end of the response. The next request of the connection may have the
   * same signal, so a listener must be removed when its work has ended.
   */
  readonly signal: AbortSignal;
  /** Aborts `signal`, for a handler that ends its own work early. */
  abort(reason: unknown): void;
  /** Sets where the bytes of the body are counted. Called before the handler. */
  countBody(open: () => BodyShare): void;
  /**
   * Reads the whole body, at most `maxBytes`; rejects with `request_too_large`, and as `BodyShare.grow` throws. May be
   * called once.
   */
  readBody(maxBytes: number): Promise<Buffer>;
}

export interface GatewayResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Absent: no body. A stream is destroyed when the client disconnects. */
  readonly body?: Buffer | string | Readable | undefined;
  /**
   * Called once when the response ends: `finished` if the last byte was handed to the network, `closed` if the client
   * disconnected first. Called only by the custom server, because a Next route cannot know.
   */
  readonly onEnd?: ((how: 'finished' | 'closed') => void) | undefined;
}

export function isStream(body: Buffer | string | Readable): body is Readable {
  return typeof body !== 'string' && !Buffer.isBuffer(body);
}

const HARMLESS = /^[\w-]{8,64}$/;

/** Returns the client's own request id if it is safe in a header and a log; otherwise a new one. */
export function requestIdOf(header: string | undefined): string {
  return header !== undefined && HARMLESS.test(header) ? header : newId('request');
}

// A handler is one endpoint without its transport: it reads the context, calls a use case and returns a response.
// Everything that all endpoints need (request id, authentication, limits of the path, error format) is done by
// `endpoint.ts`.

export interface RequestContext {
  readonly gateway: Gateway;
  readonly request: GatewayRequest;
  readonly requestId: string;
  /** The named parameters of the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
}

/** The context of a route of the operator: with the operator's token, or as a person who operates the installation. */
export interface OperatorContext extends RequestContext {
  readonly operator: OperatorIdentity;
}

/** The context of a handler that needs a caller. */
export interface AuthenticatedContext extends RequestContext {
  readonly caller: Caller;
}

/** The context of a route that requires a key. */
export interface KeyContext extends AuthenticatedContext {
  /** Answers another request of the same client, as if it had been sent. Never rejects. */
  readonly answer: (request: GatewayRequest) => Promise<GatewayResponse>;
}

/** The context of a route that also works without a key. */
export interface PublicContext extends RequestContext {
  readonly caller: Caller | undefined;
}

/** The context of a console route that requires a sign-in, or a key with the scope `manage`. */
export interface ActorContext extends RequestContext {
  readonly actor: Actor;
  /**
   * Throws `reauthentication_required` unless the person signed in within the last ten minutes. For routes that need
   * this only in some cases.
   */
  checkFresh(): void;
  /** Adds a detail to the entry of the audit log, besides the id of the changed object. Must not contain secrets. */
  describe(detail: string): void;
}

/** The context of a console route that requires a signed-in person, who may belong to no organisation. */
export interface PersonContext extends RequestContext {
  readonly person: ActivePerson;
  /**
   * Writes the entry of the audit log only for this organisation, instead of all organisations of the person. `detail`
   * is added to the id of the changed object.
   */
  recordIn(orgId: OrgId, detail?: string): void;
}

export type Handler<E extends RequestContext> = (context: E) => GatewayResponse | Promise<GatewayResponse>;

/** Returns the named path parameter. Throws if the route's pattern does not declare it. */
export function pathParam(context: RequestContext, name: string): string {
  const value = context.params[name];
  if (value === undefined) throw new Error(`The route has no path parameter "${name}".`);
  return value;
}

/** Returns a JSON response; `headers` override the defaults. */
export function jsonResponse(
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): GatewayResponse {
  return { status, headers: { 'content-type': JSON_TYPE, ...headers }, body: JSON.stringify(value) };
}

export const JSON_TYPE = 'application/json; charset=utf-8';
