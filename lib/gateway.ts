import type { Catalog } from './catalog/catalog';
import type { CatalogResponses } from './catalog/catalog-responses';
import type { Accounts } from './accounts/accounts';
import type { Tickets } from './accounts/tickets';
import type { AudioSessions } from './audio/audio-sessions';
import type { SignInMethods } from './accounts/sign-in-methods';
import type { SignInThrottle } from './accounts/sign-in-throttle';
import type { Activity } from './activity/activity';
import type { AuditLog } from './audit/audit-log';
import type { Config } from './config';
import type { Clock } from './domain/clock';
import type { Log } from './domain/log';
import type { Health } from './health/check-health';
import type { Messages } from './messages/messages';
import type { CreditTransfers } from './operator/credit-transfers';
import type { Operator } from './operator/operator';
import type { Usage } from './usage/usage';
import type { Search } from './search/search';
import type { Videos } from './videos/videos';
import type { Webhooks } from './webhooks/webhooks';

// Glossary. These words and no others, in code, logs, errors and documentation:
//
//   caller    the organisation and API key behind a request
//   actor     who manages an organisation: a signed-in person, or a key with the scope `manage`
//   operator  who runs the installation and holds OPERATOR_TOKEN; a member of no organisation by that
//   provider  an upstream company we call; its id is the `<provider_id>` of a pinned model
//   model     what a caller names: an id with aliases, in the catalog
//   binding   how one provider serves one model: upstream name, price, parameters
//   route     a binding chosen for this request, with its provider
//   order     a checked, normalised request for a video; the video is the job that came of it
//   receipt   the provider's own note about running work: JSON, opaque to us, stored with the video
//   sign-in   a person's console session
//   session   one audio socket from open to close; its channel is the socket as the session sees it
//   generation   one text that a speech session speaks
//   meter     the running count of what one transcription or one generation has used, with its hold
//   ticket    single-use credential that opens one socket within a minute
//   hold / capture / release   credits set aside at submission / charged on completion / given back on failure
//   transfer  credits that the operator granted, adjusted or refunded
//   job       a row of work for the queue (`video.start`, `video.check`, `webhook.deliver`); not the same as a video
//   delivery  one webhook event on its way to one address, with all its attempts

/** What `server/compose.ts` builds once and both edges use. Types only: this file may be imported from anywhere. */
export interface Gateway {
  readonly config: Config;
  /** Under which callers reach this installation; without a slash at the end. */
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly accounts: Accounts;
  readonly signInThrottle: SignInThrottle;
  /** The same for links by e-mail. */
  readonly linkThrottle: SignInThrottle;
  readonly signInMethods: SignInMethods;
  readonly auditLog: AuditLog;
  readonly operator: Operator;
  readonly creditTransfers: CreditTransfers;
  readonly activity: Activity;
  readonly catalog: Catalog;
  readonly catalogResponses: CatalogResponses;
  readonly videos: Videos;
  readonly messages: Messages;
  readonly audio: AudioSessions;
  readonly tickets: Tickets;
  readonly search: Search;
  readonly webhooks: Webhooks;
  readonly usage: Usage;
  readonly health: Health;
  /** `starting` until the database is migrated, `draining` from the first stop signal on. */
  readonly phase: () => 'starting' | 'ready' | 'draining';
  /** From now on `/readyz` says no; jobs take no new work. */
  drain(): void;
  /** Finishes or hands back jobs, closes providers and the database. Safe to repeat. */
  close(): Promise<void>;
}
