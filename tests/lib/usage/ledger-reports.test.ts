import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ledgerKinds, ledgerPageSchema, type LedgerEntryJson } from '../../../lib/contract/usage';
import type { LedgerFilter } from '../../../lib/db/ledger-pages';
import { deleteOldWork } from '../../../lib/db/retention';
import type { Account } from '../../../lib/domain/caller';
import type { KeyId } from '../../../lib/domain/ids';
import { parseUsd } from '../../../lib/domain/money';
import { transfer } from '../../support/transfer';
import { createWork } from '../../support/work';
import { makeAcme, type Acme } from '../videos/make-acme';
import { DAY_MS, makeBusyAccount } from './make-busy-account';

let acme: Acme;
let account: Account;
let runningVideo: string;
beforeAll(async () => {
  acme = await makeBusyAccount();
  account = { orgId: acme.live.orgId, mode: 'live' };
  runningVideo = (await acme.submit(acme.live, { seconds: 10 })).id;
});
afterAll(async () => {
  await acme.settle();
  await acme.pass(6_000);
  await acme.close();
});

const nano = (text: string) => (text.startsWith('-') ? -parseUsd(text.slice(1)) : parseUsd(text));
const sum = (amounts: readonly string[]) => amounts.reduce((total, amount) => total + nano(amount), 0n);

/** All pages. */
async function readAll(filter: LedgerFilter = {}, limit = 3): Promise<LedgerEntryJson[]> {
  const entries: LedgerEntryJson[] = [];
  let after: string | undefined;
  do {
    const page = ledgerPageSchema.parse(await acme.gateway.usage.ledger.list(account, { filter, limit, after }));
    entries.push(...page.data);
    after = page.next ?? undefined;
  } while (after !== undefined);
  return entries;
}

describe('the ledger of an account', () => {
  it('has the balance after each entry across its pages: from the balance of the account down to zero', async () => {
    const { available, held } = await acme.gateway.accounts.credits(account);
    for (const limit of [1, 2, 7, 100]) {
      const entries = await readAll({}, limit);
      expect(entries[0]?.balance).toEqual({ available, held });
      for (const [at, entry] of entries.entries()) {
        const older = entries[at + 1]?.balance ?? { available: '0', held: '0' };
        expect(nano(entry.balance!.available) - nano(older.available)).toBe(nano(entry.available));
        expect(nano(entry.balance!.held) - nano(older.held)).toBe(nano(entry.held));
      }
      expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
    }
  });

  it('says what caused each entry, and which key it was', async () => {
    const entries = await readAll();
    expect(new Set(entries.map(({ kind }) => kind))).toEqual(new Set(ledgerKinds.filter((kind) => kind !== 'adjust')));
    const causes = new Set(entries.map(({ cause }) => cause.kind));
    expect(causes).toEqual(new Set(['video', 'message', 'speech', 'transcription', 'transfer']));
    expect(entries[0]).toMatchObject({
      kind: 'hold',
      available: '-1',
      held: '1',
      charged: '0',
      cause: { kind: 'video', id: runningVideo, model: 'acme-t2v', deleted: false },
      hold: { state: 'open' },
      key: { id: acme.live.keyId, name: 'First live key' },
    });
    const charge = entries.find(
      ({ kind, cause }) => kind === 'capture' && cause.kind === 'message' && cause.count === 2,
    );
    expect(charge).toMatchObject({
      charged: '0.300000008',
      cause: { messages: [{ model: 'sandbox-text' }, { model: 'sandbox-text' }] },
    });
    const refund = entries.find(({ kind, charged }) => kind === 'refund' && charged === '-0.2');
    expect(refund).toMatchObject({ available: '0.2', cause: { kind: 'transfer', subject: null }, hold: null });
  });

  it.each(ledgerKinds)('filtered by %s has all of them and no other, without balances', async (kind) => {
    const all = await readAll();
    const some = await readAll({ kind }, 2);
    expect(some.map(({ id }) => id)).toEqual(all.flatMap((entry) => (entry.kind === kind ? [entry.id] : [])));
    expect(some.every(({ balance }) => balance === null)).toBe(true);
  });

  it('filtered by key, time or subject has the same entries as the whole', async () => {
    const all = await readAll();
    const expectSame = async (filter: LedgerFilter, belongs: (entry: LedgerEntryJson) => boolean) => {
      const expected = all.filter(belongs);
      expect(expected.length).toBeGreaterThan(0);
      expect((await readAll(filter, 4)).map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
    };
    await expectSame({ keyId: acme.live.keyId }, ({ key }) => key?.id === acme.live.keyId);
    const [from, to] = ['2026-11-22', '2026-11-23'].map((day) => new Date(`${day}T00:00:00Z`));
    const isOn = ({ created_at: at }: LedgerEntryJson) => at * 1000 >= from!.getTime() && at * 1000 < to!.getTime();
    await expectSame({ from, to }, isOn);
    await expectSame({ subject: runningVideo }, ({ cause }) => cause.kind === 'video' && cause.id === runningVideo);
    const message = all.flatMap(({ cause }) => (cause.kind === 'message' ? cause.messages : []))[0]!;
    await expectSame(
      { subject: message.id },
      ({ cause }) =>
        (cause.kind === 'message' && cause.messages.some(({ id }) => id === message.id)) ||
        (cause.kind === 'transfer' && cause.subject === message.id),
    );
    const speech = all.flatMap(({ cause }) => (cause.kind === 'speech' ? [cause] : []))[0]!;
    for (const subject of [speech.id, speech.session!])
      await expectSame({ subject }, ({ cause }) => cause.kind === 'speech' && cause.id === speech.id);
    const { hold } = all[0]!;
    await expectSame({ subject: hold!.id }, (entry) => entry.hold?.id === hold!.id);
    expect(await readAll({ subject: 'msg_unknown' })).toEqual([]);
    await expectSame({ from: new Date(0), to: new Date('9999-12-31T23:59:59Z') }, () => true);
  });

  it('of the open holds has exactly what is held', async () => {
    const { held } = await acme.gateway.accounts.credits(account);
    const open = await readAll({ open: true });
    expect(open).toHaveLength(1);
    expect(sum(open.map((entry) => entry.held))).toBe(nano(held));
  });

  it('finds the entries of a time among many thousands of others', async () => {
    const before = await readAll({ to: new Date('2026-11-22T00:00:00Z') }, 100);
    await acme.db.query(
      `insert into ledger_entries (transfer_id, kind, org_id, mode, bucket, amount_nano_usd, created_at)
       select 'tr_' || n / 2, 'grant', $1, 'live', case n % 2 when 0 then 'world' else 'available' end, case n % 2 when 0 then 1 else -1 end, timestamptz '2026-11-25' + n / 2 * interval '2 minutes'
       from generate_series(2, 20001) n`,
      [account.orgId],
    );
    expect(await readAll({ to: new Date('2026-11-22T00:00:00Z') }, 100)).toEqual(before);
    const from = new Date('2026-11-26T00:00:00Z');
    const to = new Date('2026-11-26T01:00:00Z');
    expect(await readAll({ from, to }, 7)).toHaveLength(30);
    await acme.db.query(`delete from ledger_entries where transfer_id ~ '^tr_[0-9]{1,5}$'`);
  });

  it('finds the entries of a key with a few holds and of one with thousands', async () => {
    const few = await readAll({ keyId: acme.live.keyId }, 100);
    await acme.db.query(
      `with made as (
         insert into holds (id, org_id, mode, key_id, subject_kind, subject_id, amount_nano_usd, state, resolved_at)
         select 'hold_busy' || n, $1, 'live', 'key_busy', 'video', 'video_busy' || n, 1, 'released', now() from generate_series(1, 4000) n
         returning id
       )
       insert into ledger_entries (transfer_id, kind, org_id, mode, bucket, amount_nano_usd, hold_id)
       select 'tr_' || id, 'release', $1, 'live', bucket, case bucket when 'held' then -1 else 1 end, id
       from made, unnest(array['held', 'available']) bucket order by id, bucket`,
      [account.orgId],
    );
    expect(await readAll({ keyId: acme.live.keyId }, 100)).toEqual(few);
    const many = await readAll({ keyId: 'key_busy' as KeyId }, 100);
    expect(new Set(many.map(({ id }) => id)).size).toBe(4_000);
    expect(many).toHaveLength(4_000);
    await acme.db.query(`delete from ledger_entries where hold_id like 'hold\\_busy%'`);
    await acme.db.query(`delete from holds where key_id = 'key_busy'`);
  });

  it('as CSV has a header and a line for each entry, and no formulas', async () => {
    const lines: string[] = [];
    for await (const line of acme.gateway.usage.ledger.listCsv(account, {})) lines.push(line);
    expect(lines[0]).toMatch(/^created_at,kind,available_usd,held_usd,charged_usd,/);
    expect(lines).toHaveLength((await readAll()).length + 1);
    expect(lines.join('')).toContain(`"'=A reason, with ""quotes"""`);
  });

  it('refuses a cursor that is not one, and shows nothing of another organisation', async () => {
    await expect(acme.gateway.usage.ledger.list(account, { filter: {}, limit: 3, after: 'x' })).rejects.toMatchObject({
      code: 'unsupported_value',
    });
    const stranger = await acme.stranger('Neighbours');
    const page = await acme.gateway.usage.ledger.list(stranger, { filter: { subject: runningVideo }, limit: 9 });
    expect(page).toEqual({ object: 'list', data: [], next: null });
    const own = await acme.gateway.usage.ledger.list(stranger, { filter: {}, limit: 9 });
    expect(own.data.map(({ kind }) => kind)).toEqual(['grant']);
  });
});

describe('the ledger of an account whose oldest entries were deleted by age', () => {
  it('can be read to its end, with balances only where no entry is missing', async () => {
    const old = await makeAcme();
    const { live } = old;
    const grant = () => transfer(old, live, { amount: '10' });
    await grant();
    for (const dollars of ['17', '9', '4']) await createWork(old).messages(live, [parseUsd(dollars)]);
    await grant();
    await old.pass(2 * DAY_MS);
    await grant();
    await createWork(old).messages(live, [parseUsd('3')]);
    await deleteOldWork(old.db, new Date(old.clock.nowMs() - DAY_MS), 100);

    const entries: LedgerEntryJson[] = [];
    let after: string | undefined;
    do {
      const page = await old.gateway.usage.ledger.list(live, { filter: {}, limit: 1, after });
      entries.push(...ledgerPageSchema.parse(page).data);
      after = page.next ?? undefined;
    } while (after !== undefined);
    expect(entries.map(({ kind, balance }) => [kind, balance?.available])).toEqual([
      ['capture', '22'],
      ['hold', '19'],
      ['grant', '25'],
      // Charges of $30 came between the first of these and the others.
      ['grant', undefined],
      ['grant', undefined],
      ['grant', undefined],
    ]);
    const lines: string[] = [];
    for await (const line of old.gateway.usage.ledger.listCsv(live, {})) lines.push(line);
    expect(lines).toHaveLength(entries.length + 1);
    await old.close({ checked: false });
  });
});
