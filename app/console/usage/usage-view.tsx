'use client';

import { ChartColumn } from 'lucide-react';
import Link from 'next/link';
import type { ReactNode } from 'react';
import useSWR from 'swr';
import type { AlertListJson } from '../../../lib/contract/alerts';
import type { CreditsJson } from '../../../lib/contract/credits';
import type { UsageJson } from '../../../lib/contract/usage';
import type { Mode } from '../../../lib/domain/video';
import type { NamedKey } from '../components/list/key-filter';
import { AlertNotes } from '../components/credits/alert-notes';
import { RefillButton } from '../components/credits/refill-button';
import { ListError, StaleError } from '../components/shell/request-error';
import { buttonClass } from '../components/ui/button-class';
import { Card, Section } from '../components/ui/card';
import { EmptyState, NoMatch } from '../components/ui/list-states';
import { linkClass } from '../components/ui/link-class';
import { Money, usdCents } from '../components/ui/money';
import { SkeletonRows } from '../components/ui/skeleton';
import { useUrlState } from '../components/ui/use-url-state';
import { useCredits } from '../components/credits/use-credits';
import { ask } from '../console-api';
import { apiPaths } from '../api-paths';
import { paths } from '../paths';
import { CsvLink } from '../components/list/csv-link';
import { PerformanceSection } from './performance-section';
import { UsageChart } from './usage-chart';
import { DIMENSIONS, isNarrowed, NO_FILTER, parseUsageFilter, usagePath } from './usage-filter';
import { UsageFilters } from './usage-filters';
import { grouped } from '../components/ui/numbers';
import { UsageNav } from './usage-nav';
import { errorRateLabel, GroupTable, PeriodTable } from './usage-tables';
import { PageHeading } from '../components/ui/page-heading';

const REFRESH_INTERVAL_MS = 15_000;
/** The refresh interval of the balance. It is short, because the balance is a single row. */
const BALANCE_INTERVAL_MS = 2_000;

export interface UsageViewProps {
  readonly mode: Mode;
  /** The current day in UTC when the page was rendered, as an ISO date. */
  readonly today: string;
  /** The API path for the page's query and the response to it; undefined if the query is invalid. */
  readonly initial: { readonly path: string; readonly found: UsageJson } | undefined;
  readonly credits: CreditsJson;
  readonly alerts: AlertListJson;
  readonly mayRefill: boolean;
  readonly models: readonly string[];
  readonly providers: readonly string[];
  readonly keys: readonly NamedKey[];
}

export function UsageView({ mode, today, initial, mayRefill, models, providers, keys, ...first }: UsageViewProps) {
  const { query, change } = useUrlState();
  const filter = parseUsageFilter(query, today);
  const path = usagePath(mode, filter);
  const { data, error, isLoading, isValidating, mutate } = useSWR<UsageJson, unknown>(
    path,
    (wanted: string) => ask(wanted),
    {
      ...(path === initial?.path ? { fallbackData: initial.found } : {}),
      keepPreviousData: true,
      refreshInterval: REFRESH_INTERVAL_MS,
    },
  );
  const credits = useCredits(mode, first.credits, BALANCE_INTERVAL_MS);
  const alerts = useSWR(apiPaths.alerts(mode), (wanted) => ask<AlertListJson>(wanted), { fallbackData: first.alerts });
  const dimension = DIMENSIONS.find(([name]) => name === filter.by)?.[1] ?? 'Model';
  const isEmpty = data && data.groups.length === 0;

  return (
    <>
      <PageHeading
        title="Usage"
        description={<>Usage and its cost in {mode} mode. Days are in UTC.</>}
        actions={
          <div className="flex items-center gap-3">
            <dl className="flex items-center gap-3 text-right text-sm">
              <div>
                <dt className="text-xs text-muted">Available</dt>
                <dd className="font-medium">
                  <Money amount={credits.data.available} />
                </dd>
              </div>
              <div>
                <dt className="text-xs text-muted">Held</dt>
                <dd className="font-medium">
                  <Link
                    href={paths.ledger({ open: 'true' })}
                    prefetch={false}
                    className={linkClass}
                    title="Ledger entries of the open holds"
                  >
                    {usdCents(credits.data.held)}
                  </Link>
                </dd>
              </div>
            </dl>
            {mayRefill && <RefillButton credits={credits.data} onRefill={credits.refill} />}
          </div>
        }
        nav={<UsageNav />}
      />

      <div className="flex flex-col gap-6">
        <AlertNotes alerts={alerts.data} />
        <UsageFilters
          filter={filter}
          models={models}
          providers={providers}
          keys={keys}
          onChange={(changes) => change(changes)}
        />
        {data && <StaleError error={error} onRetry={() => void mutate()} />}
        {!data && error !== undefined && <ListError error={error} busy={isLoading} onRetry={() => void mutate()} />}
        {!data && error === undefined && <SkeletonRows rows={6} label="Loading usage" />}
        {isEmpty &&
          (isNarrowed(filter) ? (
            <NoMatch noun="requests" onClear={() => change(NO_FILTER)} />
          ) : (
            <EmptyState
              icon={ChartColumn}
              title="No usage in this period"
              description="Requests appear here when they have ended, on the day of their charge."
            >
              <Link href={paths.playground()} prefetch={false} className={buttonClass({ variant: 'primary' })}>
                Create a video
              </Link>
            </EmptyState>
          ))}
        {data && !isEmpty && (
          <div aria-busy={isValidating && data.by !== filter.by} className="flex flex-col gap-8">
            <Totals usage={data} />
            <UsageChart usage={data} measure={filter.measure} today={today} onSelect={selectPeriod} />
            <Section
              id="groups"
              title={`By ${dimension.toLowerCase()}`}
              actions={<CsvLink path={usagePath(mode, filter, 'csv')} label="usage" />}
            >
              <GroupTable usage={data} dimension={dimension} onNarrow={narrowTo} />
            </Section>
            <PeriodTable usage={data} today={today} onSelect={selectPeriod} />
            <PerformanceSection mode={mode} filter={filter} />
          </div>
        )}
      </div>
    </>
  );

  function selectPeriod(from: string, to: string): void {
    change({ range: 'dates', from, to, interval: undefined });
  }

  /** Filters by a group. Groups by person cannot be filtered. */
  function narrowTo(id: string): void {
    if (filter.by !== 'person') change({ [filter.by]: id });
  }
}

function Totals({ usage }: { readonly usage: UsageJson }) {
  const { total } = usage;
  const tokens = total.input_tokens + total.cache_read_tokens + total.cache_write_tokens + total.output_tokens;
  return (
    <Card>
      <dl className="grid grid-cols-2 sm:grid-cols-3 xl:grid-cols-5">
        <Figure
          title="Spent"
          description={
            total.refunded === '0' ? (
              `${usage.from} – ${usage.to}`
            ) : (
              <>
                after refunds of <Money amount={total.refunded} />
              </>
            )
          }
        >
          <Money amount={total.spent} />
        </Figure>
        <Figure title="Requests" description={`${grouped(total.succeeded)} succeeded`}>
          {grouped(total.requests)}
        </Figure>
        <Figure
          title="Error rate"
          description={`${grouped(total.failed)} failed${total.excused > 0 ? `, ${grouped(total.excused)} not counted` : ''}`}
        >
          {errorRateLabel(total)}
        </Figure>
        <Figure title="Tokens" description={`${grouped(total.output_tokens)} of output`}>
          {grouped(tokens)}
        </Figure>
        <Figure title="Video and audio" description={`${grouped(total.characters)} characters spoken`}>
          {grouped(Math.round(total.media_seconds))} s
        </Figure>
      </dl>
    </Card>
  );
}

function Figure({
  title,
  description,
  children,
}: {
  readonly title: string;
  readonly description: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <div className="min-w-0 border-line p-4 not-last:border-r sm:p-5">
      <dt className="truncate text-sm text-muted">{title}</dt>
      <dd className="mt-0.5 truncate text-xl leading-8 font-medium tracking-[-0.015em] tabular-nums">{children}</dd>
      <dd className="text-xs text-pretty text-muted">{description}</dd>
    </div>
  );
}
