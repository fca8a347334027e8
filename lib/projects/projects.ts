import { checkMayChangePolicies } from '../accounts/check-may-change-policies';
import { checkProviders, type IsProvider } from '../accounts/check-providers';
import { presentSpendLimit } from '../accounts/present-key';
import { recountProject } from '../accounts/project-spending';
import { parseBody } from '../contract/parse-body';
import { openPolicy, policyChangesOf, presentPolicy } from '../contract/policies';
import { createProjectRequestSchema, updateProjectRequestSchema, type ProjectJson } from '../contract/projects';
import type { Database } from '../db/database';
import type { ProjectRow } from '../db/keys';
import { lockOrganization } from '../db/people';
import {
  deleteProject,
  findProject,
  insertProject,
  isProjectNameTaken,
  listProjects,
  lockProject,
  releaseRevokedKeys,
  updateProject,
  type ProjectWithSpend,
} from '../db/projects';
import type { Account, Actor } from '../domain/caller';
import { unixSeconds, currentPeriods, type Clock } from '../domain/clock';
import { GatewayError } from '../domain/errors';
import { isId, newId, type ProjectId } from '../domain/ids';
import type { Mode } from '../domain/video';

// Projects: groups of keys with a budget and a policy. Every member sees them; owners and admins change them. A budget
// counts live and test credits separately, because a project can have keys of both modes.

export interface Projects {
  /** Lists the projects by name, with their spending in the mode of the account. */
  list(account: Account): Promise<readonly ProjectJson[]>;
  /** Rejects with `project_not_found`. */
  find(account: Account, id: string): Promise<ProjectJson>;
  /** Rejects with `role_required`, `project_name_taken`, or as `parseBody` does. */
  create(actor: Actor, mode: Mode, body: unknown): Promise<ProjectJson>;
  /** Effective everywhere within 5 seconds. Rejects with `project_not_found`, or as `create` does. */
  update(actor: Actor, mode: Mode, id: string, body: unknown): Promise<ProjectJson>;
  /**
   * Rejects with `role_required`, `project_not_found` or, while it has keys that are not revoked, `project_not_empty`.
   */
  remove(actor: Actor, id: string): Promise<void>;
}

const MAX_PROJECTS = 200;

export function createProjects({
  db,
  clock,
  forgetKeys,
  isProvider,
}: {
  readonly db: Database;
  readonly clock: Clock;
  /** Makes this process reload the keys. */
  readonly forgetKeys: () => void;
  readonly isProvider: IsProvider;
}): Projects {
  async function find(account: Account, id: string): Promise<ProjectJson> {
    const now = clock.now();
    const found = isId('project', id) ? await findProject(db, account, id, currentPeriods(now)) : undefined;
    if (!found) throw projectNotFound();
    return present(found, account.mode, now);
  }

  return {
    find,

    async list(account) {
      const now = clock.now();
      return (await listProjects(db, account, currentPeriods(now))).map((each) => present(each, account.mode, now));
    },

    async create(actor, mode, body) {
      await checkMayChangePolicies(db, actor, 'projects');
      const request = parseBody(createProjectRequestSchema, body);
      checkProviders(request, isProvider);
      const { orgId } = actor;
      const row: ProjectRow = {
        id: newId('project'),
        orgId,
        name: request.name,
        limitNanoUsd: request.limit?.amount ?? null,
        limitPeriod: request.limit?.period ?? null,
        ...openPolicy,
        ...policyChangesOf(request),
        createdAt: clock.now(),
      };
      await db.inTransaction(async (tx) => {
        // Without the lock, two concurrent requests could exceed the maximum.
        await lockOrganization(tx, orgId);
        const periods = currentPeriods(clock.now());
        if ((await listProjects(tx, { orgId, mode }, periods)).length >= MAX_PROJECTS)
          throw new GatewayError(
            'unsupported_value',
            `An organisation has at most ${MAX_PROJECTS} projects. Delete one first.`,
          );
        if (!(await insertProject(tx, row))) throw nameTaken(row.name);
      });
      return find({ orgId, mode }, row.id);
    },

    async update(actor, mode, id, body) {
      await checkMayChangePolicies(db, actor, 'projects');
      const request = parseBody(updateProjectRequestSchema, body);
      const { limit } = request;
      const projectId = idOf(id);
      await db.inTransaction(async (tx) => {
        await lockOrganization(tx, actor.orgId);
        const project = await lockProject(tx, actor.orgId, projectId, 'no key update');
        if (!project) throw projectNotFound();
        checkProviders(request, isProvider, project.allowedProviders);
        const changes = {
          ...(request.name === undefined ? {} : { name: request.name }),
          ...(limit === undefined ? {} : { limitNanoUsd: limit?.amount ?? null, limitPeriod: limit?.period ?? null }),
          ...policyChangesOf(request),
        };
        const changed: ProjectRow = { ...project, ...changes };
        if (changed.name !== project.name && (await isProjectNameTaken(tx, changed))) throw nameTaken(changed.name);
        await updateProject(tx, projectId, changes);
        // Earlier spending counts too: a monthly budget set on the 20th does not start at zero.
        if (changed.limitPeriod !== project.limitPeriod)
          await recountProject(tx, changed, ['live', 'test'], clock.now());
      });
      forgetKeys();
      return find({ orgId: actor.orgId, mode }, id);
    },

    async remove(actor, id) {
      await checkMayChangePolicies(db, actor, 'projects');
      const projectId = idOf(id);
      await db.inTransaction(async (tx) => {
        const project = await lockProject(tx, actor.orgId, projectId, 'update');
        if (!project) throw projectNotFound();
        const keys = await releaseRevokedKeys(tx, projectId);
        if (keys > 0)
          throw new GatewayError(
            'project_not_empty',
            `The project “${project.name}” still has ${keys === 1 ? 'a key' : `${keys} keys`}. Move or revoke ${keys === 1 ? 'it' : 'them'} first.`,
          );
        await deleteProject(tx, projectId);
      });
      forgetKeys();
    },
  };
}

function idOf(id: string): ProjectId {
  if (!isId('project', id)) throw projectNotFound();
  return id;
}

function present({ project, spent, keys }: ProjectWithSpend, mode: Mode, now: Date): ProjectJson {
  return {
    id: project.id,
    object: 'project',
    name: project.name,
    mode,
    limit: presentSpendLimit(project, spent, now),
    ...presentPolicy(project),
    keys,
    created_at: unixSeconds(project.createdAt),
  };
}

/** Returns the same error for a malformed id, a missing project and another organisation's project. */
function projectNotFound(): GatewayError {
  return new GatewayError('project_not_found', 'Your organisation has no project with this id.');
}

function nameTaken(name: string): GatewayError {
  return new GatewayError('project_name_taken', `Your organisation has a project with the name “${name}” already.`, {
    param: 'name',
  });
}
