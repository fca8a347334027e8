import { countedFrom } from '../domain/clock';
import type { Tx } from '../db/database';
import type { KeyRow, ProjectRow } from '../db/keys';
import { findProjectRow } from '../db/projects';
import { recountSpending, takeOutOfProject } from '../db/spending';
import type { ProjectId } from '../domain/ids';
import type { Mode } from '../domain/video';

// The spending that counts against a project's budget: everything that its current keys have spent and hold in the
// current period. It is recalculated when the project's keys or its period change.

/** Recalculates the spending of a project in the current period of its budget. Does nothing if it has no budget. */
export async function recountProject(
  tx: Tx,
  { id, orgId, limitPeriod }: ProjectRow,
  modes: readonly Mode[],
  now: Date,
): Promise<void> {
  if (limitPeriod === null) return;
  for (const mode of modes)
    await recountSpending(tx, { orgId, mode }, { kind: 'project', id }, countedFrom(limitPeriod, now));
}

/** Moves the spending and the holds of a key to its new project. Call it after the key has changed its project. */
export async function moveSpending(
  tx: Tx,
  key: KeyRow,
  projects: readonly (ProjectId | null)[],
  now: Date,
): Promise<void> {
  await takeOutOfProject(tx, key, key.id);
  for (const id of projects) {
    const project = id === null ? undefined : await findProjectRow(tx, key.orgId, id);
    if (project) await recountProject(tx, project, [key.mode], now);
  }
}
