import { Webhook } from 'standardwebhooks';

// Standard Webhooks: a receiver checks `webhook-signature` with any library of that name and the secret of its
// organisation. What is signed is `<webhook-id>.<webhook-timestamp>.<body>`.

interface SignedParts {
  readonly id: string;
  /** Of the attempt, not of the event: receivers refuse what is older than five minutes. */
  readonly timestamp: Date;
  readonly body: string;
  /** During a rotation the new one and the former one, in that order; a receiver accepts if any signature fits. */
  readonly secrets: readonly string[];
}

/** The value of `webhook-signature`: one `v1,…` for each secret, separated by spaces. */
export function signWebhook({ id, timestamp, body, secrets }: SignedParts): string {
  return secrets.map((secret) => new Webhook(secret).sign(id, timestamp, body)).join(' ');
}
