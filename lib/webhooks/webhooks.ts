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
  /** The id of the last delivery of the page before. */
  readonly after?: string;
}

export interface Webhooks extends Endpoints {
  /** The deliveries of one video, newest first, at most 100. */
  listOfVideo(account: Account, videoId: string): Promise<readonly DeliveryJson[]>;
  /** Newest first. Rejects with `unsupported_value` for an unknown `after`. */
  search(account: Account, page: DeliveryPage): Promise<DeliveryPageJson>;
  /** Sends a delivery once more, now, with the same id; `delivery_not_found` for another account's. */
  resend(account: Account, id: string): Promise<DeliveryJson>;
  /** Sends once more what has ended without success and matches: the 100 oldest, and says whether there are more. */
  resendAll(account: Account, body: unknown): Promise<ResentJson>;
  /** How the receivers have answered: each origin in requests, and each endpoint. */
  receivers(account: Account): Promise<ReceiverListJson>;
  /** The current signing secret of the URLs in requests, in its `whsec_…` form. */
  secret(orgId: OrgId): Promise<WebhookSecretJson>;
  /** Creates a new secret; the old one also signs for 24 hours. */
  rotateSecret(orgId: OrgId): Promise<WebhookSecretJson>;
}

/** The receivers of all webhooks of an account. An unknown id rejects with `webhook_endpoint_not_found`. */
export interface Endpoints {
  endpoints(account: Account): Promise<EndpointListJson>;
  /**
   * `{"url", "events"?, "description"?}`. Rejects with `url_not_allowed`, with `unsupported_value` for one too many, or as
   * `parseBody` does.
   */
  createEndpoint(actor: Actor, mode: Mode, body: unknown): Promise<EndpointJson>;
  /** `{"url"?, "events"?, "description"?, "paused"?}`. */
  updateEndpoint(actor: Actor, id: string, body: unknown): Promise<EndpointJson>;
  /** Its waiting deliveries end as failed. */
  removeEndpoint(actor: Actor, id: string): Promise<void>;
  endpointSecret(orgId: OrgId, id: string): Promise<WebhookSecretJson>;
  rotateEndpointSecret(orgId: OrgId, id: string): Promise<WebhookSecretJson>;
  /** Sends an example now, once, signed as the real ones. */
  testEndpoint(orgId: OrgId, id: string): Promise<WebhookTestJson>;
}
