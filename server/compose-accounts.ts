import { createAccounts } from '../lib/accounts/create-accounts';
import { createKeyLimits } from '../lib/accounts/key-limits';
import type { Passwords } from '../lib/accounts/password';
import type { Sealer } from '../lib/accounts/seal';
import { createSignInCookie } from '../lib/accounts/sign-in-cookie';
import { createSignInMethods } from '../lib/accounts/sign-in-methods';
import { createSignInThrottle, LINK_LIMITS } from '../lib/accounts/sign-in-throttle';
import { createTickets } from '../lib/accounts/tickets';
import { createAuditLog } from '../lib/audit/audit-log';
import type { Ledger } from '../lib/billing/ledger';
import type { Database } from '../lib/db/database';
import type { Clock } from '../lib/domain/clock';
import { errorForLog } from '../lib/domain/errors';
import type { Log } from '../lib/domain/log';
import type { Limits } from '../lib/limits/limits';
import type { WindowCounters } from '../lib/limits/window-counters';
import type { Mailer } from '../lib/mail/mailer';
import { createInvitations } from '../lib/organizations/invitations';
import { createMembers } from '../lib/organizations/members';
import { createOrganizations } from '../lib/organizations/organizations';
import { createOrganizationSettings } from '../lib/organizations/settings';
import { createProjects } from '../lib/projects/projects';
import type { Redis } from '../lib/redis/open-redis';

/** Composes API keys, users, sign-in and membership of organisations. */
export function composeAccounts({
  counters,
  secret,
  redis,
  mailer,
  ...deps
}: {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly baseUrl: string;
  /** Signs the cookies of the console. */
  readonly secret: string;
  readonly ledger: Ledger;
  readonly sealer: Sealer;
  readonly passwords: Passwords;
  readonly mailer: Mailer | undefined;
  readonly counters: WindowCounters;
  readonly limits: Limits;
  readonly redis: Redis | undefined;
  isProvider(id: string): boolean;
}) {
  const { db, clock, log, baseUrl } = deps;
  const accounts = createAccounts({ ...deps, ...(redis && { announceKey: redis.announceKey }) });
  redis
    ?.onKey(accounts.forgetKey)
    .catch((error: unknown) =>
      log.warn('announcements of other instances cannot be received', { error: errorForLog(error) }),
    );
  return {
    accounts,
    signInCookie: createSignInCookie({ baseUrl, secret, accounts }),
    signInThrottle: createSignInThrottle({ counters, name: 'sign-in', secret }),
    linkThrottle: createSignInThrottle({ counters, name: 'link', secret, limits: LINK_LIMITS }),
    signInMethods: createSignInMethods({ ...deps, ...(mailer && { mailer }) }),
    tickets: createTickets({ db }),
    keyLimits: createKeyLimits(deps),
    members: createMembers({ db, accounts }),
    invitations: createInvitations({ ...deps, mailer, counters, accounts }),
    organizations: createOrganizations({ ...deps, accounts }),
    organizationSettings: createOrganizationSettings({ db, clock, accounts }),
    projects: createProjects({ ...deps, forgetKeys: () => accounts.forgetKeys() }),
    auditLog: createAuditLog({ db, clock }),
  };
}
