import type { Caller } from '../domain/caller';
import type { Gateway } from '../gateway';
import type { GatewayRequest, GatewayResponse } from './request-context';

// A handler is one endpoint without its transport: context in, use case, context out. What every endpoint needs (request id,
// key, limits of the path, shape of errors) has happened before it runs, in `endpoint.ts`.

export interface RequestContext {
  readonly gateway: Gateway;
  readonly request: GatewayRequest;
  readonly requestId: string;
  /** The named parts of the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
}

/** Behind a route whose policy demands a key. */
export interface AuthenticatedContext extends RequestContext {
  readonly caller: Caller;
}

/** Behind a route that also answers without a key. */
export interface PublicContext extends RequestContext {
  readonly caller: Caller | undefined;
}

export type Handler<E extends RequestContext> = (context: E) => GatewayResponse | Promise<GatewayResponse>;

/** The named part of a path; every pattern that names it delivers it. */
export function pathParam(context: RequestContext, name: string): string {
  const value = context.params[name];
  if (value === undefined) throw new Error(`The route has no path parameter "${name}".`);
  return value;
}

/** An answer as JSON; `headers` win over the defaults. */
export function jsonResponse(
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): GatewayResponse {
  return { status, headers: { 'content-type': JSON_TYPE, ...headers }, body: JSON.stringify(value) };
}

export const JSON_TYPE = 'application/json; charset=utf-8';
