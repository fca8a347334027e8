import type { Sealer } from '../accounts/seal';
import type { Log } from '../domain/log';
import type { Database } from '../db/database';
import type { ReplacedSecret } from '../db/schema/index';
import { sealedPlaces, type SealedPlace } from './sealed-places';

// Rotation of the master key. First the new key becomes a fallback in every process. Then it becomes the current key,
// with the former one as its fallback. Finally everything that is stored is sealed with the current key.

const BATCH = 100;

/**
 * Seals everything again that was sealed with another key than the current master key. A process that still has the
 * former order of keys seals with the former key, so this runs again until no such secret is left. Between two batches
 * it calls `goesOn`, and ends early if that returns false.
 */
export async function resealSecrets(
  { db, sealer, log }: { readonly db: Database; readonly sealer: Sealer; readonly log: Log },
  goesOn: () => Promise<boolean>,
): Promise<void> {
  let resealed = 0;
  let unreadable = 0;

  for (const place of sealedPlaces) {
    for (let after: string | undefined = ''; after !== undefined;) {
      const batch = await resealBatch(db, sealer, place, after);
      resealed += batch.resealed;
      unreadable += batch.unreadable;
      after = batch.last;
      if (!(await goesOn())) return;
    }
  }
  if (resealed > 0) log.info('stored secrets were encrypted with the current MASTER_KEY', { count: resealed });
  if (unreadable > 0)
    log.error('stored secrets cannot be decrypted with MASTER_KEY or MASTER_KEY_FALLBACKS', {
      count: unreadable,
    });
  else if (resealed === 0) log.info('every stored secret is encrypted with the current MASTER_KEY');
}

/**
 * Reseals one batch. `last` is the id of the last row of a full batch. The rows are locked, so that a secret that is
 * replaced in the meantime is not overwritten.
 */
function resealBatch(db: Database, sealer: Sealer, { table, columns, lists, belongsTo }: SealedPlace, after: string) {
  return db.inTransaction(async (tx) => {
    const count = { resealed: 0, unreadable: 0 };
    const names = [...columns, ...lists];
    const { rows } = await tx.query(
      `select id, ${names.join(', ')} from ${table} where id > $1 order by id limit ${BATCH} for no key update`,
      [after],
    );
    for (const row of rows) {
      const before = count.resealed;
      const current = (sealed: string): string => {
        // An erased organisation has an empty text in place of its secret.
        if (sealed === '') return sealed;
        try {
          const again = sealer.reseal(sealed, belongsTo(String(row.id)));
          if (again === undefined) return sealed;
          count.resealed += 1;
          return again;
        } catch {
          count.unreadable += 1;
          return sealed;
        }
      };
      const values = [
        ...columns.map((name) => (typeof row[name] === 'string' ? current(row[name]) : null)),
        // Safe: the type of the column.
        ...lists.map((name) =>
          JSON.stringify(
            (row[name] as readonly ReplacedSecret[]).map((each) => ({ ...each, secret: current(each.secret) })),
          ),
        ),
      ];
      if (count.resealed === before) continue;
      const sets = names.map((name, index) => `${name} = $${index + 2}`).join(', ');
      await tx.query(`update ${table} set ${sets} where id = $1`, [row.id, ...values]);
    }
    const last = rows.length === BATCH ? String(rows.at(-1)?.id) : undefined;
    return { ...count, last };
  });
}
