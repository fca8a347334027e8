import type { Ledger } from '../billing/ledger';
import { presentPage } from '../contract/present-page';
import type { TransferJson, TransferPageJson, TransferRequest } from '../contract/credits';
import {
  findCharge,
  findCreditTransfer,
  insertCreditTransfer,
  listCreditTransfers,
  sumRefunds,
  type Charge,
  type CreditTransferRow,
} from '../db/credit-transfers';
import type { Database, Tx } from '../db/database';
import { lockOrganization } from '../db/people';
import { addRefund } from '../db/usage-days';
import type { CreditTransferKind } from '../db/schema/index';
import type { Account } from '../domain/caller';
import { unixSeconds, type Clock } from '../domain/clock';
import { GatewayError } from '../domain/errors';
import { newId, type OrgId } from '../domain/ids';
import { usd, usdText } from '../domain/money';
import { recordEntry, type OperatorIdentity } from './operator-log';

// Grants, adjustments and refunds. Each is one transaction: the movement in the ledger, a refund's count in the daily
// sums, the row with the reason, and the entry in the organisation's audit log.

export interface CreditTransfers {
  /**
   * Makes one transfer per reference. Repeated with the same content it returns the first result, with other content it
   * rejects with `reference_reused`. Rejects with `balance_too_low`, `charge_not_found` or `refund_exceeds_charge`.
   */
  make(
    orgId: OrgId,
    request: TransferRequest,
    by?: OperatorIdentity,
  ): Promise<{ readonly transfer: TransferJson; readonly replayed: boolean }>;
  /** Rejects with `unsupported_value` if `after` is not a transfer of the account. */
  list(
    account: Account,
    page: { readonly limit: number; readonly after?: string | undefined },
  ): Promise<TransferPageJson>;
}

const ACTIONS: Readonly<Record<CreditTransferKind, string>> = {
  grant: 'credits.granted',
  adjust: 'credits.adjusted',
  refund: 'credits.refunded',
};

export function createCreditTransfers({
  db,
  ledger,
  clock,
}: {
  readonly db: Database;
  readonly ledger: Ledger;
  readonly clock: Clock;
}): CreditTransfers {
  return {
    async make(orgId, request, by = {}) {
      const account: Account = { orgId, mode: request.mode };
      return db.inTransaction(async (tx) => {
        // One transfer at a time for each organisation, so that no reference and no charge is used twice. Its API
        // requests are not blocked.
        await lockOrganization(tx, orgId);
        const charge = request.subject === undefined ? undefined : await getCharge(tx, account, request.subject);
        const earlier = await findCreditTransfer(tx, account, request.reference);
        if (earlier) return { transfer: sameAs(earlier, request, charge), replayed: true };
        if (charge) await checkRefundable(tx, account, request, charge);
        const id = newId('transfer');
        const at = clock.now();
        const available = await ledger.transfer(tx, account, {
          id,
          kind: request.kind,
          amount: request.amount,
          hold: charge?.holdId,
          at,
        });
        if (available === undefined) throw await refusal(tx, account, request);
        if (request.kind === 'refund') await addRefund(tx, account, charge?.work, { amount: request.amount, at });
        const row: CreditTransferRow = {
          id,
          ...account,
          kind: request.kind,
          amountNanoUsd: request.amount,
          subject: charge?.subject ?? null,
          reference: request.reference,
          reason: request.reason,
          availableNanoUsd: available,
          createdAt: at,
        };
        await insertCreditTransfer(tx, row);
        const detail = `${request.mode} ${usd(usdText(request.amount))}: ${request.reason}`;
        await recordEntry(tx, at, by, { orgId, action: ACTIONS[request.kind], target: id, detail });
        return { transfer: presentTransfer(row), replayed: false };
      });
    },

    async list(account, { limit, after }) {
      const rows = await listCreditTransfers(db, account, limit + 1, after);
      if (!rows)
        throw new GatewayError('unsupported_value', 'after must be the id of a transfer of this account.', {
          param: 'after',
        });
      return presentPage(rows, limit, presentTransfer);
    },
  };

  async function refusal(tx: Tx, account: Account, { kind, amount }: TransferRequest): Promise<GatewayError> {
    const balances = await ledger.balances(tx, account);
    const [available, held, spent] = [usdText(balances.available), usdText(balances.held), usdText(balances.spent)];
    if (kind === 'refund') {
      return new GatewayError(
        'refund_exceeds_charge',
        `The ${account.mode} account was charged $${spent} in all, less earlier refunds. Refund at most that, or use a grant.`,
        { param: 'amount', details: { spent } },
      );
    }
    const also = balances.held > 0n ? ` Another $${held} is held by running requests and cannot be taken.` : '';
    return new GatewayError(
      'balance_too_low',
      `The ${account.mode} account has $${available} available, so $${usdText(-amount)} cannot be taken from it. Take at most what is available.${also}`,
      {
        param: 'amount',
        details: { available, held },
      },
    );
  }
}

async function getCharge(tx: Tx, account: Account, subject: string): Promise<Charge> {
  const charge = await findCharge(tx, account, subject);
  if (charge) return charge;
  throw new GatewayError(
    'charge_not_found',
    `The ${account.mode} account of this organisation has no video, message or audio session with this id. Check the id and the mode.`,
    { param: 'subject' },
  );
}

async function checkRefundable(
  tx: Tx,
  account: Account,
  { amount }: TransferRequest,
  { subject, amount: charged }: Charge,
): Promise<void> {
  const refunded = await sumRefunds(tx, account, subject);
  if (refunded + amount <= charged) return;
  const [was, already, rest] = [usdText(charged), usdText(refunded), usdText(charged - refunded)];
  throw new GatewayError(
    'refund_exceeds_charge',
    `${subject} was charged $${was}, and $${already} of it was refunded. Refund at most $${rest}.`,
    {
      param: 'amount',
      details: { charged: was, refunded: already },
    },
  );
}

/** Returns the first result of a reference. Throws `reference_reused` if its content was different. */
function sameAs(earlier: CreditTransferRow, request: TransferRequest, charge: Charge | undefined): TransferJson {
  const isSame =
    earlier.kind === request.kind &&
    earlier.amountNanoUsd === request.amount &&
    earlier.reason === request.reason &&
    earlier.subject === (charge?.subject ?? null);
  if (isSame) return presentTransfer(earlier);
  throw new GatewayError(
    'reference_reused',
    `This account already has another transfer with this reference (${earlier.id}). Repeat it with the same content, or choose a new reference.`,
    {
      param: 'reference',
      details: { transfer: earlier.id },
    },
  );
}

function presentTransfer(row: CreditTransferRow): TransferJson {
  return {
    id: row.id,
    object: 'credit_transfer',
    organization: row.orgId,
    mode: row.mode,
    kind: row.kind,
    currency: 'USD',
    amount: usdText(row.amountNanoUsd),
    available: usdText(row.availableNanoUsd),
    subject: row.subject,
    reference: row.reference,
    reason: row.reason,
    created_at: unixSeconds(row.createdAt),
  };
}
