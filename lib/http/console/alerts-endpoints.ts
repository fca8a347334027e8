import { jsonResponse, pathParam, type ActorContext, type GatewayResponse } from '../handler';
import { accountOf, readJson } from './request-parts';

// Alerts of an account. Who may change them is a rule of lib/alerts.

export async function listAlerts(context: ActorContext): Promise<GatewayResponse> {
  return jsonResponse(200, await context.gateway.alerts.list(accountOf(context)));
}

export async function createAlert(context: ActorContext): Promise<GatewayResponse> {
  const { gateway, actor, request } = context;
  return jsonResponse(201, await gateway.alerts.create(actor, accountOf(context).mode, await readJson(request)));
}

export async function updateAlert(context: ActorContext): Promise<GatewayResponse> {
  const { gateway, actor, request } = context;
  return jsonResponse(200, await gateway.alerts.update(actor, pathParam(context, 'id'), await readJson(request)));
}

export async function removeAlert(context: ActorContext): Promise<GatewayResponse> {
  await context.gateway.alerts.remove(context.actor, pathParam(context, 'id'));
  return { status: 204, headers: {} };
}
