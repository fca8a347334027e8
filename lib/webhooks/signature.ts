import { Webhook } from 'standardwebhooks';

// Standard Webhooks: a receiver verifies `webhook-signature` with any Standard Webhooks library and the secret of its
// organisation. The signed text is `<webhook-id>.<webhook-timestamp>.<body>`.

interface SignedParts {
  readonly id: string;
  /** The time of the attempt and not of the event: receivers refuse signatures older than five minutes. */
  readonly timestamp: Date;
  readonly body: string;
  /** During a rotation the new secret and then the old one; a receiver accepts if any signature matches. */
  readonly secrets: readonly string[];
}

/** Returns the value of `webhook-signature`: one `v1,…` for each secret, separated by spaces. */
export function signWebhook({ id, timestamp, body, secrets }: SignedParts): string {
  return secrets.map((secret) => new Webhook(secret).sign(id, timestamp, body)).join(' ');
}
