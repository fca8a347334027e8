import type { ActivePerson } from '../accounts/accounts';
import type { Actor, Caller } from '../domain/caller';
import type { OrgId } from '../domain/ids';
import type { Gateway } from '../gateway';
import type { OperatorIdentity } from '../operator/operator-log';
import type { GatewayRequest, GatewayResponse } from './request-context';

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
