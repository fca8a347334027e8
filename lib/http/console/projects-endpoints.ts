import type { ProjectListJson } from '../../contract/projects';
import { jsonResponse, pathParam, type ActorContext, type GatewayResponse } from '../handler';
import { accountOf, readJson } from './request-parts';

// Projects. Who may change them is a rule of lib/projects. `?mode=` selects the mode whose spending is returned.

export async function listProjects(context: ActorContext): Promise<GatewayResponse> {
  const data = await context.gateway.projects.list(accountOf(context));
  return jsonResponse(200, { object: 'list', data } satisfies ProjectListJson);
}

export async function readProject(context: ActorContext): Promise<GatewayResponse> {
  return jsonResponse(200, await context.gateway.projects.find(accountOf(context), pathParam(context, 'id')));
}

export async function createProject(context: ActorContext): Promise<GatewayResponse> {
  const { gateway, actor, request } = context;
  return jsonResponse(201, await gateway.projects.create(actor, accountOf(context).mode, await readJson(request)));
}

export async function updateProject(context: ActorContext): Promise<GatewayResponse> {
  const { gateway, actor, request } = context;
  const { mode } = accountOf(context);
  return jsonResponse(
    200,
    await gateway.projects.update(actor, mode, pathParam(context, 'id'), await readJson(request)),
  );
}

export async function removeProject(context: ActorContext): Promise<GatewayResponse> {
  await context.gateway.projects.remove(context.actor, pathParam(context, 'id'));
  return { status: 204, headers: {} };
}
