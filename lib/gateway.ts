import type { Catalog, CurrentCatalog } from './catalog/catalog';
import type { CatalogResponses } from './catalog/catalog-responses';
import type { Accounts } from './accounts/accounts';
import type { Alerts } from './alerts/alerts';
import type { Tickets } from './accounts/tickets';
import type { AudioSessions } from './audio/audio-sessions';
import type { SignInMethods } from './accounts/sign-in-methods';
import type { KeyLimits } from './accounts/key-limits';
import type { SignInCookie } from './accounts/sign-in-cookie';
import type { SignInThrottle } from './accounts/sign-in-throttle';
import type { Activity } from './activity/activity';
import type { Guides } from './docs/guides';
import type { Account } from './domain/caller';
import type { AuditLog } from './audit/audit-log';
import type { Credentials } from './credentials/credentials';
import type { ProviderDirectory } from './routing/provider-directory';
import type { Config } from './config/config';
import type { Clock } from './domain/clock';
import type { Log } from './domain/log';
import type { Telemetry } from './domain/telemetry';
import type { Health } from './health/check-health';
import type { Limits } from './limits/limits';
import type { Messages } from './messages/messages';
import type { Invitations } from './organizations/invitations';
import type { Members } from './organizations/members';
import type { Organizations } from './organizations/organizations';
import type { OrganizationSettings } from './organizations/settings';
import type { CreditTransfers } from './operator/credit-transfers';
import type { Operator } from './operator/operator';
import type { Policies } from './policies/policies';
import type { Projects } from './projects/projects';
import type { Requests } from './requests/requests';
import type { Usage } from './usage/usage';
import type { Search } from './search/search';
import type { Videos } from './videos/videos';
import type { Webhooks } from './webhooks/webhooks';

// The words of the domain are defined in docs/architecture.md, "Glossary".

/**
 * `starting`: until the database is migrated. `draining`: after the first stop signal; requests are still answered, but
 * connections end with their response. `closing`: while the parts are being closed; no new work is accepted.
 */
export type Phase = 'starting' | 'ready' | 'draining' | 'closing';

/**
 * Composed once by `server/compose.ts` and used by the API and the console. This file contains only types, so it may be
 * imported from anywhere.
 */
export interface Gateway {
  readonly config: Config;
  /** The version of the product. */
  readonly version: string;
  /** The base URL of this installation for clients, without a trailing slash. */
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly telemetry: Telemetry;
  readonly accounts: Accounts;
  readonly signInCookie: SignInCookie;
  readonly signInThrottle: SignInThrottle;
  /** Limits requests for sign-in links by e-mail. */
  readonly linkThrottle: SignInThrottle;
  readonly signInMethods: SignInMethods;
  readonly keyLimits: KeyLimits;
  readonly projects: Projects;
  readonly policies: Policies;
  /** The limits between tenants. */
  readonly limits: Limits;
  readonly members: Members;
  readonly invitations: Invitations;
  readonly organizations: Organizations;
  readonly organizationSettings: OrganizationSettings;
  readonly auditLog: AuditLog;
  readonly operator: Operator;
  readonly creditTransfers: CreditTransfers;
  readonly activity: Activity;
  readonly alerts: Alerts;
  readonly catalog: CurrentCatalog;
  /**
   * Returns the catalog as an account sees it: models that the organisation's own accounts can serve are available too.
   */
  readonly catalogOf: (account: Account) => Promise<Catalog>;
  /** Returns the errors of the current CATALOG_FILE, because of which it is not in force; empty if it has none. */
  readonly catalogFileErrors: () => readonly string[];
  readonly catalogResponses: CatalogResponses;
  readonly providers: ProviderDirectory;
  readonly credentials: Credentials;
  readonly videos: Videos;
  readonly messages: Messages;
  readonly audio: AudioSessions;
  /** The pages of the folder `docs` for users and operators. */
  readonly guides: Guides;
  readonly tickets: Tickets;
  readonly search: Search;
  readonly webhooks: Webhooks;
  readonly requests: Requests;
  readonly usage: Usage;
  readonly health: Health;
  readonly phase: () => Phase;
  /** Makes `/readyz` report not ready and stops taking jobs. Requests are still answered. */
  drain(): void;
  /** Finishes or requeues jobs, closes providers and the database. Safe to repeat. */
  close(): Promise<void>;
}
