import { FRESH_SIGN_IN_MS, type ActiveSignIn } from '../../accounts/accounts';
import { consoleKeyId, type Actor } from '../../domain/caller';
import { errorForLog, GatewayError } from '../../domain/errors';
import type { KeyId, OrgId } from '../../domain/ids';
import type { Gateway } from '../../gateway';
import type { LimitedCaller } from '../../limits/limits';
import type { RequestContext } from '../handler';
import type { GatewayResponse } from '../request-context';
import type { ConsoleRoute, GuardedRoute } from '../route-table';
import { accountOf } from './request-parts';
import { checkNotCrossSite, checkSameOrigin } from './same-origin';

// Who may call a route of the console's API. An API key is sent explicitly; a sign-in is a cookie that other sites can
// make a browser send, so with a cookie every change must come from one of our own pages.

/** Receives the caller for the log as soon as it is known, so that a refusal is logged with it. */
export interface CallerTrace {
  caller?: { readonly orgId: OrgId; readonly keyId?: KeyId };
}

/** What `endpoint.ts` does for every request. */
export interface EdgeParts {
  readonly trace: CallerTrace;
  /** Counts a request of this caller; throws when a limit is reached. */
  admit(caller: LimitedCaller): Promise<void>;
}

/** Calls the handler of a console route if the request may call it; otherwise rejects with the reason. */
export async function callConsoleRoute(
  context: RequestContext,
  route: ConsoleRoute,
  edge: EdgeParts,
): Promise<GatewayResponse> {
  const { gateway, request } = context;
  if (request.headers['authorization'] !== undefined) return callWithKey(context, route, edge);

  if (route.method !== 'GET') checkSameOrigin(request.headers, gateway);
  else if (route.access !== 'stranger' && route.audit !== undefined) checkNotCrossSite(request.headers);
  if (route.access === 'stranger') return route.handler(context);

  const person = await gateway.signInCookie.findPerson(request.headers['cookie']);
  if (!person) {
    throw new GatewayError(
      'not_signed_in',
      'You are not signed in. Sign in to the console, or send an API key with the scope "manage" as "Authorization: Bearer pb_live_…".',
    );
  }
  const { orgId, role, userId, signInId, signInOrigin } = person;
  const actor: Actor = { orgId, role, userId, signInId, signInOrigin };
  edge.trace.caller = { orgId: actor.orgId };
  if (route.access === 'editor') checkEditor(person);
  const checkFresh = () => checkFreshSignIn(gateway, person);
  if (route.fresh) checkFresh();
  // Pages read without a limit; what a person starts counts as that of a key does.
  if (route.submits || route.startsWork)
    await edge.admit({
      ...accountOf({ actor, request }),
      keyId: consoleKeyId,
      limits: { organization: person.orgLimits ?? null },
    });
  const response =
    route.access === 'person'
      ? await route.handler({ ...context, actor, checkFresh, person })
      : await route.handler({ ...context, actor, checkFresh });
  return audited(context, actor, route, response);
}

async function callWithKey(
  context: RequestContext,
  route: ConsoleRoute,
  { trace, admit }: EdgeParts,
): Promise<GatewayResponse> {
  const { gateway, request } = context;
  const caller = await gateway.accounts.authenticate(
    { authorization: request.headers['authorization'] },
    request.remoteAddress,
  );
  trace.caller = caller;
  await admit(caller);
  const actor = await gateway.accounts.actorOfKey(caller);
  if (route.access === 'stranger' || route.access === 'person') {
    throw new GatewayError(
      'role_required',
      'This endpoint needs a signed-in user. API keys cannot call it; use the console.',
    );
  }
  if (route.access === 'editor' && actor.role === 'viewer') {
    throw new GatewayError(
      'role_required',
      'This key acts for a person whose role is viewer, which may look but not change anything. Ask an owner or admin of the organisation.',
    );
  }
  // A key is a secret itself.
  return audited(context, actor, route, await route.handler({ ...context, actor, checkFresh: () => undefined }));
}

function checkEditor({ role, orgSuspended }: ActiveSignIn): void {
  if (role === 'viewer') {
    throw new GatewayError(
      'role_required',
      'Your role is viewer, which may look but not change anything. Ask an owner or admin of the organisation.',
    );
  }
  if (orgSuspended) {
    throw new GatewayError(
      'organization_suspended',
      'This organisation is suspended: everything can be read, and nothing can be done. Ask the operator of this installation.',
    );
  }
}

function checkFreshSignIn({ clock }: Gateway, { signedInAtMs }: ActiveSignIn): void {
  if (clock.nowMs() - signedInAtMs <= FRESH_SIGN_IN_MS) return;
  throw new GatewayError(
    'reauthentication_required',
    'This shows or changes a secret, or allows a key more, and you signed in more than 10 minutes ago. Sign in again, then repeat it.',
  );
}

/**
 * Writes a success into the audit log if the route has an audit action. A failure to write it does not change the
 * response.
 */
async function audited(
  { gateway, params, requestId }: RequestContext,
  actor: Actor,
  { audit }: GuardedRoute,
  response: GatewayResponse,
): Promise<GatewayResponse> {
  if (audit === undefined || response.status >= 400) return response;
  try {
    await gateway.auditLog.record(actor, audit, params['id'] ?? idIn(response));
  } catch (error) {
    gateway.log.error('an entry of the audit log could not be written', {
      requestId,
      code: audit,
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
