import { eq, sql } from 'drizzle-orm';
import { readablePassword } from '../../lib/accounts/password';
import type { Database } from '../../lib/db/database';
import { members, organizations, users } from '../../lib/db/schema/index';
import type { Actor, Role } from '../../lib/domain/caller';
import type { KeyId, UserId } from '../../lib/domain/ids';
import type { Gateway } from '../../lib/gateway';
import { DAY_MS, type DemoClock } from './clock';
import { alertPlans, invitationPlans, personPlans, policyPlan, projectPlans, secondOrganization } from './plan';

// The team of the demo data: members of each role who joined over the year, open invitations, projects with budgets, a
// policy, alerts, and a second organisation of the owner. There are no credentials of the organisation at providers,
// because an invented one would receive the console's requests.

export interface DemoTeamDeps {
  readonly db: Database;
  readonly gateway: Gateway;
  /** The clock that `gateway` was composed with. */
  readonly clock: DemoClock;
  readonly owner: Actor;
  readonly nowMs: number;
}

/** The members whom a developer can sign in as, to see the console in each role. */
export interface DemoTeam {
  readonly people: readonly { readonly email: string; readonly role: Role }[];
  readonly password: string;
}

/** The address of the team's office; reserved for documentation. */
const ADDRESS = '203.0.113.24';
const PROXY_ADDRESS = '127.0.0.1';

/**
 * Makes the team. Resolves to undefined if the organisation already has one. Afterwards the clock is the system's.
 *
 * @param keys The organisation's keys by name.
 */
export async function makeTeam(deps: DemoTeamDeps, keys: ReadonlyMap<string, KeyId>): Promise<DemoTeam | undefined> {
  const { gateway, clock, owner, nowMs } = deps;
  if ((await gateway.members.list(owner)).data.length > 1) return undefined;
  await backdate(deps);
  const password = readablePassword();
  const actors = new Map<string, Actor>([['owner', owner]]);
  clock.moveTo(nowMs - 365 * DAY_MS);
  for (const key of keys.values()) await record(owner, 'key.created', key);

  for (const { name, email, role, daysAgo, formerRole, seenDaysAgo } of personPlans) {
    clock.moveTo(nowMs - daysAgo * DAY_MS);
    const invited = await gateway.invitations.create(owner, { role: formerRole ?? role, email });
    await record(owner, 'invitation.created', invited.id, `${email} as ${formerRole ?? role}`);
    clock.moveTo(clock.nowMs() + DAY_MS / 3);
    const token = new URL(invited.link).hash.slice(1);
    const { userId, orgId } = await gateway.invitations.signUp({ token, name, email, password }, PROXY_ADDRESS);
    const actor: Actor = { orgId, userId, role };
    await record(actor, 'invitation.accepted', userId, formerRole ?? role);
    if (formerRole !== undefined) {
      clock.moveTo(clock.nowMs() + 20 * DAY_MS);
      await gateway.members.changeRole(owner, userId, { role });
      await record(owner, 'member.role_changed', userId, `${formerRole} → ${role}`);
    }
    actors.set(name, actor);
    clock.moveTo(nowMs - seenDaysAgo * DAY_MS);
    await gateway.accounts.recordSeen(userId, orgId);
  }

  for (const { by, daysAgo, mode, keys: names, ...project } of projectPlans) {
    const actor = actorOf(by);
    clock.moveTo(nowMs - daysAgo * DAY_MS);
    const { id } = await gateway.projects.create(actor, mode, project);
    await record(actor, 'project.created', id);
    const joining = names.flatMap((name) => keys.get(name) ?? []);
    for (const key of joining) await record(actor, 'key.changed', key);
    // Now, so that the budget of a month is counted for this month.
    clock.moveTo(undefined);
    for (const key of joining) await gateway.accounts.updateKey(actor, key, { project: id });
  }

  for (const { by, daysAgo, mode, ...alert } of alertPlans) {
    const actor = actorOf(by);
    clock.moveTo(nowMs - daysAgo * DAY_MS);
    const { id } = await gateway.alerts.create(actor, mode, alert);
    await record(actor, 'alert.created', id);
  }

  clock.moveTo(nowMs - policyPlan.daysAgo * DAY_MS);
  await gateway.policies.update(owner, policyPlan.policy);
  await record(owner, 'policy.changed', owner.orgId);

  for (const { daysAgo, ...invitation } of invitationPlans) {
    clock.moveTo(nowMs - daysAgo * DAY_MS);
    const { id } = await gateway.invitations.create(owner, invitation);
    await record(owner, 'invitation.created', id, `${invitation.email ?? 'a link'} as ${invitation.role}`);
  }

  clock.moveTo(undefined);
  await gateway.organizations.create({ userId: userOf(owner) }, { name: secondOrganization });
  return { people: personPlans.map(({ email, role }) => ({ email, role })), password };

  async function record(actor: Actor, action: string, target: string, detail?: string): Promise<void> {
    await gateway.auditLog.record({ ...actor, address: ADDRESS }, action, target, detail);
  }

  function actorOf(name: string): Actor {
    const actor = actors.get(name);
    if (!actor) throw new Error(`The plan has no member who is called ${name}.`);
    return actor;
  }
}

/** Moves the creation of the organisation and its owner to before the year of demo data. */
async function backdate({ db, owner, nowMs }: DemoTeamDeps): Promise<void> {
  const createdAt = new Date(nowMs - 366 * DAY_MS);
  const earlier = sql`least(created_at, ${createdAt})`;
  await db.inTransaction(async (tx) => {
    await tx.orm.update(organizations).set({ createdAt: earlier }).where(eq(organizations.id, owner.orgId));
    await tx.orm.update(members).set({ createdAt: earlier }).where(eq(members.orgId, owner.orgId));
    await tx.orm
      .update(users)
      .set({ createdAt: earlier })
      .where(eq(users.id, userOf(owner)));
  });
}

function userOf({ userId }: Actor): UserId {
  if (userId === undefined) throw new Error('The owner of demo data is a person.');
  return userId;
}
