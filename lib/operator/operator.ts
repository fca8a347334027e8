import type { Accounts } from '../accounts/accounts';
import type { CreatedKeyJson } from '../contract/keys';
import type { OrganizationLimitsJson } from '../contract/limits';
import type { OrganizationJson, OrganizationPageJson } from '../contract/organizations';
import { presentPage } from '../contract/present-page';
import type { TransferJson, TransferPageJson } from '../contract/credits';
import { presentCredits } from '../accounts/present-credits';
import type { AuditLog } from '../audit/audit-log';
import type { Database } from '../db/database';
import { hasOrganization, listFirstOrganizations, listOrganizations } from '../db/organizations';
import { unixSeconds } from '../domain/clock';
import { errorForLog, GatewayError } from '../domain/errors';
import { isId, type OrgId } from '../domain/ids';
import type { Log } from '../domain/log';
import type { WindowCounters } from '../limits/window-counters';
import type { Mode } from '../domain/video';
import type { CreditTransfers } from './credit-transfers';
import type { ProviderReports } from './provider-reports';
import { parseOrganizationLimits, type OrganizationLimits } from './organization-limits';
import { createOperatorCheck, type CheckOperator } from './operator-token';
import { parseTransfer } from './transfer-request';

// The operator's actions on organisations. The operator is not a member of them: the only credential is OPERATOR_TOKEN,
// and every change is recorded in the organisation's audit log.

export interface Operator {
  /** Rejects with `operator_not_configured`, `invalid_operator_token` or `rate_limit_exceeded`. */
  readonly check: CheckOperator;
  /** Oldest first. Rejects with `unsupported_value` when `after` is no organisation. */
  listOrganizations(page: {
    readonly limit: number;
    readonly after?: string | undefined;
  }): Promise<OrganizationPageJson>;
  /**
   * Makes the grant, adjustment or refund of the request's body; for errors see `parseTransfer` and
   * `CreditTransfers.make`.
   */
  transfer(body: unknown): Promise<{ readonly transfer: TransferJson; readonly replayed: boolean }>;
  /** The transfers of one account; `organization` may be absent if there is only one. */
  listTransfers(query: {
    readonly organization?: string | undefined;
    readonly mode: Mode;
    readonly limit: number;
    readonly after?: string | undefined;
  }): Promise<TransferPageJson>;
  /**
   * Creates a key as an admin of the organisation would; the body is that of `Accounts.createKey` with `organization`.
   */
  createKey(body: Readonly<Record<string, unknown>>): Promise<CreatedKeyJson>;
  /** The limits of an organisation; it may be absent if there is only one. */
  readLimits(organization: string | undefined): Promise<OrganizationLimitsJson>;
  /** `{organization?, limits}`; see `parseOrganizationLimits`. */
  changeLimits(body: unknown): Promise<OrganizationLimitsJson>;
  readonly providers: ProviderReports;
}

export interface OperatorDeps {
  readonly db: Database;
  readonly counters: WindowCounters;
  readonly log: Log;
  readonly accounts: Pick<Accounts, 'createKey'>;
  readonly auditLog: AuditLog;
  readonly transfers: CreditTransfers;
  readonly limits: OrganizationLimits;
  readonly providers: ProviderReports;
  /** OPERATOR_TOKEN; without it every check fails. */
  readonly token: string | undefined;
}

export function createOperator(deps: OperatorDeps): Operator {
  const { db, counters, log, accounts, auditLog, transfers, limits, providers, token } = deps;

  /**
   * The organisation with this id, or the only one. Rejects with `organization_not_found` or
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
    if (typeof id === 'string' && isId('org', id) && (await hasOrganization(db, id))) return id;
    throw new GatewayError(
      'organization_not_found',
      'There is no organisation with this id. List them with GET /internal/operator/organizations (npm run credits -- list).',
      { param: 'organization' },
    );
  }

  /** The change is already made, so a failure is only logged. */
  async function recordInAuditLog(orgId: OrgId, action: string, subject?: string): Promise<void> {
    await auditLog
      .record({ orgId }, action, subject)
      .catch((error: unknown) =>
        log.error('an entry of the audit log could not be written', { orgId, error: errorForLog(error) }),
      );
  }

  return {
    check: createOperatorCheck({ counters, token }),

    async listOrganizations({ limit, after }) {
      const rows = await listOrganizations(db, limit + 1, after);
      if (!rows)
        throw new GatewayError('unsupported_value', 'after must be the id of an organisation.', { param: 'after' });
      return presentPage(rows, limit, ({ organization, accounts }): OrganizationJson => {
        const credits = (mode: Mode) => {
          const account = accounts.find((each) => each.mode === mode);
          return presentCredits(mode, {
            available: account?.availableNanoUsd ?? 0n,
            held: account?.heldNanoUsd ?? 0n,
            spent: account?.spentNanoUsd ?? 0n,
          });
        };
        return {
          id: organization.id,
          object: 'organization',
          name: organization.name,
          suspended: organization.suspendedAt !== null,
          credits: { live: credits('live'), test: credits('test') },
          created_at: unixSeconds(organization.createdAt),
        };
      });
    },

    async transfer(body) {
      const request = parseTransfer(body);
      return transfers.make(await getOrganization(request.organization), request);
    },

    async listTransfers({ organization, mode, limit, after }) {
      return transfers.list({ orgId: await getOrganization(organization), mode }, { limit, after });
    },

    async createKey({ organization, ...body }) {
      const orgId = await getOrganization(organization);
      const key = await accounts.createKey({ orgId, role: 'admin' }, body);
      // The key is shown once, so it is not taken back when the log cannot be written.
      await recordInAuditLog(orgId, 'key.created', key.id);
      return key;
    },

    async readLimits(organization) {
      return limits.read(await getOrganization(organization));
    },

    async changeLimits(body) {
      const request = parseOrganizationLimits(body);
      const orgId = await getOrganization(request.organization);
      const changed = await limits.change(orgId, request);
      await recordInAuditLog(orgId, 'limits.changed');
      return changed;
    },

    providers,
  };
}
