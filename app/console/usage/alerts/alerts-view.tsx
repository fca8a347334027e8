'use client';

import { Bell, BellRing, Plus } from 'lucide-react';
import { useState } from 'react';
import useSWR from 'swr';
import type { AlertJson, AlertListJson } from '../../../../lib/contract/alerts';
import type { Mode } from '../../../../lib/domain/video';
import { StaleError } from '../../components/shell/request-error';
import { Button } from '../../components/ui/button';
import { Card } from '../../components/ui/card';
import { Chip } from '../../components/ui/chip';
import { EmptyState } from '../../components/ui/list-states';
import { Money } from '../../components/ui/money';
import { usd } from '../../../../lib/domain/money';
import { Cell, Row, Table } from '../../components/ui/table';
import { TimeAgo } from '../../components/ui/time-ago';
import { toast } from '../../components/ui/toast';
import { ask, send } from '../../console-api';
import { apiPaths } from '../../api-paths';
import { UsageNav } from '../usage-nav';
import { alertTitle } from './alert-words';
import { PageHeading } from '../../components/ui/page-heading';
import { onDemand } from '../../components/ui/on-demand';

// Each dialog loads when it is first opened.
const AlertDialog = onDemand(() => import('./alert-dialog').then((module) => module.AlertDialog));
const ConfirmDialog = onDemand(() =>
  import('../../components/ui/confirm-dialog').then((module) => module.ConfirmDialog),
);

const REFRESH_INTERVAL_MS = 15_000;

const COLUMNS = [
  { title: 'Alert' },
  { title: 'Now', align: 'right' },
  { title: 'State' },
  { title: 'Actions', hidden: true, align: 'right' },
] as const;

type Opened = { readonly dialog: 'add' } | { readonly dialog: 'change' | 'remove'; readonly of: AlertJson };

/** The alerts of the organisation. Without `mayManage` the list is read-only. */
export function AlertsView({
  mode,
  initial,
  mayManage,
}: {
  readonly mode: Mode;
  readonly initial: AlertListJson;
  readonly mayManage: boolean;
}) {
  const { data, error, mutate } = useSWR(apiPaths.alerts(mode), (path: string) => ask<AlertListJson>(path), {
    fallbackData: initial,
    refreshInterval: REFRESH_INTERVAL_MS,
  });
  const [opened, setOpened] = useState<Opened>();
  const close = () => setOpened(undefined);
  const add = (
    <Button variant="primary" data-new onClick={() => setOpened({ dialog: 'add' })}>
      <Plus size={15} aria-hidden="true" /> Add an alert
    </Button>
  );

  return (
    <>
      <PageHeading
        title="Alerts"
        description={
          data.mail
            ? `The owners of the organisation get an e-mail when ${mode} credits run low or spending is high.`
            : 'This installation sends no e-mails (SMTP_URL is not set), so alerts are shown only in the console.'
        }
        actions={mayManage && data.data.length > 0 && add}
        nav={<UsageNav />}
      />

      <div className="flex flex-col gap-4">
        <StaleError error={error} onRetry={() => void mutate()} />
        {data.data.length === 0 ? (
          <EmptyState
            icon={Bell}
            title={`No alerts for ${mode} credits`}
            description="An alert is sent once when the credits fall below an amount, or when an amount was spent in a day or month. It does not stop requests."
          >
            {mayManage && add}
          </EmptyState>
        ) : (
          <Card>
            <Table label="Alerts" columns={COLUMNS}>
              {data.data.map((alert) => (
                <Row key={alert.id}>
                  <Cell full className="font-medium">
                    {alertTitle(alert.kind)} {usd(alert.amount)}
                  </Cell>
                  <Cell name="Now" align="right">
                    <Money amount={alert.value} />
                  </Cell>
                  <Cell name="State">
                    <State of={alert} />
                  </Cell>
                  <Cell full align="right" className="whitespace-nowrap">
                    {mayManage && (
                      <span className="inline-flex gap-1">
                        <Button
                          size="small"
                          aria-label={`Change: ${alertTitle(alert.kind)} ${usd(alert.amount)}`}
                          onClick={() => setOpened({ dialog: 'change', of: alert })}
                        >
                          Change
                        </Button>
                        <Button
                          size="small"
                          variant="quiet"
                          aria-label={`Remove: ${alertTitle(alert.kind)} ${usd(alert.amount)}`}
                          onClick={() => setOpened({ dialog: 'remove', of: alert })}
                        >
                          Remove
                        </Button>
                      </span>
                    )}
                  </Cell>
                </Row>
              ))}
            </Table>
          </Card>
        )}
      </div>
      {(opened?.dialog === 'add' || opened?.dialog === 'change') && (
        <AlertDialog
          mode={mode}
          of={opened.dialog === 'change' ? opened.of : undefined}
          onSaved={() => mutate()}
          onClose={close}
        />
      )}
      {opened?.dialog === 'remove' && (
        <ConfirmDialog
          title="Remove this alert?"
          confirmLabel="Remove alert"
          fallbackError="The alert could not be removed. Try again."
          onClose={close}
          onConfirm={async () => {
            await send('DELETE', apiPaths.alert(opened.of.id));
            await mutate();
            toast('The alert was removed.');
            close();
          }}
        >
          <p className="text-sm">
            The e-mails and banners of “{alertTitle(opened.of.kind)} {usd(opened.of.amount)}” stop.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}

function State({ of: alert }: { readonly of: AlertJson }) {
  if (!alert.crossed)
    return (
      <Chip tone="neutral" icon={Bell}>
        Waiting
      </Chip>
    );
  return (
    <span className="flex flex-wrap items-center gap-2">
      <Chip tone="warn" icon={BellRing}>
        Crossed
      </Chip>
      {alert.announced_at !== null && (
        <span className="text-xs text-muted">
          <TimeAgo at={alert.announced_at} />
        </span>
      )}
    </span>
  );
}
