import type { Clock } from '../domain/clock';
import type { Log } from '../domain/log';
import type { Database } from '../db/database';
import { eraseOrganization, eraseSomeRows, listContents, listErasable } from '../db/erase-organization';
import { eraseVideo } from '../db/videos';
import { eraseDeliveries } from '../db/webhooks';

const ORGANIZATIONS_AT_ONCE = 20;
const VIDEOS_AT_ONCE = 100;
const ROWS_AT_ONCE = 500;

/**
 * Erases the deleted organisations that can no longer be restored. One with a running video or held credits is erased
 * after these have ended. The files of its videos are removed with those of other deleted videos.
 */
export async function eraseOrganizations(
  { db, clock, log }: { readonly db: Database; readonly clock: Clock; readonly log: Log },
  goesOn: () => Promise<boolean>,
): Promise<void> {
  for (const orgId of await listErasable(db, clock.now(), ORGANIZATIONS_AT_ONCE)) {
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
}
