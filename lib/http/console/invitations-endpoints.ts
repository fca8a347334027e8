import {
  jsonResponse,
  pathParam,
  type ActorContext,
  type PersonContext,
  type RequestContext,
  type GatewayResponse,
} from '../handler';
import { recordSuccess } from './audited';
import { readJson } from './request-parts';

// Invitations. An owner or admin creates them; a signed-in person or a new user accepts them.

export async function listInvitations({ gateway, actor }: ActorContext): Promise<GatewayResponse> {
  return jsonResponse(200, await gateway.invitations.list(actor));
}

export async function createInvitation(context: ActorContext): Promise<GatewayResponse> {
  const { gateway, actor, request } = context;
  const made = await gateway.invitations.create(actor, await readJson(request));
  context.describe(`${made.email ?? 'anyone with the link'}: ${made.role}`);
  return jsonResponse(201, made);
}

export async function resendInvitation(context: ActorContext): Promise<GatewayResponse> {
  const made = await context.gateway.invitations.resend(context.actor, pathParam(context, 'id'));
  context.describe(`${made.email ?? 'anyone with the link'}: ${made.role}`);
  return jsonResponse(201, made);
}

export async function revokeInvitation(context: ActorContext): Promise<GatewayResponse> {
  const { email, role } = await context.gateway.invitations.revoke(context.actor, pathParam(context, 'id'));
  context.describe(`${email ?? 'anyone with the link'}: ${role}`);
  return { status: 204, headers: {} };
}

/** Returns what the invitation link in the body is for. Does not accept it. */
export async function openInvitation({ gateway, request }: RequestContext): Promise<GatewayResponse> {
  return jsonResponse(200, await gateway.invitations.open(await readJson(request), request.remoteAddress));
}

export async function acceptInvitation({
  gateway,
  person,
  request,
  recordIn,
}: PersonContext): Promise<GatewayResponse> {
  const { orgId, json } = await gateway.invitations.accept(person, await readJson(request), request.remoteAddress);
  recordIn(orgId, `${json.email}: ${json.role}`);
  return jsonResponse(200, json);
}

/** Creates an account for the invited person, even where sign-up is closed. */
export async function signUpInvited(context: RequestContext): Promise<GatewayResponse> {
  const { gateway, request } = context;
  const { orgId, userId, json } = await gateway.invitations.signUp(await readJson(request), request.remoteAddress);
  const response = jsonResponse(201, json);
  await recordSuccess(context, { orgId, userId }, 'invitation.accepted', response, `${json.email}: ${json.role}`);
  return response;
}
