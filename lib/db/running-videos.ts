import type { Account } from '../domain/caller';
import type { KeyId } from '../domain/ids';
import type { Db } from './database';

// The numbers of videos that are queued or in progress. They change with the holds of the videos, in the same statement
// (lib/billing/replace-hold.ts): counting the videos at each submission would read all of them.

type KeyAccount = Account & { readonly keyId: KeyId };

/** Returns the numbers of a key and of its organisation in this mode. */
export async function readRunningVideos(
  db: Db,
  { orgId, mode, keyId }: KeyAccount,
): Promise<{ readonly key: number; readonly organization: number }> {
  const { rows } = await db.query(
    `select accounts.running_videos as organization, coalesce(of_key.running, 0) as key
     from accounts left join running_videos as of_key
       on of_key.org_id = accounts.org_id and of_key.mode = accounts.mode and of_key.key_id = $3
     where accounts.org_id = $1 and accounts.mode = $2`,
    [orgId, mode, keyId],
  );
  return { key: Number(rows[0]?.['key'] ?? 0), organization: Number(rows[0]?.['organization'] ?? 0) };
}

/** Creates the counter of a key if there is none. */
export async function makeRunningCounter(db: Db, { orgId, mode, keyId }: KeyAccount): Promise<void> {
  await db.query(
    'insert into running_videos (org_id, mode, key_id, running) values ($1, $2, $3, 0) on conflict do nothing',
    [orgId, mode, keyId],
  );
}
