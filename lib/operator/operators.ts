import type { Accounts } from '../accounts/accounts';
import { addOperatorRequestSchema, type OperatorJson, type OperatorListJson } from '../contract/installation';
import { parseBody } from '../contract/parse-body';
import { normalizeEmail } from '../contract/sign-in';
import type { Database } from '../db/database';
import {
  addOperator,
  findCandidate,
  listOperators,
  lockOperators,
  removeOperator,
  type OperatorRow,
} from '../db/operators';
import { unixSeconds, type Clock } from '../domain/clock';
import { GatewayError } from '../domain/errors';
import { isId } from '../domain/ids';
import { recordEntry, type OperatorIdentity } from './operator-log';

// The people who operate the installation in the console. Being an operator is a property of the person: no role in an
// organisation includes it, and it includes no role in an organisation. See docs/decisions/operators.md.

export interface Operators {
  /** Lists the operators, the one who has been an operator for the longest time first. */
  list(): Promise<OperatorListJson>;
  /**
   * `{"person"}`: the id or the e-mail address of an account. Safe to repeat. Rejects with `account_not_found`, or with
   * `address_not_verified` for the address of an account that was made with an invitation and never verified.
   */
  add(body: unknown, by: OperatorIdentity): Promise<OperatorJson>;
  /**
   * Takes effect everywhere within 5 s. Rejects with `account_not_found`, with `unsupported_value` to remove oneself,
   * and with `role_required` if `by` was removed a moment ago.
   */
  remove(id: string, by: OperatorIdentity): Promise<void>;
}

export function createOperators({
  db,
  clock,
  accounts,
}: {
  readonly db: Database;
  readonly clock: Clock;
  readonly accounts: Pick<Accounts, 'forgetPerson'>;
}): Operators {
  async function find(person: string) {
    const isPersonId = isId('user', person);
    const found = await findCandidate(db, isPersonId ? { id: person } : { email: normalizeEmail(person) });
    if (!found)
      throw new GatewayError('account_not_found', 'There is no account with this id or e-mail address.', {
        param: 'person',
      });
    // The person who opens an invitation may state any address.
    if (!isPersonId && found.invited && found.emailVerifiedAt === null)
      throw new GatewayError(
        'address_not_verified',
        'This account was made with an invitation, and its address was never verified: it may belong to another person. Verify who the person is, and name the account by its id.',
        { param: 'person', details: { id: found.id } },
      );
    return found;
  }

  return {
    async list() {
      return { object: 'list', data: (await listOperators(db)).map(present) };
    },

    async add(body, by) {
      const { person } = parseBody(addOperatorRequestSchema, body);
      const { id, email } = await find(person);
      await db.inTransaction(async (tx) => {
        const at = clock.now();
        if (await addOperator(tx, id, at))
          await recordEntry(tx, at, by, { orgId: null, action: 'operator.added', target: id, detail: email });
      });
      accounts.forgetPerson(id);
      return present(await find(id));
    },

    async remove(id, by) {
      // Otherwise the last operator could lock out all of them by mistake.
      if (id === by.userId)
        throw new GatewayError('unsupported_value', 'You cannot remove yourself. Another operator can.');
      if (!isId('user', id)) throw operatorNotFound();
      await db.inTransaction(async (tx) => {
        // A sign-in shows the removal of its operator some seconds late, so two could remove each other.
        const operators = await lockOperators(tx);
        if (by.userId !== undefined && !operators.has(by.userId))
          throw new GatewayError('role_required', 'You are no longer an operator of this installation.');
        const removed = await removeOperator(tx, id);
        if (!removed) throw operatorNotFound();
        const entry = { orgId: null, action: 'operator.removed', target: id, detail: removed.email };
        await recordEntry(tx, clock.now(), by, entry);
      });
      accounts.forgetPerson(id);
    },
  };
}

function operatorNotFound(): GatewayError {
  return new GatewayError('account_not_found', 'There is no operator with this id.');
}

function present({ id, email, name, since }: OperatorRow): OperatorJson {
  return { id, object: 'operator', email, name, since: unixSeconds(since ?? new Date(0)) };
}
