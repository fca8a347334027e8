'use client';

import Link from 'next/link';
import { Fragment } from 'react';
import useSWR from 'swr';
import type { PerformanceJson } from '../../../lib/contract/usage';
import type { Mode } from '../../../lib/domain/video';
import { ListError } from '../components/shell/request-error';
import { Section } from '../components/ui/card';
import { milliseconds } from '../components/ui/elapsed';
import { FoldedCard } from '../components/ui/fold';
import { linkClass } from '../components/ui/link-class';
import { SkeletonRows } from '../components/ui/skeleton';
import { Cell, Row, Table } from '../components/ui/table';
import { ask } from '../console-api';
import { paths } from '../paths';
import { CsvLink } from '../components/list/csv-link';
import { performancePath, type UsageFilter } from './usage-filter';
import { grouped, percent } from '../components/ui/numbers';

type Percentiles = PerformanceJson['models'][number]['duration'];

const COLUMNS = [
  { title: 'Model' },
  { title: 'Requests', align: 'right' },
  { title: 'Error rate', align: 'right' },
  { title: 'First content p50 / p95', align: 'right' },
  { title: 'Total p50 / p95 / p99', align: 'right' },
] as const;

/** The error rate and speed of each model, loaded after the page. */
export function PerformanceSection({ mode, filter }: { readonly mode: Mode; readonly filter: UsageFilter }) {
  const path = performancePath(mode, filter);
  const { data, error, isLoading, mutate } = useSWR<PerformanceJson, unknown>(path, (wanted: string) => ask(wanted), {
    keepPreviousData: true,
  });
  return (
    <Section
      id="performance"
      title="Errors and speed"
      description="Videos that were cancelled, or refused for their content or media, do not count as errors. Times are for successful requests and accurate to 5 %."
      actions={<CsvLink path={performancePath(mode, filter, 'csv')} label="errors and speed" />}
    >
      {!data && error !== undefined && <ListError error={error} busy={isLoading} onRetry={() => void mutate()} />}
      {!data && error === undefined && <SkeletonRows rows={3} label="Loading errors and speed" />}
      {data && (
        <FoldedCard rows={data.models}>
          {(models) => (
            <Table label="Errors and speed by model" columns={COLUMNS}>
              {models.map((model) => (
                <Row key={model.model}>
                  <Cell full className="max-w-72 truncate font-medium">
                    {model.model}
                  </Cell>
                  <Cell name="Requests" align="right" className="text-muted tabular-nums">
                    {grouped(model.requests)}
                  </Cell>
                  <Cell name="Error rate" align="right" className="tabular-nums">
                    <ErrorRate of={model} report={data} />
                  </Cell>
                  <Cell
                    name="First content p50 / p95"
                    align="right"
                    className="tabular-nums @4xl/table:whitespace-nowrap"
                  >
                    <Times of={model.first_content} shares={['p50', 'p95']} />
                  </Cell>
                  <Cell
                    name="Total p50 / p95 / p99"
                    full
                    align="right"
                    className="tabular-nums @4xl/table:whitespace-nowrap"
                  >
                    <Times of={model.duration} shares={['p50', 'p95', 'p99']} />
                  </Cell>
                </Row>
              ))}
            </Table>
          )}
        </FoldedCard>
      )}
    </Section>
  );
}

/** The error rate. It links to all failed requests of the model, including those that the rate does not count. */
function ErrorRate({
  of: { model, failed, error_rate: rate },
  report: { mode, from, to },
}: {
  readonly of: PerformanceJson['models'][number];
  readonly report: PerformanceJson;
}) {
  const text = rate === null ? '–' : percent(rate);
  if (failed === 0) return text;
  return (
    <Link
      href={paths.requests({ mode, status: 'failed', model, period: 'dates', from, to })}
      prefetch={false}
      className={linkClass}
      title={`Show the failed requests (${grouped(failed)})`}
    >
      {text}
      <span className="sr-only"> failed requests of {model}</span>
    </Link>
  );
}

function Times({ of, shares }: { readonly of: Percentiles; readonly shares: readonly ('p50' | 'p95' | 'p99')[] }) {
  if (!of) return <span className="text-muted">–</span>;
  return shares.map((share, place) => (
    <Fragment key={share}>
      {place > 0 && ' / '}
      <span className="whitespace-nowrap">{milliseconds(of[share] * 1_000)}</span>
    </Fragment>
  ));
}
