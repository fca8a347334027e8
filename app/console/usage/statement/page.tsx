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
import { classNames } from '../../components/ui/class-names';
import { usd } from '../../../../lib/domain/money';
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
          All amounts are in US dollars and exact. A request counts in the month in which it was charged, a refund in
          the month in which it was made. The credits at the beginning and at the end include what was held for running
          work.
        </p>
      </div>
    </Shell>
  );

  /** Loads the statement. An invalid month in the URL is replaced by the current one. */
  async function find(wanted: string): Promise<StatementJson> {
    try {
      return await usage.statements.read(account, wanted);
    } catch (error) {
      if (isGatewayError(error)) return usage.statements.read(account, current);
      throw error;
    }
  }
}

/** Returns the months from `first` to `last`, newest first. */
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
        <StatementTable label={title} heads={[first, 'Requests', 'Charged', 'Refunded', 'Total']}>
          {lines.map((line, place) => (
            <StatementRow key={`${place} ${line.id}`}>
              <StatementCell className="break-all max-sm:font-medium">{line.name}</StatementCell>
              <StatementCell name="Requests" className="text-muted sm:text-right">
                {grouped(line.requests)}
              </StatementCell>
              <StatementCell name="Charged" className="text-muted sm:text-right">
                {usd(line.charged)}
              </StatementCell>
              <StatementCell name="Refunded" className="text-muted sm:text-right">
                {usd(line.refunded)}
              </StatementCell>
              <StatementCell name="Total" className="font-medium whitespace-nowrap sm:text-right">
                {usd(line.spent)}
              </StatementCell>
            </StatementRow>
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
          <StatementRow key={transfer.id}>
            <StatementCell className="whitespace-nowrap max-sm:font-medium">
              {utcDay(transfer.created_at * 1000)}
            </StatementCell>
            <StatementCell name="Kind">{names[transfer.kind]}</StatementCell>
            <StatementCell name="Reference" className="break-all text-muted">
              {transfer.reference}
            </StatementCell>
            <StatementCell name="Reason" className="wrap-break-word text-muted">
              {transfer.reason || '–'}
            </StatementCell>
            <StatementCell name="Amount" className="font-medium whitespace-nowrap sm:text-right">
              {usd(transfer.amount)}
            </StatementCell>
          </StatementRow>
        ))}
      </StatementTable>
    </Section>
  );
}

/**
 * A table that prints as a table; `Table` would turn into blocks on paper. On a phone each row becomes a block with
 * labelled cells.
 */
function StatementTable({
  label,
  heads,
  isText = false,
  children,
}: {
  readonly label: string;
  readonly heads: readonly string[];
  /** Whether the middle columns contain text instead of numbers. */
  readonly isText?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <Card>
      <table aria-label={label} className="w-full text-sm tabular-nums max-sm:block">
        <thead className="max-sm:sr-only">
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
                      : `px-2 py-2 font-medium ${isText ? 'text-left' : 'text-right'}`
                }
              >
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="max-sm:block">{children}</tbody>
      </table>
    </Card>
  );
}

function StatementRow({ children }: { readonly children: ReactNode }) {
  return (
    <tr className="border-line not-last:border-b max-sm:grid max-sm:grid-cols-2 max-sm:gap-x-4 max-sm:gap-y-2.5 max-sm:px-4 max-sm:py-3.5">
      {children}
    </tr>
  );
}

/** A cell of the statement. `name` is its label on a phone; a cell without one is the heading of the block. */
function StatementCell({
  name,
  className,
  children,
}: {
  readonly name?: string;
  readonly className?: string;
  readonly children: ReactNode;
}) {
  return (
    <td
      className={classNames(
        'min-w-0 sm:px-2 sm:py-2 sm:first:pl-4 sm:last:pr-4',
        name === undefined && 'max-sm:col-span-2',
        className,
      )}
    >
      {name !== undefined && <span className="mb-0.5 block text-2xs font-medium text-muted sm:hidden">{name}</span>}
      {children}
    </td>
  );
}
