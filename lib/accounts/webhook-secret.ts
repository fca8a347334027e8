import { randomBytes } from 'node:crypto';
import type { OrgId } from '../domain/ids';

/** A new signing secret of an organisation, in the form of Standard Webhooks: `whsec_` and base64 of 32 random bytes. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** What the sealed secret of an organisation belongs to (the current and the previous one alike); see `seal.ts`. */
export function webhookSecretOf(orgId: OrgId): string {
  return `${orgId}|webhook`;
}
