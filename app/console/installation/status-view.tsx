'use client';

import { CircleAlert, CircleCheck, CirclePause, FileJson, Hourglass } from 'lucide-react';
import useSWR from 'swr';
import type { InstallationStatusJson } from '../../../lib/contract/installation';
import { NavLink } from '../components/shell/page-transition';
import { StaleError } from '../components/shell/request-error';
import { Card, Section } from '../components/ui/card';
import { Chip } from '../components/ui/chip';
import { elapsed, milliseconds } from '../components/ui/elapsed';
import { Fact, Facts } from '../components/ui/facts';
import { linkClass } from '../components/ui/link-class';
import { grouped } from '../components/ui/numbers';
import { PageHeading } from '../components/ui/page-heading';
import { Cell, Row, Table } from '../components/ui/table';
import { TimeAgo } from '../components/ui/time-ago';
import { ask } from '../console-api';
import { apiPaths } from '../api-paths';
import { paths } from '../paths';
import { InstallationNav } from './installation-nav';

const REFRESH_INTERVAL_MS = 5_000;

const QUEUE_COLUMNS = [
  { title: 'Kind' },
  { title: 'Waiting', align: 'right' },
  { title: 'Oldest', align: 'right' },
  { title: 'Running', align: 'right' },
  { title: 'Scheduled', align: 'right' },
  { title: 'Failing', align: 'right' },
] as const;
const RUNNING_COLUMNS = [{ title: 'Job' }, { title: 'Of' }, { title: 'Place' }, { title: 'Mode' }] as const;
const CIRCUIT_COLUMNS = [{ title: 'Provider' }, { title: 'State' }, { title: 'Until' }] as const;

/** The state of the installation, refreshed every few seconds. */
export function StatusView({ initial }: { readonly initial: InstallationStatusJson }) {
  const { data, error, mutate } = useSWR(
    apiPaths.installationStatus(),
    (path: string) => ask<InstallationStatusJson>(path),
    { fallbackData: initial, refreshInterval: REFRESH_INTERVAL_MS },
  );
  return (
    <>
      <PageHeading
        title="Status"
        description="The queue covers all processes. Load, provider health and the catalog file are from the process that answered."
        nav={<InstallationNav />}
      />
      <div className="flex flex-col gap-8">
        <StaleError error={error} onRetry={() => void mutate()} />
        <ProcessFacts of={data} />
        <Queue of={data.queue} />
        <Circuits of={data.circuits} />
        <CatalogFile of={data.catalog_file} />
      </div>
    </>
  );
}

function ProcessFacts({ of: { versions, process, health, providers } }: { readonly of: InstallationStatusJson }) {
  const isOverloaded = process.overloaded.live || process.overloaded.test;
  return (
    <Facts>
      <Fact name="Patchbay">{versions.patchbay}</Fact>
      <Fact name="Node.js">{versions.node}</Fact>
      <Fact name="Started">
        <TimeAgo at={process.started_at} />
      </Fact>
      <Fact name="Role">{process.role}</Fact>
      <Fact name="Database">
        <Connection connected={health.database.connected} error={health.database.error} />
      </Fact>
      <Fact name="Redis">
        {health.redis.error.startsWith('not configured') ? (
          <span className="text-muted">Not configured</span>
        ) : (
          <Connection connected={health.redis.connected} error={health.redis.error} />
        )}
      </Fact>
      <Fact name="New work">
        {isOverloaded ? (
          <Chip tone="bad" icon={CircleAlert}>
            {process.overloaded.live ? 'Refused' : 'Test refused'}
          </Chip>
        ) : (
          <Chip tone="good" icon={CircleCheck}>
            Accepted
          </Chip>
        )}
      </Fact>
      <Fact name="Event loop delay">{milliseconds(process.event_loop_delay_ms)}</Fact>
      <Fact name="Waiting queries">{grouped(process.waiting_queries)}</Fact>
      <Fact name="Providers offered">
        <NavLink href={paths.installedProviders()} title="Providers" className={linkClass}>
          {providers.offered} of {providers.known}
        </NavLink>
      </Fact>
    </Facts>
  );
}

function Connection({ connected, error }: { readonly connected: boolean; readonly error: string }) {
  return connected ? (
    <Chip tone="good" icon={CircleCheck}>
      Connected
    </Chip>
  ) : (
    <>
      <Chip tone="bad" icon={CircleAlert}>
        Not connected
      </Chip>
      <span className="block text-xs text-muted">{error}</span>
    </>
  );
}

function Queue({ of: { kinds, running } }: { readonly of: InstallationStatusJson['queue'] }) {
  return (
    <>
      <Section
        id="queue"
        title="Queue"
        description="Waiting jobs are due now. The last run of a failing job ended without an outcome; the job will be tried again."
      >
        <Card>
          <Table label="Queue" columns={QUEUE_COLUMNS}>
            {kinds.map((each) => (
              <Row key={each.kind}>
                <Cell full>
                  <code className="font-mono text-xs">{each.kind}</code>
                </Cell>
                <Cell name="Waiting" align="right" className="tabular-nums">
                  {grouped(each.waiting)}
                </Cell>
                <Cell name="Oldest" align="right" className="tabular-nums">
                  {each.oldest_wait_seconds === null ? (
                    <span className="text-muted">–</span>
                  ) : (
                    elapsed(each.oldest_wait_seconds)
                  )}
                </Cell>
                <Cell name="Running" align="right" className="tabular-nums">
                  {grouped(each.running)}
                </Cell>
                <Cell name="Scheduled" align="right" className="tabular-nums">
                  {grouped(each.scheduled)}
                </Cell>
                <Cell name="Failing" align="right" className="tabular-nums">
                  <span className={each.failing > 0 ? 'font-medium text-bad' : ''}>{grouped(each.failing)}</span>
                </Cell>
              </Row>
            ))}
          </Table>
        </Card>
      </Section>
      <Section id="running" title="Running jobs" description="At most 50 of them.">
        {running.length === 0 ? (
          <p className="text-sm text-muted">No job runs at this moment.</p>
        ) : (
          <Card>
            <Table label="Running jobs" columns={RUNNING_COLUMNS}>
              {running.map((job) => (
                <Row key={`${job.kind} ${job.subject}`}>
                  <Cell full>
                    <code className="block font-mono text-xs">{job.kind}</code>
                    <code className="block font-mono text-2xs break-all text-muted">{job.subject}</code>
                  </Cell>
                  <Cell name="Of">
                    <NavLink
                      href={paths.installedOrganization(job.organization)}
                      title="Organisation"
                      className={`${linkClass} font-mono text-2xs break-all`}
                    >
                      {job.organization}
                    </NavLink>
                  </Cell>
                  <Cell name="Place">{job.place}</Cell>
                  <Cell name="Mode">{job.mode}</Cell>
                </Row>
              ))}
            </Table>
          </Card>
        )}
      </Section>
    </>
  );
}

const CIRCUITS = {
  open: { tone: 'bad', icon: CircleAlert, word: 'Not called' },
  half_open: { tone: 'warn', icon: Hourglass, word: 'On trial' },
  cooling: { tone: 'info', icon: CirclePause, word: 'Called last' },
} as const;

function Circuits({ of: circuits }: { readonly of: InstallationStatusJson['circuits'] }) {
  return (
    <Section
      id="circuits"
      title="Provider health"
      description="Models of providers that failed or asked for a pause, as this process saw it."
    >
      {circuits.length === 0 ? (
        <p className="flex items-center gap-2 text-sm text-muted">
          <CircleCheck size={15} className="text-good" aria-hidden="true" /> No provider is paused.
        </p>
      ) : (
        <Card>
          <Table label="Provider health" columns={CIRCUIT_COLUMNS}>
            {circuits.map(({ provider, model, own_account: ownAccount, state, until }) => {
              const { tone, icon, word } = CIRCUITS[state];
              return (
                <Row key={`${provider} ${model} ${ownAccount}`}>
                  <Cell full>
                    <span className="block font-medium">{provider}</span>
                    <span className="block font-mono text-xs text-muted">{model}</span>
                    {ownAccount !== null && (
                      <span className="block text-xs text-muted">
                        Own account <code className="font-mono text-2xs">{ownAccount}</code>
                      </span>
                    )}
                  </Cell>
                  <Cell name="State">
                    <Chip tone={tone} icon={icon}>
                      {word}
                    </Chip>
                  </Cell>
                  <Cell name="Until">{until === null ? '–' : <TimeAgo at={until} />}</Cell>
                </Row>
              );
            })}
          </Table>
        </Card>
      )}
    </Section>
  );
}

function CatalogFile({ of: file }: { readonly of: InstallationStatusJson['catalog_file'] }) {
  return (
    <Section id="catalog-file" title="Catalog file">
      {file === null ? (
        <p className="text-sm text-muted">
          None is set. With <code className="font-mono text-xs">CATALOG_FILE</code> you add models and change prices.
        </p>
      ) : (
        <>
          <p className="flex flex-wrap items-center gap-2 text-sm">
            <FileJson size={15} aria-hidden="true" className="text-muted" />
            <code className="font-mono text-xs break-all">{file.path}</code>
            {file.errors.length === 0 ? (
              <Chip tone="good" icon={CircleCheck}>
                In force
              </Chip>
            ) : (
              <Chip tone="bad" icon={CircleAlert}>
                {file.errors.length === 1 ? '1 error' : `${file.errors.length} errors`}
              </Chip>
            )}
          </p>
          {file.errors.length > 0 && (
            <div className="mt-3 rounded-xl border border-bad/30 bg-bad/8 px-4 py-3 text-sm">
              <p className="mb-1.5">The previous catalog stays in force until these errors are corrected:</p>
              <ul className="list-disc space-y-1 pl-5 break-words">
                {file.errors.map((each) => (
                  <li key={each}>{each}</li>
                ))}
              </ul>
            </div>
          )}
        </>
      )}
    </Section>
  );
}
