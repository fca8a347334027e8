import { countedFrom } from '../billing/key-period';
import type { Tx } from '../db/database';
import type { KeyRow, ProjectRow } from '../db/keys';
import { findProjectRow } from '../db/projects';
import { recountSpending, takeOutOfProject } from '../db/spending';
import type { ProjectId } from '../domain/ids';
import type { Mode } from '../domain/video';

// What counts against the budget of a project: in the current period, everything that its current keys have spent and
// hold. When its keys or its period change, it is counted anew.

/** Counts the spending of a project in the current period of its budget anew. Nothing without a budget. */
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

/** After a key has changed its project: what it has spent and holds now counts in the new one. */
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
