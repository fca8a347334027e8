import type { DeliveryJson, WebhookSecretJson } from '../contract/webhooks';
import type { Account } from '../domain/caller';
import type { OrgId } from '../domain/ids';

// The webhook use cases, as the API and the console call them; `create-webhooks.ts` builds them.

export interface Webhooks {
  /** Newest first, at most 100; of one video, or of the whole account. */
  list(account: Account, videoId?: string): Promise<readonly DeliveryJson[]>;
  /** Sends a delivery once more, now, with the same id; `delivery_not_found` for another account's. */
  resend(account: Account, id: string): Promise<DeliveryJson>;
  /** The current signing secret, in its `whsec_…` form. */
  secret(orgId: OrgId): Promise<WebhookSecretJson>;
  /** Creates a new secret; the old one also signs for 24 hours. */
  rotateSecret(orgId: OrgId): Promise<WebhookSecretJson>;
}
