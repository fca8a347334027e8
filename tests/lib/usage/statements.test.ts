import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { statementSchema, type StatementJson } from '../../../lib/contract/usage';
import { deleteOldWork } from '../../../lib/db/retention';
import type { Account } from '../../../lib/domain/caller';
import { parseUsd } from '../../../lib/domain/money';
import { checkBooks } from '../../../lib/db/check-books';
import { transfer } from '../../support/transfer';
import { createWork } from '../../support/work';
import type { Acme } from '../videos/make-acme';
import { DAY_MS, makeBusyAccount } from './make-busy-account';

let acme: Acme;
let account: Account;
beforeAll(async () => {
  acme = await makeBusyAccount();
  account = { orgId: acme.live.orgId, mode: 'live' };
  await transfer(acme, account, { kind: 'adjust', amount: '-1.5', reference: 'invoice 7', reason: 'A correction' });
  await acme.pass(20 * DAY_MS);
  await createWork(acme).messages(acme.live, [17n]);
});
afterAll(async () => {
  expect(await checkBooks(acme.db, { deletedBefore: acme.clock.now() })).toEqual([]);
  await acme.close({ checked: false });
});

const nano = (text: string) => (text.startsWith('-') ? -parseUsd(text.slice(1)) : parseUsd(text));
const read = async (month: string): Promise<StatementJson> =>
  statementSchema.parse(await acme.gateway.usage.statements.read(account, month));

describe('the statement of a month', () => {
  it('adds up, its lines add up, and it ends where the next one begins', async () => {
    const [november, december] = [await read('2026-11'), await read('2026-12')];
    expect(november).toMatchObject({
      complete: true,
      first_month: '2026-11',
      opening: '0',
      granted: '25',
      adjusted: '-1.5',
      charged: '0.900000039',
      refunded: '0.200000001',
      closing: '22.799999962',
      organization: { name: 'My organisation' },
    });
    for (const lines of [november.models, november.keys])
      expect(lines.reduce((sum, { spent }) => sum + nano(spent), 0n)).toBe(
        nano(november.charged) - nano(november.refunded),
      );
    expect(november.transfers.map(({ kind }) => kind)).toEqual(['grant', 'refund', 'refund', 'adjust']);
    expect(december).toMatchObject({
      complete: false,
      opening: november.closing,
      granted: '0',
      charged: '0.000000017',
    });
  });

  it('of the current month ends with the credits that the account has', async () => {
    const { available, held } = await acme.gateway.accounts.credits(account);
    expect(nano((await read('2026-12')).closing)).toBe(nano(available) + nano(held));
  });

  it('stays the same when its work is deleted by age', async () => {
    const before = await read('2026-11');
    expect(await deleteOldWork(acme.db, acme.clock.now(), 1_000)).toBeGreaterThan(5);
    expect(await read('2026-11')).toEqual(before);
  });

  it('as CSV has a line for each kind, model, provider and key, with the same sum', async () => {
    const [header, ...lines] = await acme.gateway.usage.statements.readCsv(account, '2026-11');
    const place = header!.trim().split(',').indexOf('spent_usd');
    const { charged, refunded } = await read('2026-11');
    expect(lines.reduce((sum, line) => sum + nano(line.trim().split(',')[place]!), 0n)).toBe(
      nano(charged) - nano(refunded),
    );
  });

  it('is refused for a month that has not begun, or that is none', async () => {
    for (const month of ['2027-01', '2026-13', '0000-01', 'x'])
      await expect(read(month)).rejects.toMatchObject({ code: 'unsupported_value' });
  });
});
