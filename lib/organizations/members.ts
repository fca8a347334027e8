import type { Accounts } from '../accounts/accounts';
import { changeMemberRequestSchema, type MemberJson, type MemberListJson } from '../contract/members';
import { parseBody } from '../contract/parse-body';
import type { Database, Db, Tx } from '../db/database';
import {
  findMember,
  hasOtherOwner,
  listMembers,
  removeInvitationsBy,
  removeMember,
  setRole,
  type MemberRow,
} from '../db/members';
import { lockOrganization } from '../db/people';
import type { Actor, Role } from '../domain/caller';
import { checkMay } from '../domain/check-may';
import { unixSeconds } from '../domain/clock';
import { GatewayError } from '../domain/errors';
import { isId, type OrgId, type UserId } from '../domain/ids';
import { may } from '../domain/roles';

// The members of an organisation and their roles. Admins manage everyone but owners, owners manage everyone, and an
// organisation always has an owner.

export interface Members {
  /** Lists the members, the one who joined first at the top. Every member may see all of them. */
  list(actor: Actor): Promise<MemberListJson>;
  /**
   * `{"role"}`. Rejects with `role_required`, with `member_not_found`, with `last_owner` if this is the only owner, or
   * as `parseBody` does.
   */
  changeRole(actor: Actor, id: string, body: unknown): Promise<Changed>;
  /** Rejects as `changeRole` does. The person's keys stay, but lose the scope `manage`. */
  remove(actor: Actor, id: string): Promise<MemberJson>;
  /** The actor leaves. Rejects with `role_required` for a key, or with `last_owner`. */
  leave(actor: Actor): Promise<void>;
  /** Makes the member an owner and the actor, who must be one, an admin. Rejects as `changeRole` does. */
  transferOwnership(actor: Actor, id: string): Promise<Changed>;
}

/** A member after a change of the role. */
export interface Changed {
  readonly member: MemberJson;
  readonly formerRole: MemberJson['role'];
}

export function createMembers({
  db,
  accounts,
}: {
  readonly db: Database;
  readonly accounts: Pick<Accounts, 'forgetPerson'>;
}): Members {
  /** Changes a member while no other change of members can run. Uses the role that the actor has at that time. */
  async function change(
    actor: Actor,
    id: string,
    run: (tx: Tx, member: MemberRow, actor: Actor) => Promise<void>,
  ): Promise<MemberRow> {
    if (!isId('user', id)) throw memberNotFound();
    const member = await db.inTransaction(async (tx) => {
      await lockOrganization(tx, actor.orgId);
      const current = await currentActor(tx, actor);
      const found = await findMember(tx, actor.orgId, id);
      if (!found) throw memberNotFound();
      await run(tx, found, current);
      return found;
    });
    accounts.forgetPerson(id);
    if (actor.userId !== undefined) accounts.forgetPerson(actor.userId);
    return member;
  }

  async function getMember(actor: Actor, id: UserId): Promise<MemberJson> {
    const row = await findMember(db, actor.orgId, id);
    if (!row) throw memberNotFound();
    return presentMember(row);
  }

  return {
    async list({ orgId }) {
      return { object: 'list', data: (await listMembers(db, orgId)).map(presentMember) };
    },

    async changeRole(actor, id, body) {
      checkMay(actor, 'members');
      const { role } = parseBody(changeMemberRequestSchema, body);
      const former = await change(actor, id, async (tx, member, current) => {
        checkMay(current, 'members');
        if (member.role === 'owner' || role === 'owner') checkMay(current, 'owners');
        if (role !== 'owner') await checkNotLastOwner(tx, current, member);
        await setRole(tx, current.orgId, member.userId, role);
        await endInvitations(tx, current.orgId, member.userId, role);
      });
      return { member: await getMember(actor, former.userId), formerRole: former.role };
    },

    async remove(actor, id) {
      checkMay(actor, 'members');
      const removed = await change(actor, id, async (tx, member, current) => {
        checkMay(current, 'members');
        if (member.role === 'owner') checkMay(current, 'owners');
        await removeFrom(tx, current, member);
      });
      return presentMember(removed);
    },

    async leave(actor) {
      if (actor.userId === undefined)
        throw new GatewayError('role_required', 'An API key cannot leave an organisation. Revoke it instead.');
      await change(actor, actor.userId, (tx, member, current) => removeFrom(tx, current, member));
    },

    async transferOwnership(actor, id) {
      checkMay(actor, 'owners');
      const former = await change(actor, id, async (tx, member, current) => {
        checkMay(current, 'owners');
        // An owner is a person: a key acts at most as an admin.
        if (current.userId === undefined || current.userId === member.userId)
          throw new GatewayError('unsupported_value', 'Choose another member: you are an owner already.');
        await setRole(tx, current.orgId, member.userId, 'owner');
        await setRole(tx, current.orgId, current.userId, 'admin');
        await endInvitations(tx, current.orgId, current.userId, 'admin');
      });
      return { member: await getMember(actor, former.userId), formerRole: former.role };
    },
  };
}

/** Returns the actor with their current role: the role in a sign-in is cached for some seconds. */
export async function currentActor(db: Db, actor: Actor): Promise<Actor> {
  if (actor.userId === undefined) return actor;
  const own = await findMember(db, actor.orgId, actor.userId);
  if (!own) throw new GatewayError('not_a_member', 'You are no longer a member of this organisation.');
  return { ...actor, role: own.role };
}

async function removeFrom(tx: Tx, actor: Actor, member: MemberRow): Promise<void> {
  await checkNotLastOwner(tx, actor, member);
  await removeMember(tx, actor.orgId, member.userId);
  await endInvitations(tx, actor.orgId, member.userId, undefined);
}

/** Withdraws the invitations that a person could not make with the role that they have now. */
async function endInvitations(tx: Tx, orgId: OrgId, userId: UserId, role: Role | undefined): Promise<void> {
  if (role === undefined || !may(role, 'members')) await removeInvitationsBy(tx, orgId, userId);
  else if (!may(role, 'owners')) await removeInvitationsBy(tx, orgId, userId, 'owner');
}

async function checkNotLastOwner(tx: Tx, { orgId }: Actor, { userId, role }: MemberRow): Promise<void> {
  if (role !== 'owner' || (await hasOtherOwner(tx, orgId, userId))) return;
  throw new GatewayError(
    'last_owner',
    'This is the last owner, and an organisation needs one. Make another member an owner first, or delete the organisation.',
  );
}

function presentMember({ userId, email, name, role, joinedAt, lastSeenAt }: MemberRow): MemberJson {
  return {
    id: userId,
    object: 'member',
    email,
    name,
    role,
    joined_at: unixSeconds(joinedAt),
    last_seen_at: lastSeenAt && unixSeconds(lastSeenAt),
  };
}

/** Returns the same error for a malformed id, a person who does not exist, and a person of another organisation. */
function memberNotFound(): GatewayError {
  return new GatewayError('member_not_found', 'Your organisation has no member with this id.');
}
