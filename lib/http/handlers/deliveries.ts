import { withPageIds } from '../../contract/present-page';
import type { DeliveryPageJson } from '../../contract/webhooks';
import { jsonResponse, pathParam, type AuthenticatedContext, type GatewayResponse } from '../handler';

/** `GET /v1/videos/{id}/webhook_deliveries` */
export async function listDeliveries(context: AuthenticatedContext): Promise<GatewayResponse> {
  const { gateway, caller } = context;
  // Loaded first for its error: a video without a webhook has an empty list, another account's video is not found.
  const { video } = await gateway.videos.get(caller, pathParam(context, 'id'));
  const data = await gateway.webhooks.listOfVideo({ orgId: caller.orgId, mode: caller.mode }, video.id);
  const list: DeliveryPageJson = withPageIds({ object: 'list', data, has_more: false });
  return jsonResponse(200, list);
}

/** `POST /v1/webhook_deliveries/{id}/resend`: 202, because the queue makes the attempt. */
export async function resendDelivery(context: AuthenticatedContext): Promise<GatewayResponse> {
  const { gateway, caller } = context;
  return jsonResponse(
    202,
    await gateway.webhooks.resend({ orgId: caller.orgId, mode: caller.mode }, pathParam(context, 'id')),
  );
}
