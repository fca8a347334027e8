import { jsonResponse, pathParam } from '../core';
import type { KeyExchange } from '../core';
import type { GatewayResponse } from '../exchange';

/** `GET /v1/videos/{id}/webhook_deliveries` */
export async function listDeliveries(exchange: KeyExchange): Promise<GatewayResponse> {
  const { gateway, caller } = exchange;
  // Asked first for its refusal: a video without a webhook has an empty list, a video that is not the caller's has none.
  const video = await gateway.videos.get(caller, pathParam(exchange, 'id'));
  const data = await gateway.webhooks.list({ orgId: caller.orgId, mode: caller.mode }, video.id);
  return jsonResponse(200, {
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: false,
  });
}

/** `POST /v1/webhook_deliveries/{id}/resend`: 202, because the attempt itself is made by the queue. */
export async function resendDelivery(exchange: KeyExchange): Promise<GatewayResponse> {
  const { gateway, caller } = exchange;
  return jsonResponse(
    202,
    await gateway.webhooks.resend({ orgId: caller.orgId, mode: caller.mode }, pathParam(exchange, 'id')),
  );
}
