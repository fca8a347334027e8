import type { Clock } from '../domain/clock';
import { errorForLog } from '../domain/errors';
import type { OrgId } from '../domain/ids';
import type { Log } from '../domain/log';
import type { Database } from '../db/database';
import { eraseOrganization, eraseSomeRows, listContents, listErasable, type Erasable } from '../db/erase-organization';
import { eraseVideo } from '../db/videos';
import { eraseDeliveries } from '../db/webhooks';

const ORGANIZATIONS_AT_ONCE = 20;
const VIDEOS_AT_ONCE = 100;
const ROWS_AT_ONCE = 500;

interface Deps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Erases the deleted organisations that can no longer be restored. One with a running video or held credits is erased
 * after these have ended. The files of its videos are removed with those of other deleted videos.
 */
export async function eraseOrganizations(deps: Deps, goesOn: () => Promise<boolean>): Promise<void> {
  const { db, clock, log } = deps;
  for (let after: Erasable | undefined; ;) {
    const found = await listErasable(db, clock.now(), ORGANIZATIONS_AT_ONCE, after);
    for (const { id: orgId } of found) {
      if (!(await goesOn())) return;
      // One that cannot be erased is tried again in the next round and does not delay the others.
      await eraseOne(deps, orgId, goesOn).catch((error: unknown) =>
        log.error('a deleted organisation could not be erased', { orgId, error: errorForLog(error) }),
      );
    }
    if (found.length < ORGANIZATIONS_AT_ONCE) return;
    after = found.at(-1);
  }
}

async function eraseOne({ db, clock, log }: Deps, orgId: OrgId, goesOn: () => Promise<boolean>): Promise<void> {
  for (;;) {
    if (!(await goesOn())) return;
    const ids = await listContents(db, orgId, VIDEOS_AT_ONCE);
    if (ids.length === 0) break;
    await db.inTransaction(async (tx) => {
      for (const id of ids) {
        await eraseVideo(tx, id, clock.now());
        await eraseDeliveries(tx, id, clock.now());
      }
    });
  }
  while (await eraseSomeRows(db, orgId, ROWS_AT_ONCE)) if (!(await goesOn())) return;
  if (await db.inTransaction((tx) => eraseOrganization(tx, orgId, clock.now())))
    log.info('an organisation was erased, as its owner had requested', { orgId });
}
