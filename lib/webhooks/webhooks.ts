import type {
  DeliveryJson,
  DeliveryPageJson,
  EndpointJson,
  EndpointListJson,
  ReceiverListJson,
  ResentJson,
  WebhookSecretJson,
  WebhookTestJson,
} from '../contract/webhooks';
import type { Account, Actor } from '../domain/caller';
import type { OrgId } from '../domain/ids';
import type { Mode } from '../domain/video';
import type { DeliveryFilter } from '../db/webhooks';

// The webhook use cases, as the API and the console call them; `create-webhooks.ts` builds them.

export interface DeliveryPage extends DeliveryFilter {
  readonly limit: number;
  /** The id of the last delivery of the previous page. */
  readonly after?: string;
}

export interface Webhooks extends Endpoints {
  /** The deliveries of one video, newest first, at most 100. */
  listOfVideo(account: Account, videoId: string): Promise<readonly DeliveryJson[]>;
  /** Newest first. Rejects with `unsupported_value` for an unknown `after`. */
  search(account: Account, page: DeliveryPage): Promise<DeliveryPageJson>;
  /**
   * Sends a delivery again, now, with the same id. Rejects with `delivery_not_found` for another account's, and for one
   * whose video or endpoint was deleted or whose endpoint is paused.
   */
  resend(account: Account, id: string): Promise<DeliveryJson>;
  /** Resends the 100 oldest deliveries that failed and match the filter, and returns whether there are more. */
  resendAll(account: Account, body: unknown): Promise<ResentJson>;
  /** Returns how the receivers have answered: each origin of URLs in requests, and each endpoint. */
  receivers(account: Account): Promise<ReceiverListJson>;
  /** Returns the current secret that signs webhooks to URLs in requests, in its `whsec_…` form. */
  secret(orgId: OrgId): Promise<WebhookSecretJson>;
  /** Creates a new secret; the old one also signs for 24 hours. */
  rotateSecret(orgId: OrgId): Promise<WebhookSecretJson>;
}

/** The receivers of all webhooks of an account. An unknown id rejects with `webhook_endpoint_not_found`. */
export interface Endpoints {
  endpoints(account: Account): Promise<EndpointListJson>;
  /**
   * Creates an endpoint from `{"url", "events"?, "description"?}`. Rejects with `url_not_allowed`, with
   * `unsupported_value` if the account has too many, or as `parseBody` does.
   */
  createEndpoint(actor: Actor, mode: Mode, body: unknown): Promise<EndpointJson>;
  /** Changes an endpoint by `{"url"?, "events"?, "description"?, "paused"?}`. */
  updateEndpoint(actor: Actor, id: string, body: unknown): Promise<EndpointJson>;
  /** Removes an endpoint; its waiting deliveries end as failed. */
  removeEndpoint(actor: Actor, id: string): Promise<void>;
  endpointSecret(orgId: OrgId, id: string): Promise<WebhookSecretJson>;
  rotateEndpointSecret(orgId: OrgId, id: string): Promise<WebhookSecretJson>;
  /** Sends an example now, once, signed like a real webhook. */
  testEndpoint(orgId: OrgId, id: string): Promise<WebhookTestJson>;
}
