import { endpointSecretOf, webhookSecretOf } from '../accounts/webhook-secret';
import type { CredentialId, EndpointId, OrgId } from '../domain/ids';
import { settingsOf } from './sealed-settings';

/** The columns with sealed secrets. Those of `lists` hold `ReplacedSecret[]`. */
export interface SealedPlace {
  readonly table: string;
  readonly columns: readonly [string, ...string[]];
  readonly lists: readonly string[];
  belongsTo(id: string): string;
}

// Safe: the ids come from the table of that kind.
export const sealedPlaces: readonly SealedPlace[] = [
  {
    table: 'organizations',
    columns: ['webhook_secret', 'previous_webhook_secret'],
    lists: ['older_webhook_secrets'],
    belongsTo: (id) => webhookSecretOf(id as OrgId),
  },
  {
    table: 'webhook_endpoints',
    columns: ['secret'],
    lists: ['replaced_secrets'],
    belongsTo: (id) => endpointSecretOf(id as EndpointId),
  },
  {
    table: 'provider_credentials',
    columns: ['sealed'],
    lists: [],
    belongsTo: (id) => settingsOf(id as CredentialId),
  },
];
