import type { Actor, Role } from '../domain/caller';
import { countedFrom, currentPeriods, type Clock } from '../domain/clock';
import { GatewayError } from '../domain/errors';
import { isId, newId, type KeyId, type OrgId, type ProjectId, type UserId } from '../domain/ids';
import { weakestRole } from '../domain/roles';
import { checkMay } from '../domain/check-may';
import type { Database, Db, Tx } from '../db/database';
import {
  findKey,
  findRolesOfKey,
  insertKey,
  listKeys,
  lockKey,
  revokeKey,
  rightsOf,
  updateKey,
  type KeyChanges,
  type KeyRights,
  type KeyRow,
} from '../db/keys';
import { lockProject } from '../db/projects';
import { recountSpending } from '../db/spending';
import { openPolicy, policyChangesOf } from '../contract/policies';
import type { Accounts } from './accounts';
import { checkProviders, type IsProvider } from './check-providers';
import type { KeyJson, UpdateKeyRequest } from '../contract/keys';
import { keyPrefix, newKey, hashSecret } from './secrets';
import { checkMayGive, excessOf } from './key-rights';
import { checkScopes, parseCreateKey, parseRotateKey, parseUpdateKey } from './key-request';
import { presentKey, statusOf } from './present-key';
import { moveSpending } from './project-spending';

export type KeyManagement = Pick<
  Accounts,
  'actorOfKey' | 'listKeys' | 'createKey' | 'updateKey' | 'revokeKey' | 'rotateKey'
>;

export interface KeyManagementDeps {
  readonly db: Database;
  readonly clock: Clock;
  /** Makes this process reload the key with this hash. */
  readonly forget: (hash: string) => void;
  readonly isProvider: IsProvider;
}

export function createKeyManagement({ db, clock, forget, isProvider }: KeyManagementDeps): KeyManagement {
  async function getKey(actor: Actor, id: KeyId): Promise<KeyJson> {
    const found = await findKey(db, actor.orgId, id, currentPeriods(clock.now()));
    if (!found) throw keyNotFound();
    return presentKey(found, clock.now());
  }

  /** Changes a key of the actor's organisation under a row lock, then invalidates it in every part of this process. */
  async function change<T>(
    actor: Actor,
    id: string,
    run: (tx: Tx, key: KeyRow) => Promise<T>,
  ): Promise<{ id: KeyId; result: T }> {
    checkMay(actor, 'edit');
    if (!isId('key', id)) throw keyNotFound();
    const { hash, result } = await db.inTransaction(async (tx) => {
      const key = await lockKey(tx, actor.orgId, id);
      if (!key) throw keyNotFound();
      return { hash: key.hash, result: await run(tx, key) };
    });
    forget(hash);
    return { id, result };
  }

  /** The actor's own key, if the actor is a key. */
  async function findOwnKey(tx: Db, actor: Actor): Promise<KeyRow | undefined> {
    if (actor.keyId === undefined) return undefined;
    const own = await findKey(tx, actor.orgId, actor.keyId, currentPeriods(clock.now()));
    if (!own) throw keyNotFound();
    return own.key;
  }

  return {
    async actorOfKey({ orgId, keyId, mode, policy }) {
      if (mode !== 'live' || !policy.scopes.includes('manage')) {
        throw new GatewayError(
          'scope_required',
          'Managing needs a live key with the scope "manage". Create one in the console under API keys.',
        );
      }
      const roles = await findRolesOfKey(db, keyId);
      if (!roles?.maker) {
        throw new GatewayError(
          'scope_required',
          'The person who created this key is no longer a member of the organisation, so the key can no longer manage it. Ask an owner or admin for a new key.',
        );
      }
      return { orgId, keyId, role: weakestRole('admin', roles.key, roles.maker) };
    },

    async listKeys(actor) {
      const found = await listKeys(db, actor.orgId, currentPeriods(clock.now()));
      return found.map((key) => presentKey(key, clock.now()));
    },

    async createKey(actor, body) {
      checkMay(actor, 'edit');
      const request = parseCreateKey(body, clock);
      checkProviders(request, isProvider);
      const rights: KeyRights = {
        mode: request.mode,
        scopes: request.scopes,
        ...openPolicy,
        ...policyChangesOf(request),
        projectId: projectIdOf(request.project) ?? null,
        limitNanoUsd: request.limit?.amount ?? null,
        limitPeriod: request.limit?.period ?? null,
        limits: request.limits ?? null,
        expiresAt: request.expires_at ?? null,
      };
      const own = await findOwnKey(db, actor);
      // A key that is created by a key belongs to the same project.
      const given = {
        ...rights,
        projectId: request.project === undefined ? (own?.projectId ?? null) : rights.projectId,
      };
      checkMayGive(actor, given, own);
      const { row, key } = makeKey(makerOf(actor, own), clock.now(), {
        ...given,
        name: request.name,
        rotatedFrom: null,
        spendKeyId: sharedLimitOf(own, given),
      });
      await db.inTransaction(async (tx) => {
        await lockProjectOf(tx, actor, row.projectId);
        await insertKey(tx, row);
      });
      return { ...(await getKey(actor, row.id)), key };
    },

    async updateKey(actor, id, body, beforeWidening) {
      // Before the body is parsed: a viewer must not learn anything from its errors.
      checkMay(actor, 'edit');
      const request = parseUpdateKey(body, clock);
      const changed = await change(actor, id, async (tx, key) => {
        if (key.revokedAt) throw notActive('This key was revoked and can no longer be changed. Create a new one.');
        if (request.scopes) checkScopes(key.mode, request.scopes);
        checkProviders(request, isProvider, key.allowedProviders);
        if (key.id === actor.keyId)
          throw new GatewayError(
            'role_required',
            'A key cannot change itself. Use the console, or another key with the scope "manage".',
          );
        const now = clock.now();
        const changes = changesOf(request, key, now);
        const changed: KeyRow = { ...key, ...changes };
        const isMoved = changed.projectId !== key.projectId;
        if (isMoved) {
          // In another project the key has other rights and spends another budget.
          checkMay(actor, 'policies');
          checkMayGive(actor, changed, await findOwnKey(tx, actor));
          await lockProjectOf(tx, actor, changed.projectId);
        }
        if (excessOf(changed, key) !== undefined || (key.disabledAt && !changed.disabledAt)) {
          checkMayGive(actor, changed, await findOwnKey(tx, actor));
          beforeWidening?.();
        }
        await updateKey(tx, key.id, changes);
        if (isMoved) await moveSpending(tx, changed, [key.projectId, changed.projectId], now);
        if (changed.limitPeriod !== null && changed.limitPeriod !== key.limitPeriod) {
          // Earlier spending without this limit counts too: a monthly limit set on the 20th does not start at zero.
          const id = key.spendKeyId ?? key.id;
          await recountSpending(tx, key, { kind: 'key', id }, countedFrom(changed.limitPeriod, now));
        }
      });
      return getKey(actor, changed.id);
    },

    async revokeKey(actor, id) {
      const changed = await change(actor, id, (tx, key) => revokeKey(tx, key.id, clock.now()));
      return getKey(actor, changed.id);
    },

    async rotateKey(actor, id, body) {
      checkMay(actor, 'edit');
      const { overlapSeconds } = parseRotateKey(body);
      const now = clock.now();
      const { result } = await change(actor, id, async (tx, old) => {
        const status = statusOf(old, now);
        if (status === 'disabled') throw notActive('This key is disabled. Enable it before you rotate it.');
        if (status !== 'active') throw notActive(`This key is ${status}, so it cannot be rotated. Create a new one.`);
        const own = await findOwnKey(tx, actor);
        // The caller of a rotation receives the new key, and with it all rights of the old one.
        checkMayGive(actor, rightsOf(old), old.id === own?.id ? undefined : own);
        const maker = makerOf(actor, own);
        const { row, key } = makeKey({ ...maker, role: weakestRole(maker.role, old.role) }, now, {
          ...rightsOf(old),
          name: old.name,
          rotatedFrom: old.id,
          // The new key shares the spending of the old one; otherwise a rotation would reset the spend limit.
          spendKeyId: old.spendKeyId ?? old.id,
        });
        await insertKey(tx, row);
        if (overlapSeconds === 0) {
          await revokeKey(tx, old.id, now);
        } else {
          const end = new Date(now.getTime() + overlapSeconds * 1000);
          await updateKey(tx, old.id, { expiresAt: old.expiresAt && old.expiresAt < end ? old.expiresAt : end });
        }
        return { id: row.id, key };
      });
      return { ...(await getKey(actor, result.id)), key: result.key };
    },
  };
}

/**
 * Returns the owner of a new key: the signed-in person, or the owner of the key that creates it. If there is neither,
 * the operator has created it.
 */
function makerOf(actor: Actor, own: KeyRow | undefined): KeyMaker {
  const { orgId, role } = actor;
  return own
    ? { orgId, role, userId: own.createdBy ?? undefined, byOperator: own.byOperator }
    : { orgId, role, userId: actor.userId, byOperator: actor.userId === undefined };
}

/**
 * Returns the key whose limit a new key shares: a key with a limit shares it with the keys that it creates, which get
 * no limit of their own.
 */
function sharedLimitOf(own: KeyRow | undefined, { mode }: KeyRights): KeyId | null {
  return own && own.limitNanoUsd !== null && own.mode === mode ? (own.spendKeyId ?? own.id) : null;
}

interface KeyMaker {
  readonly orgId: OrgId;
  readonly userId?: UserId | undefined;
  readonly byOperator?: boolean;
  readonly role: Role;
}

/** Creates a key and its row. Only the row is stored. */
export function makeKey(
  maker: KeyMaker,
  now: Date,
  about: KeyRights & Pick<KeyRow, 'name' | 'rotatedFrom' | 'spendKeyId'>,
): { readonly key: string; readonly row: KeyRow } {
  const key = newKey(about.mode);
  const row: KeyRow = {
    id: newId('key'),
    orgId: maker.orgId,
    hash: hashSecret(key),
    prefix: keyPrefix(about.mode),
    lastFour: key.slice(-4),
    role: maker.role,
    createdBy: maker.userId ?? null,
    byOperator: maker.byOperator ?? false,
    createdAt: now,
    lastUsedAt: null,
    disabledAt: null,
    revokedAt: null,
    ...about,
  };
  return { key, row };
}

function changesOf(request: UpdateKeyRequest, key: KeyRow, now: Date): KeyChanges {
  const { limit } = request;
  return {
    ...(request.name === undefined ? {} : { name: request.name }),
    // Disabling a disabled key keeps the first date.
    ...(request.disabled === undefined ? {} : { disabledAt: request.disabled ? (key.disabledAt ?? now) : null }),
    ...(request.scopes === undefined ? {} : { scopes: request.scopes }),
    ...(limit === undefined ? {} : { limitNanoUsd: limit?.amount ?? null, limitPeriod: limit?.period ?? null }),
    ...(request.limits === undefined ? {} : { limits: request.limits }),
    ...(request.expires_at === undefined ? {} : { expiresAt: request.expires_at }),
    ...(request.project === undefined ? {} : { projectId: projectIdOf(request.project) ?? null }),
    ...policyChangesOf(request),
  };
}

function projectIdOf(id: string | null | undefined): ProjectId | null | undefined {
  if (id == null) return id;
  if (!isId('project', id)) throw projectNotFound();
  return id;
}

/** Keeps the project of a key from being deleted until the transaction ends. Rejects with `project_not_found`. */
async function lockProjectOf(tx: Tx, { orgId }: Actor, id: ProjectId | null): Promise<void> {
  if (id !== null && !(await lockProject(tx, orgId, id, 'key share'))) throw projectNotFound();
}

function projectNotFound(): GatewayError {
  return new GatewayError('project_not_found', 'Your organisation has no project with this id.', { param: 'project' });
}

/** Returns the same error for a malformed id, a missing key and another organisation's key. */
function keyNotFound(): GatewayError {
  return new GatewayError('key_not_found', 'Your organisation has no key with this id.');
}

function notActive(sentence: string): GatewayError {
  return new GatewayError('key_not_active', sentence);
}
