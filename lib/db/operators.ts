import { and, asc, eq, isNotNull, isNull } from 'drizzle-orm';
import type { UserId } from '../domain/ids';
import type { Db, Tx } from './database';
import { users } from './schema/index';

// The people who operate the installation in the console.

export interface OperatorRow {
  readonly id: UserId;
  readonly email: string;
  readonly name: string | null;
  readonly since: Date | null;
}

const columns = { id: users.id, email: users.email, name: users.name, since: users.operatorSince };

/** Lists the operators. The one that became an operator first comes first. */
export async function listOperators(db: Db): Promise<OperatorRow[]> {
  return db.orm.select(columns).from(users).where(isNotNull(users.operatorSince)).orderBy(asc(users.operatorSince));
}

/** A person who could become an operator. */
export interface CandidateRow extends OperatorRow {
  readonly emailVerifiedAt: Date | null;
  readonly invited: boolean;
}

/** Finds a person by the id, or by the e-mail address in lower case. */
export async function findCandidate(
  db: Db,
  by: { readonly id: UserId } | { readonly email: string },
): Promise<CandidateRow | undefined> {
  const [row] = await db.orm
    .select({ ...columns, emailVerifiedAt: users.emailVerifiedAt, invited: users.invited })
    .from(users)
    .where('id' in by ? eq(users.id, by.id) : eq(users.email, by.email));
  return row;
}

/** Makes a person an operator. Resolves to false if they already are one. */
export async function addOperator(tx: Tx, id: UserId, at: Date): Promise<boolean> {
  const added = await tx.orm
    .update(users)
    .set({ operatorSince: at })
    .where(and(eq(users.id, id), isNull(users.operatorSince)))
    .returning({ id: users.id });
  return added.length > 0;
}

/** Locks all operators until the transaction ends, and returns their ids. */
export async function lockOperators(tx: Tx): Promise<ReadonlySet<UserId>> {
  const rows = await tx.orm
    .select({ id: users.id })
    .from(users)
    .where(isNotNull(users.operatorSince))
    .orderBy(asc(users.id))
    .for('update');
  return new Set(rows.map(({ id }) => id));
}

/** Removes an operator and returns the person; undefined if they are not an operator. */
export async function removeOperator(tx: Tx, id: UserId): Promise<{ readonly email: string } | undefined> {
  const [removed] = await tx.orm
    .update(users)
    .set({ operatorSince: null })
    .where(and(eq(users.id, id), isNotNull(users.operatorSince)))
    .returning({ email: users.email });
  return removed;
}
