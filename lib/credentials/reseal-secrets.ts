import type { Sealer } from '../accounts/seal';
import { endpointSecretOf, webhookSecretOf } from '../accounts/webhook-secret';
import type { CredentialId, EndpointId, OrgId } from '../domain/ids';
import type { Log } from '../domain/log';
import type { Database, Db } from '../db/database';
import type { ReplacedSecret } from '../db/schema/index';
import { settingsOf } from './sealed-settings';

// Rotation of the master key. A new key first becomes a fallback of every process, then the current key with the former
// one as its fallback; then everything that is stored is sealed with the current key.

/** The columns with sealed secrets. Those of `lists` hold `ReplacedSecret[]`. */
interface Place {
  readonly table: string;
  readonly columns: readonly string[];
  readonly lists: readonly string[];
  belongsTo(id: string): string;
}

// Safe: the ids come from the table of that kind.
const places: readonly Place[] = [
  {
    table: 'organizations',
    columns: ['webhook_secret', 'previous_webhook_secret'],
    lists: ['older_webhook_secrets'],
    belongsTo: (id) => webhookSecretOf(id as OrgId),
  },
  {
    table: 'webhook_endpoints',
    columns: ['secret'],
    lists: ['replaced_secrets'],
    belongsTo: (id) => endpointSecretOf(id as EndpointId),
  },
  {
    table: 'provider_credentials',
    columns: ['sealed'],
    lists: [],
    belongsTo: (id) => settingsOf(id as CredentialId),
  },
];

const BATCH = 100;

/** How many stored secrets the sealer cannot read, because they were encrypted with another master key. */
export async function countUnreadableSecrets(db: Db, sealer: Sealer): Promise<number> {
  let count = 0;
  for (const { table, columns, lists, belongsTo } of places) {
    const { rows } = await db.query(`select id, ${[...columns, ...lists].join(', ')} from ${table}`);
    for (const row of rows) {
      const listed = lists.flatMap((name) => (row[name] as readonly ReplacedSecret[]).map(({ secret }) => secret)); // Safe: the type of the column.
      const sealed = columns.flatMap((name) => (typeof row[name] === 'string' ? [row[name]] : []));
      for (const secret of [...sealed, ...listed])
        if (!isReadable(sealer, secret, belongsTo(String(row.id)))) count += 1;
    }
  }
  return count;
}

function isReadable(sealer: Sealer, sealed: string, belongsTo: string): boolean {
  try {
    sealer.reseal(sealed, belongsTo);
    return true;
  } catch {
    return false;
  }
}

/**
 * Seals with the current master key what was sealed with another one. A process that still has the former order of keys
 * seals with the former key, so this runs again until none is left. Between two batches it calls `goesOn`, and ends
 * early if that returns false.
 */
export async function resealSecrets(
  { db, sealer, log }: { readonly db: Database; readonly sealer: Sealer; readonly log: Log },
  goesOn: () => Promise<boolean>,
): Promise<void> {
  let resealed = 0;
  let unreadable = 0;

  for (const place of places) {
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
    log.error('stored secrets can be read neither with MASTER_KEY nor with MASTER_KEY_FALLBACKS', {
      count: unreadable,
    });
  else if (resealed === 0) log.info('every stored secret is encrypted with the current MASTER_KEY');
}

/** `last` is the id of the last row of a full batch. The rows are locked, so that a secret that is replaced meanwhile stays. */
function resealBatch(db: Database, sealer: Sealer, { table, columns, lists, belongsTo }: Place, after: string) {
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
