import { jsonResponse, pathParam, type ActorContext, type GatewayResponse } from '../handler';
import { readJson } from './request-parts';

// The members of an organisation. Who may change whom is a rule of lib/organizations.

export async function listMembers({ gateway, actor }: ActorContext): Promise<GatewayResponse> {
  return jsonResponse(200, await gateway.members.list(actor));
}

export async function changeMember(context: ActorContext): Promise<GatewayResponse> {
  const { gateway, actor, request } = context;
  const { member, formerRole } = await gateway.members.changeRole(
    actor,
    pathParam(context, 'id'),
    await readJson(request),
  );
  context.describe(`${member.email}: ${formerRole} → ${member.role}`);
  return jsonResponse(200, member);
}

export async function removeMember(context: ActorContext): Promise<GatewayResponse> {
  const removed = await context.gateway.members.remove(context.actor, pathParam(context, 'id'));
  context.describe(removed.email);
  return { status: 204, headers: {} };
}

export async function leaveOrganization({ gateway, actor }: ActorContext): Promise<GatewayResponse> {
  await gateway.members.leave(actor);
  return { status: 204, headers: {} };
}

export async function transferOwnership(context: ActorContext): Promise<GatewayResponse> {
  const { member, formerRole } = await context.gateway.members.transferOwnership(
    context.actor,
    pathParam(context, 'id'),
  );
  context.describe(`${member.email}: ${formerRole} → owner`);
  return jsonResponse(200, member);
}
