import type { Accounts } from '../accounts/accounts';
import {
  deleteOrganizationRequestSchema,
  updateOrganizationRequestSchema,
  type OrganizationSettingsJson,
} from '../contract/organizations';
import { parseBody } from '../contract/parse-body';
import type { Database, Tx } from '../db/database';
import { eraseContents, eraseSomeContents, type ContentKind } from '../db/kept-contents';
import { findOrganization, updateOrganization, type OrganizationSettingsRow } from '../db/organizations';
import { lockOrganization } from '../db/people';
import type { Actor } from '../domain/caller';
import { checkMay } from '../domain/check-may';
import { unixSeconds, type Clock } from '../domain/clock';
import { GatewayError } from '../domain/errors';
import type { OrgId } from '../domain/ids';
import { currentActor } from './members';

// The settings of an organisation, and its deletion. After an owner has requested the deletion, requests are refused as
// in a suspended organisation; after seven days the housekeeping erases it, unless an owner restores it before.

export interface OrganizationSettings {
  read(actor: Actor): Promise<OrganizationSettingsJson>;
  /**
   * The fields of `updateOrganizationRequestSchema`, all optional. Rejects with `role_required`, or as `parseBody`
   * does.
   */
  update(actor: Actor, body: unknown): Promise<ChangedSettings>;
  /**
   * Begins the deletion. The body is `{"name"}` with the organisation's name, as a confirmation. Rejects with
   * `role_required`, `unsupported_value` for another name, or `organization_deleting` if it is being deleted already.
   */
  requestDeletion(actor: Actor, body: unknown): Promise<OrganizationSettingsJson>;
  /**
   * Rejects with `role_required`, or `organization_deleting` if it is not being deleted or can no longer be restored.
   */
  restore(actor: Actor): Promise<OrganizationSettingsJson>;
}

export interface ChangedSettings {
  readonly settings: OrganizationSettingsJson;
  /** The changes, for the audit log. */
  readonly changes: readonly string[];
}

/** How long an organisation can be restored. */
const GRACE_MS = 7 * 24 * 60 * 60_000;
const ERASED_AT_ONCE = 500;

export function createOrganizationSettings({
  db,
  clock,
  accounts,
}: {
  readonly db: Database;
  readonly clock: Clock;
  readonly accounts: Pick<Accounts, 'forgetOrganization'>;
}): OrganizationSettings {
  /** Changes the organisation while no other change of it can run. Uses the role that the actor has at that time. */
  async function change(
    actor: Actor,
    run: (tx: Tx, row: OrganizationSettingsRow, actor: Actor) => Promise<void>,
  ): Promise<OrganizationSettingsJson> {
    await db.inTransaction(async (tx) => {
      await lockOrganization(tx, actor.orgId);
      const current = await currentActor(tx, actor);
      await run(tx, await getRow(actor.orgId, tx), current);
    });
    // Cached keys and sign-ins contain the organisation's settings, and whether it is being deleted.
    accounts.forgetOrganization(actor.orgId);
    return present(await getRow(actor.orgId));
  }

  async function getRow(orgId: OrgId, from: Tx | Database = db): Promise<OrganizationSettingsRow> {
    const row = await findOrganization(from, orgId);
    if (!row) throw new GatewayError('organization_not_found', 'This organisation was deleted.');
    return row;
  }

  /**
   * Erases contents in small steps before the change that erases the rest: with millions of them, that would take
   * longer than a statement may.
   */
  async function eraseMost(actor: Actor, kind: ContentKind): Promise<void> {
    checkMay(await currentActor(db, actor), 'settings');
    let hasMore = true;
    while (hasMore) hasMore = await eraseSomeContents(db, kind, actor.orgId, ERASED_AT_ONCE);
  }

  return {
    read: async ({ orgId }) => present(await getRow(orgId)),

    async update(actor, body) {
      checkMay(actor, 'settings');
      const {
        name,
        replay_retries: replayRetries,
        keep_messages_days: keepMessagesDays,
        keep_speech_days: keepSpeechDays,
      } = parseBody(updateOrganizationRequestSchema, body);
      if (keepMessagesDays === null) await eraseMost(actor, 'message');
      if (keepSpeechDays === null) await eraseMost(actor, 'session');
      const changes: string[] = [];
      const settings = await change(actor, async (tx, row, current) => {
        checkMay(current, 'settings');
        if (name !== undefined && name !== row.name) changes.push(`name: ${row.name} → ${name}`);
        if (replayRetries !== undefined && replayRetries !== row.replayRetries)
          changes.push(`replay_retries: ${replayRetries}`);
        if (keepMessagesDays !== undefined && keepMessagesDays !== row.keepMessagesDays)
          changes.push(`keep_messages_days: ${keepMessagesDays}`);
        if (keepSpeechDays !== undefined && keepSpeechDays !== row.keepSpeechDays)
          changes.push(`keep_speech_days: ${keepSpeechDays}`);
        if (keepMessagesDays === null) await eraseContents(tx, 'message', row.id);
        if (keepSpeechDays === null) await eraseContents(tx, 'session', row.id);
        await updateOrganization(tx, row.id, {
          ...(name !== undefined && { name }),
          ...(replayRetries !== undefined && { replayRetries }),
          ...(keepMessagesDays !== undefined && { keepMessagesDays }),
          ...(keepSpeechDays !== undefined && { keepSpeechDays }),
        });
      });
      return { settings, changes };
    },

    async requestDeletion(actor, body) {
      checkMay(actor, 'deletion');
      const { name } = parseBody(deleteOrganizationRequestSchema, body);
      return change(actor, async (tx, row, current) => {
        checkMay(current, 'deletion');
        if (row.deletesAt)
          throw new GatewayError('organization_deleting', 'This organisation is already being deleted.');
        if (name.trim() !== row.name)
          throw new GatewayError('unsupported_value', 'Type the name of the organisation exactly as it is written.', {
            param: 'name',
          });
        await updateOrganization(tx, row.id, { deletesAt: new Date(clock.nowMs() + GRACE_MS) });
      });
    },

    async restore(actor) {
      checkMay(actor, 'deletion');
      return change(actor, async (tx, row, current) => {
        checkMay(current, 'deletion');
        if (!row.deletesAt) throw new GatewayError('organization_deleting', 'This organisation is not being deleted.');
        // The housekeeping may already be erasing it.
        if (row.deletesAt <= clock.now())
          throw new GatewayError('organization_deleting', 'The 7 days in which it could be restored are over.');
        await updateOrganization(tx, row.id, { deletesAt: null });
      });
    },
  };
}

function present(row: OrganizationSettingsRow): OrganizationSettingsJson {
  return {
    id: row.id,
    object: 'organization_settings',
    name: row.name,
    replay_retries: row.replayRetries,
    keep_messages_days: row.keepMessagesDays,
    keep_speech_days: row.keepSpeechDays,
    suspended: row.suspendedAt !== null,
    deletes_at: row.deletesAt && unixSeconds(row.deletesAt),
    created_at: unixSeconds(row.createdAt),
  };
}
