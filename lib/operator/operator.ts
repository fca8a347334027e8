import type { Accounts } from '../accounts/accounts';
import type { CreatedKeyJson } from '../contract/keys';
import type { OrganizationLimitsJson } from '../contract/limits';
import type { OperatorEntryPageJson } from '../contract/audit';
import type { TransferJson, TransferPageJson } from '../contract/credits';
import type { SupportViewJson } from '../contract/installation';
import type { MadeInvitationJson } from '../contract/invitations';
import type { MadeOrganizationJson, OrganizationJson, OrganizationPageJson } from '../contract/organizations';
import type { VerificationListJson } from '../contract/providers';
import type { Database } from '../db/database';
import { hasOrganization, listFirstOrganizations } from '../db/organizations';
import type { Clock } from '../domain/clock';
import { errorForLog, GatewayError } from '../domain/errors';
import { isId, type OrgId, type ProviderId } from '../domain/ids';
import type { Log } from '../domain/log';
import type { WindowCounters } from '../limits/window-counters';
import type { Mode } from '../domain/video';
import type { CreditTransfers } from './credit-transfers';
import type { ReadStatus } from './installation-status';
import { organizationNotFound, type ManagedOrganizations, type OrganizationListing } from './managed-organizations';
import { listEntries, recordEntry, type EntryPage, type OperatorEntry, type OperatorIdentity } from './operator-log';
import type { Operators } from './operators';
import type { ReadSupportView } from './support-view';
import type { ProviderReports } from './provider-reports';
import { parseOrganizationLimits, type OrganizationLimits } from './organization-limits';
import { createOperatorCheck, type CheckOperator } from './operator-token';
import { parseTransfer } from './transfer-request';

// The operator's actions. The operator is not a member of the organisations: the credential is OPERATOR_TOKEN, or the
// sign-in of a person who is marked as one. Both call the same functions, and every action is recorded in the audit log
// of the organisation. `by` is the person; absent: the token.

export interface Operator {
  /** Rejects with `operator_not_configured`, `invalid_operator_token` or `rate_limit_exceeded`. */
  readonly check: CheckOperator;
  /** Rejects with `unsupported_value` if `after` is not an organisation. */
  listOrganizations(page: OrganizationListing): Promise<OrganizationPageJson>;
  /** Rejects with `organization_not_found`, as all that take an id. */
  readOrganization(id: string): Promise<OrganizationJson>;
  /** See `ManagedOrganizations`, also for the following ones. */
  createOrganization(body: unknown, by?: OperatorIdentity): Promise<MadeOrganizationJson>;
  inviteOwner(id: string, body: unknown, by?: OperatorIdentity): Promise<MadeInvitationJson>;
  suspend(id: string, body: unknown, by?: OperatorIdentity): Promise<OrganizationJson>;
  resume(id: string, body: unknown, by?: OperatorIdentity): Promise<OrganizationJson>;
  /** Returns the support view of an organisation, and records the view in the organisation's audit log. */
  readSupportView(id: string, mode: Mode, by?: OperatorIdentity): Promise<SupportViewJson>;
  /**
   * Makes the grant, adjustment or refund of the request's body; for errors see `parseTransfer` and
   * `CreditTransfers.make`.
   */
  transfer(
    body: unknown,
    by?: OperatorIdentity,
  ): Promise<{ readonly transfer: TransferJson; readonly replayed: boolean }>;
  /** The transfers of one account; `organization` may be absent if there is only one. */
  listTransfers(query: {
    readonly organization?: string | undefined;
    readonly mode: Mode;
    readonly limit: number;
    readonly after?: string | undefined;
  }): Promise<TransferPageJson>;
  /**
   * Creates a key as an admin of the organisation would; the body is that of `Accounts.createKey` with `organization`.
   * Only for the token: with a key a person could act as the organisation.
   */
  createKey(body: Readonly<Record<string, unknown>>): Promise<CreatedKeyJson>;
  /** The limits of an organisation; it may be absent if there is only one. */
  readLimits(organization: string | undefined): Promise<OrganizationLimitsJson>;
  /** `{organization?, limits}`; see `parseOrganizationLimits`. */
  changeLimits(body: unknown, by?: OperatorIdentity): Promise<OrganizationLimitsJson>;
  readonly providers: Pick<ProviderReports, 'list'> & {
    /** See `ProviderReports.verify`. */
    verify(provider?: ProviderId, by?: OperatorIdentity): Promise<VerificationListJson>;
  };
  readonly status: ReadStatus;
  readonly operators: Operators;
  /** Lists the operator's actions, newest first. Rejects with `unsupported_value` for an unknown `after`. */
  listEntries(page: EntryPage): Promise<OperatorEntryPageJson>;
}

export interface OperatorDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly counters: WindowCounters;
  readonly log: Log;
  readonly accounts: Pick<Accounts, 'createKey'>;
  readonly organizations: ManagedOrganizations;
  readonly readSupportView: ReadSupportView;
  readonly status: ReadStatus;
  readonly operators: Operators;
  readonly transfers: CreditTransfers;
  readonly limits: OrganizationLimits;
  readonly providers: ProviderReports;
  /** OPERATOR_TOKEN; without it every check fails. */
  readonly token: string | undefined;
}

export function createOperator(deps: OperatorDeps): Operator {
  const { db, clock, counters, log, accounts, organizations, transfers, limits, providers, token } = deps;

  /**
   * Returns the organisation with this id or, without an id, the only one. Rejects with `organization_not_found` or
   * `missing_required_parameter`.
   */
  async function getOrganization(id: unknown): Promise<OrgId> {
    if (id === undefined) {
      const [only, second] = await listFirstOrganizations(db);
      if (!only)
        throw new GatewayError(
          'organization_not_found',
          'There is no organisation yet. Sign up in the console first, or start with BOOTSTRAP_OWNER_EMAIL and BOOTSTRAP_OWNER_PASSWORD.',
        );
      if (second)
        throw new GatewayError(
          'missing_required_parameter',
          'organization is required, because there are several organisations. List them with GET /internal/operator/organizations (npm run credits -- list).',
          { param: 'organization' },
        );
      return only;
    }
    return getNamed(id);
  }

  async function getNamed(id: unknown): Promise<OrgId> {
    if (typeof id === 'string' && isId('org', id) && (await hasOrganization(db, id))) return id;
    throw organizationNotFound();
  }

  /** Records a change in the audit log. The change is already made, so a failure is only logged. */
  async function recordDone(by: OperatorIdentity, entry: OperatorEntry): Promise<void> {
    await recordEntry(db, clock.now(), by, entry).catch((error: unknown) =>
      log.error('an entry of the audit log could not be written', {
        ...(entry.orgId !== null && { orgId: entry.orgId }),
        code: entry.action,
        error: errorForLog(error),
      }),
    );
  }

  return {
    check: createOperatorCheck({ counters, token }),
    listOrganizations: (page) => organizations.list(page),
    readOrganization: async (id) => organizations.read(await getNamed(id)),
    createOrganization: (body, by = {}) => organizations.create(body, by),
    inviteOwner: async (id, body, by = {}) => organizations.inviteOwner(await getNamed(id), body, by),
    suspend: async (id, body, by = {}) => organizations.suspend(await getNamed(id), body, by),
    resume: async (id, body, by = {}) => organizations.resume(await getNamed(id), body, by),
    readSupportView: async (id, mode, by = {}) => deps.readSupportView(await getNamed(id), mode, by),

    async transfer(body, by) {
      const request = parseTransfer(body);
      return transfers.make(await getOrganization(request.organization), request, by);
    },

    async listTransfers({ organization, mode, limit, after }) {
      return transfers.list({ orgId: await getOrganization(organization), mode }, { limit, after });
    },

    async createKey({ organization, ...body }) {
      const orgId = await getOrganization(organization);
      const key = await accounts.createKey({ orgId, role: 'admin' }, body);
      // The key is shown only in this response, so it stays valid even if the entry of the log cannot be written.
      await recordDone({}, { orgId, action: 'key.created', target: key.id });
      return key;
    },

    async readLimits(organization) {
      return limits.read(await getOrganization(organization));
    },

    async changeLimits(body, by = {}) {
      const request = parseOrganizationLimits(body);
      const orgId = await getOrganization(request.organization);
      const changed = await limits.change(orgId, request);
      await recordDone(by, { orgId, action: 'limits.changed' });
      return changed;
    },

    providers: {
      list: () => providers.list(),
      async verify(provider, by = {}) {
        const said = await providers.verify(provider);
        await recordDone(by, { orgId: null, action: 'providers.verified', detail: provider ?? 'all' });
        return said;
      },
    },
    status: deps.status,
    operators: deps.operators,
    listEntries: (page) => listEntries(db, page),
  };
}
