import { randomBytes } from 'node:crypto';
import type { EndpointId, OrgId } from '../domain/ids';

/**
 * Generates a signing secret for an organisation or an endpoint, in the format of Standard Webhooks: `whsec_` and
 * base64 of 32 random bytes.
 */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** Returns the `belongsTo` of an organisation's sealed secrets (the current and the replaced ones); see `seal.ts`. */
export function webhookSecretOf(orgId: OrgId): string {
  return `${orgId}|webhook`;
}

/** Returns the `belongsTo` of a webhook endpoint's sealed secrets; see `seal.ts`. */
export function endpointSecretOf(id: EndpointId): string {
  return `${id}|webhook`;
}
