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

export interface WebhookSecretJson {
  readonly secret: string;
  /** Unix seconds until which the old secret also signs. */
  readonly previous_secret_until?: number;
}

export interface DeliveryJson {
  readonly id: string;
  readonly object: 'webhook_delivery';
  readonly video_id: string;
  readonly event: string;
  /** Origin and path; the query may hold secrets and is left out. */
  readonly url: string;
  readonly state: 'pending' | 'delivered' | 'failed' | 'disabled';
  readonly created_at: number;
  readonly next_attempt_at?: number;
  readonly attempts: readonly DeliveryAttemptJson[];
}

export interface DeliveryAttemptJson {
  readonly attempt: number;
  readonly at: number;
  readonly latency_ms: number;
  readonly status?: number;
  readonly address?: string;
  readonly response?: string;
  readonly error?: string;
}
