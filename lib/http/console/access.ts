import { FRESH_SIGN_IN_MS, type ActivePerson, type SignedIn } from '../../accounts/accounts';
import { consoleKeyId, type Actor } from '../../domain/caller';
import { checkMay } from '../../domain/check-may';
import { GatewayError } from '../../domain/errors';
import type { KeyId, OrgId } from '../../domain/ids';
import { ORGANIZATION_HEADER } from '../../domain/organization-choice';
import { may } from '../../domain/roles';
import type { Gateway } from '../../gateway';
import type { LimitedCaller } from '../../limits/limits';
import type { RequestContext, GatewayRequest, GatewayResponse } from '../handler';
import type { ConsoleRoute, GuardedRoute } from '../route-table';
import { recordSuccess } from './audited';
import { accountOf } from './request-parts';
import { checkNotCrossSite, checkSameOrigin } from './same-origin';

// Access checks of the console's API: which callers may call a route, and for which organisation. An API key is sent
// explicitly. A sign-in is a cookie that other sites can make a browser send, so with a cookie every change must come
// from one of our own pages.

/** Receives the caller for the log as soon as it is known, so that a refusal is logged with it. */
export interface CallerTrace {
  caller?: { readonly orgId: OrgId; readonly keyId?: KeyId };
}

/** The steps that `endpoint.ts` provides for every request. */
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
  else if (route.access === 'installation' || (route.access !== 'stranger' && route.audit !== undefined))
    checkNotCrossSite(request.headers);
  if (route.access === 'stranger') return route.handler(context);

  const cookie = request.headers['cookie'];
  if (route.access === 'person') return callAsPerson(context, route, await gateway.signInCookie.findPerson(cookie));
  if (route.access === 'installation')
    return callAsOperator(context, route, await gateway.signInCookie.findPerson(cookie));

  const named = organizationOf(request);
  const person = await gateway.signInCookie.findMember(cookie, named);
  if (!person) throw notSignedIn();
  const { orgId, role, userId, signInId, signInOrigin } = person;
  const actor: Actor = { orgId, role, userId, signInId, signInOrigin };
  edge.trace.caller = { orgId: actor.orgId };
  if (named === undefined && (route.method !== 'GET' || route.audit !== undefined)) checkUnambiguous(person);
  if (route.access === 'editor') checkEditor(person);
  if (route.permission) checkMay(actor, route.permission);
  const checkFresh = () => checkFreshSignIn(gateway, person);
  if (route.fresh) checkFresh();
  // The reads of the console's pages are not limited. Work that a person starts counts like that of a key.
  if (route.submits || route.startsWork)
    await edge.admit({
      ...accountOf({ actor, request }),
      keyId: consoleKeyId,
      limits: { organization: person.orgLimits ?? null },
    });
  return callAudited(context, actor, route, checkFresh);
}

async function callAsPerson(
  context: RequestContext,
  route: GuardedRoute & { readonly access: 'person' },
  person: ActivePerson | undefined,
): Promise<GatewayResponse> {
  if (!person) throw notSignedIn();
  if (route.fresh) checkFreshSignIn(context.gateway, person);
  // By default the audit log of every organisation of the person gets an entry, because the sign-in opens all of them.
  let orgIds = person.memberships.map(({ orgId }) => orgId);
  let detail: string | undefined;
  const response = await route.handler({
    ...context,
    person,
    recordIn(orgId, text) {
      orgIds = [orgId];
      detail = text;
    },
  });
  for (const orgId of orgIds)
    await recordSuccess(context, { orgId, userId: person.userId }, route.audit, response, detail);
  return response;
}

/** The functions that the handler calls write the audit log themselves. */
async function callAsOperator(
  context: RequestContext,
  route: GuardedRoute & { readonly access: 'installation' },
  person: ActivePerson | undefined,
): Promise<GatewayResponse> {
  if (!person) throw notSignedIn();
  if (!person.isOperator)
    throw new GatewayError(
      'role_required',
      'This is only for the operators of this installation. The roles of an organisation do not include it.',
    );
  if (route.fresh) checkFreshSignIn(context.gateway, person);
  return route.handler({ ...context, operator: { userId: person.userId } });
}

/** Returns the id of the organisation that the request is about, as the page sent it; undefined if it names none. */
function organizationOf({ headers, query }: GatewayRequest): string | undefined {
  // A link, such as that of a CSV file, cannot send a header.
  return headers[ORGANIZATION_HEADER] ?? query.get('organization') ?? undefined;
}

/** Throws for a person of several organisations: the page may show another one than was chosen since in another tab. */
function checkUnambiguous({ memberships }: ActivePerson): void {
  if (memberships.length < 2) return;
  throw new GatewayError(
    'missing_required_parameter',
    `You belong to several organisations, so a change must name its own in the header ${ORGANIZATION_HEADER}. Reload the page.`,
    { param: ORGANIZATION_HEADER },
  );
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
  if (route.access === 'stranger' || route.access === 'person' || route.access === 'installation') {
    throw new GatewayError(
      'role_required',
      route.access === 'installation'
        ? 'This endpoint needs a signed-in operator of this installation. A script sends OPERATOR_TOKEN to /internal/operator instead.'
        : 'This endpoint needs a signed-in user. API keys cannot call it; use the console.',
    );
  }
  if (route.access === 'editor' && !may(actor.role, 'edit')) {
    throw new GatewayError(
      'role_required',
      'This key acts for a person whose role is viewer, which cannot change anything. Ask an owner or admin of the organisation.',
    );
  }
  if (route.permission) checkMay(actor, route.permission);
  // No check for a fresh sign-in: a key is a secret itself.
  return callAudited(context, actor, route, () => undefined);
}

function notSignedIn(): GatewayError {
  return new GatewayError(
    'not_signed_in',
    'You are not signed in. Sign in to the console, or send an API key with the scope "manage" as "Authorization: Bearer pb_live_…".',
  );
}

function checkEditor({ role, orgSuspended, orgDeletesAtMs }: SignedIn): void {
  if (!may(role, 'edit')) {
    throw new GatewayError(
      'role_required',
      'Your role is viewer, which cannot change anything. Ask an owner or admin of the organisation.',
    );
  }
  if (orgDeletesAtMs !== undefined) {
    throw new GatewayError(
      'organization_suspended',
      `This organisation is being deleted: everything can be read until ${new Date(orgDeletesAtMs).toISOString()}, and nothing can be changed. An owner can restore it under Settings.`,
    );
  }
  if (orgSuspended) {
    throw new GatewayError(
      'organization_suspended',
      'This organisation is suspended: everything can be read, and nothing can be changed. Ask the operator of this installation.',
    );
  }
}

function checkFreshSignIn({ clock }: Gateway, { signedInAtMs }: ActivePerson): void {
  if (clock.nowMs() - signedInAtMs <= FRESH_SIGN_IN_MS) return;
  throw new GatewayError(
    'reauthentication_required',
    'This action concerns a secret, the rights of a key or a person, or the whole organisation, and you signed in more than 10 minutes ago. Sign in again, then repeat it.',
  );
}

/** Calls the handler and writes a success into the audit log. */
async function callAudited(
  context: RequestContext,
  actor: Actor,
  route: GuardedRoute & { readonly access: 'member' | 'editor' },
  checkFresh: () => void,
): Promise<GatewayResponse> {
  let detail: string | undefined;
  const response = await route.handler({
    ...context,
    actor,
    checkFresh,
    describe(text) {
      detail = text;
    },
  });
  await recordSuccess(context, actor, route.audit, response, detail);
  return response;
}
