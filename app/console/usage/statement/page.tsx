import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import type { StatementJson } from '../../../../lib/contract/usage';
import { utcDay } from '../../../../lib/domain/clock';
import { isGatewayError } from '../../../../lib/domain/errors';
import { gateway } from '../../../../lib/runtime';
import { requirePerson } from '../../components/auth/current-person';
import { currentMode } from '../../components/shell/current-mode';
import { readQuietly } from '../../components/shell/read-quietly';
import { Shell } from '../../components/shell/shell';
import { Card, Section } from '../../components/ui/card';
import { usd } from '../../components/ui/money';
import { apiPaths } from '../../api-paths';
import { paths, withQuery } from '../../paths';
import { CsvLink } from '../../components/list/csv-link';
import { UsageNav } from '../usage-nav';
import { grouped } from '../../components/ui/numbers';
import { periodLabel } from '../usage-periods';
import { MonthPicker } from './month-picker';
import { PageHeading } from '../../components/ui/page-heading';

export const metadata: Metadata = { title: 'Statement' };

const MAX_MONTHS = 36;

export default async function StatementPage({
  searchParams,
}: {
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const query = await searchParams;
  const person = await requirePerson(withQuery(paths.statement(), query));
  const mode = await currentMode(query.mode);
  const { usage, clock } = gateway();
  const account = { orgId: person.orgId, mode };
  const current = utcDay(clock.nowMs()).slice(0, 7);
  const statement = await readQuietly(() => find(typeof query.month === 'string' ? query.month : current));
  const { month } = statement;
  return (
    <Shell person={person}>
      <PageHeading
        title="Statement"
        description={
          <>
            {statement.organization.name} · {mode} credits · {periodLabel(`${month}-01`, 'month')}, UTC
            {!statement.complete && ' · so far'}
          </>
        }
        actions={
          <div className="flex items-center gap-2" data-screen-only>
            <MonthPicker month={month} months={monthsBetween(statement.first_month ?? month, current)} />
            <CsvLink path={apiPaths.statement(month, mode, 'csv')} label="statement" />
          </div>
        }
        nav={<UsageNav />}
      />

      <div className="flex flex-col gap-8">
        <Balance of={statement} />
        <Lines title="By model" first="Model" lines={statement.models} />
        <Lines title="By key" first="Key" lines={statement.keys} />
        <Transfers of={statement} />
        <p className="text-xs text-muted">
          All amounts are in US dollars and exact. Work counts in the month of its charge, and a refund in its own
          month. The credits at the beginning and at the end include what was held for running work.
        </p>
      </div>
    </Shell>
  );

  /** An invalid month in the URL shows the current one. */
  async function find(wanted: string): Promise<StatementJson> {
    try {
      return await usage.statements.read(account, wanted);
    } catch (error) {
      if (isGatewayError(error)) return usage.statements.read(account, current);
      throw error;
    }
  }
}

/** The newest first. */
function monthsBetween(first: string, last: string): readonly string[] {
  const months: string[] = [];
  for (let month = last; month >= first && months.length < MAX_MONTHS; month = monthBefore(month)) months.push(month);
  return months;
}

function monthBefore(month: string): string {
  return utcDay(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5, 7)) - 2, 1)).slice(0, 7);
}

function Balance({ of: statement }: { readonly of: StatementJson }) {
  const negative = (amount: string) =>
    amount === '0' ? amount : amount.startsWith('-') ? amount.slice(1) : `-${amount}`;
  return (
    <Section id="balance" title="Balance">
      <Card>
        <dl className="text-sm tabular-nums">
          <Line title="Credits at the beginning" amount={statement.opening} />
          <Line title="Grants" amount={statement.granted} />
          <Line title="Adjustments" amount={statement.adjusted} />
          <Line title="Charges" amount={negative(statement.charged)} />
          <Line title="Refunds" amount={statement.refunded} />
          <Line title={statement.complete ? 'Credits at the end' : 'Credits now'} amount={statement.closing} strong />
        </dl>
      </Card>
    </Section>
  );
}

function Line({
  title,
  amount,
  strong = false,
}: {
  readonly title: string;
  readonly amount: string;
  readonly strong?: boolean;
}) {
  return (
    <div
      className={`flex justify-between gap-4 border-line px-4 py-2.5 not-last:border-b ${strong ? 'font-semibold' : ''}`}
    >
      <dt>{title}</dt>
      <dd>{usd(amount)}</dd>
    </div>
  );
}

type StatementLine = StatementJson['keys'][number];

function Lines({
  title,
  first,
  lines,
}: {
  readonly title: string;
  readonly first: string;
  readonly lines: readonly StatementLine[];
}) {
  return (
    <Section id={`by-${first.toLowerCase()}`} title={title}>
      {lines.length === 0 ? (
        <p className="text-sm text-muted">Nothing was charged in this month.</p>
      ) : (
        <StatementTable label={title} heads={[first, 'Requests', 'Charged', 'Refunded', 'Sum']}>
          {lines.map((line, place) => (
            <tr key={`${place} ${line.id}`} className="border-line not-last:border-b">
              <td className="px-4 py-2 break-all">{line.name}</td>
              <td className="px-2 py-2 text-right text-muted max-sm:hidden">{grouped(line.requests)}</td>
              <td className="px-2 py-2 text-right text-muted max-sm:hidden">{usd(line.charged)}</td>
              <td className="px-2 py-2 text-right text-muted max-sm:hidden">{usd(line.refunded)}</td>
              <td className="py-2 pr-4 pl-2 text-right font-medium whitespace-nowrap">{usd(line.spent)}</td>
            </tr>
          ))}
        </StatementTable>
      )}
    </Section>
  );
}

function Transfers({ of: { transfers } }: { readonly of: StatementJson }) {
  const names = { grant: 'Grant', adjust: 'Adjustment', refund: 'Refund' } as const;
  if (transfers.length === 0) return null;
  return (
    <Section id="transfers" title="Grants, adjustments and refunds">
      <StatementTable
        label="Grants, adjustments and refunds"
        heads={['Day', 'Kind', 'Reference', 'Reason', 'Amount']}
        isText
      >
        {transfers.map((transfer) => (
          <tr key={transfer.id} className="border-line not-last:border-b">
            <td className="px-4 py-2 whitespace-nowrap">{utcDay(transfer.created_at * 1000)}</td>
            <td className="px-2 py-2 max-sm:hidden">{names[transfer.kind]}</td>
            <td className="px-2 py-2 break-all text-muted max-sm:hidden">{transfer.reference}</td>
            <td className="px-2 py-2 text-muted max-sm:hidden">{transfer.reason}</td>
            <td className="py-2 pr-4 pl-2 text-right font-medium whitespace-nowrap">{usd(transfer.amount)}</td>
          </tr>
        ))}
      </StatementTable>
    </Section>
  );
}

/** A table for paper; on a phone only its first and last columns. */
function StatementTable({
  label,
  heads,
  isText = false,
  children,
}: {
  readonly label: string;
  readonly heads: readonly string[];
  /** The middle columns are texts, and not numbers. */
  readonly isText?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <Card>
      <table aria-label={label} className="w-full text-sm tabular-nums">
        <thead>
          <tr className="border-b border-line bg-sunken text-xs text-muted">
            {heads.map((head, place) => (
              <th
                key={head}
                scope="col"
                className={
                  place === 0
                    ? 'px-4 py-2 text-left font-medium'
                    : place === heads.length - 1
                      ? 'py-2 pr-4 pl-2 text-right font-medium'
                      : `px-2 py-2 font-medium max-sm:hidden ${isText ? 'text-left' : 'text-right'}`
                }
              >
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </Card>
  );
}
