'use client';

import { Plus, Webhook } from 'lucide-react';
import { useState } from 'react';
import useSWR from 'swr';
import type {
  DeliveryPageJson,
  EndpointJson,
  EndpointListJson,
  ReceiverListJson,
} from '../../../lib/contract/webhooks';
import type { Mode } from '../../../lib/domain/video';
import { StaleError } from '../components/shell/request-error';
import { Button } from '../components/ui/button';
import { Card, Section } from '../components/ui/card';
import { EmptyState } from '../components/ui/list-states';
import { Cell, Row, Table } from '../components/ui/table';
import { toast } from '../components/ui/toast';
import { WebhookSecretSection } from '../components/webhook/webhook-secret-section';
import { ask, send } from '../console-api';
import { apiPaths } from '../api-paths';
import { Deliveries } from './deliveries';
import { EndpointMenu } from './endpoint-menu';
import { Health, LastAttempt, NewestDeliveries } from './receiver-health';
import { PageHeading } from '../components/ui/page-heading';
import { onDemand } from '../components/ui/on-demand';

// Each dialog loads when it is first opened.
const EndpointDialog = onDemand(() => import('./endpoint-dialog').then((module) => module.EndpointDialog));
const EndpointSecretDialog = onDemand(() =>
  import('./endpoint-secret-dialog').then((module) => module.EndpointSecretDialog),
);
const TestDialog = onDemand(() => import('./test-dialog').then((module) => module.TestDialog));
const ConfirmDialog = onDemand(() => import('../components/ui/confirm-dialog').then((module) => module.ConfirmDialog));

const REFRESH_INTERVAL_MS = 5_000;

const RECEIVER_COLUMNS = [{ title: 'Health' }, { title: 'Last attempt' }, { title: 'Newest deliveries' }] as const;
const ENDPOINT_COLUMNS = [
  { title: 'Endpoint' },
  { title: 'Events' },
  ...RECEIVER_COLUMNS,
  { title: 'Actions', hidden: true, align: 'right' },
] as const;

type Opened =
  { readonly dialog: 'add' } | { readonly dialog: 'change' | 'secret' | 'test' | 'remove'; readonly of: EndpointJson };

export interface WebhooksViewProps {
  readonly mode: Mode;
  readonly endpoints: EndpointListJson;
  readonly receivers: ReceiverListJson;
  /** The API path for the page's query and the response to it; undefined if the query is invalid. */
  readonly deliveries: { readonly path: string; readonly found: DeliveryPageJson } | undefined;
  /** Whether the user may change endpoints; otherwise everything is read-only. */
  readonly mayEdit: boolean;
  /** Whether OUTBOUND_ALLOW contains addresses of the gateway's own machine. */
  readonly mayCallThisMachine: boolean;
}

export function WebhooksView({ mode, mayEdit, mayCallThisMachine, ...initial }: WebhooksViewProps) {
  const endpoints = useSWR(apiPaths.webhookEndpoints(mode), (path: string) => ask<EndpointListJson>(path), {
    fallbackData: initial.endpoints,
    refreshInterval: REFRESH_INTERVAL_MS,
  });
  const receivers = useSWR(apiPaths.webhookReceivers(mode), (path: string) => ask<ReceiverListJson>(path), {
    fallbackData: initial.receivers,
    refreshInterval: REFRESH_INTERVAL_MS,
  });
  const [opened, setOpened] = useState<Opened>();
  const close = () => setOpened(undefined);
  const refresh = () => Promise.all([endpoints.mutate(), receivers.mutate()]);
  const all = endpoints.data.data;
  const receiverOf = (id: string) => receivers.data.data.find(({ endpoint_id }) => endpoint_id === id);
  const requested = receivers.data.data.filter(({ endpoint_id }) => endpoint_id === undefined);
  const add = (
    <Button variant="primary" data-new onClick={() => setOpened({ dialog: 'add' })}>
      <Plus size={15} aria-hidden="true" /> Add an endpoint
    </Button>
  );

  return (
    <>
      <PageHeading
        title="Webhooks"
        description={<>Finished {mode} videos are sent to the endpoints, and to the URL in a request.</>}
        actions={mayEdit && all.length > 0 && add}
      />
      <div className="flex flex-col gap-9">
        <StaleError error={endpoints.error ?? receivers.error} onRetry={() => void refresh()} />
        <Section id="endpoints" title="Endpoints">
          {all.length === 0 ? (
            <EmptyState
              icon={Webhook}
              title={`No ${mode} endpoints`}
              description="An endpoint receives every finished video, no matter which key submitted it. A request can also name a URL of its own."
            >
              {mayEdit && add}
            </EmptyState>
          ) : (
            <Card>
              <Table label="Endpoints" columns={ENDPOINT_COLUMNS}>
                {all.map((endpoint) => (
                  <Row key={endpoint.id}>
                    <Cell full className="@4xl/table:w-full @4xl/table:max-w-0">
                      <div className="truncate font-medium" title={endpoint.url}>
                        {endpoint.url}
                      </div>
                      {endpoint.description !== '' && (
                        <div className="truncate text-xs text-muted">{endpoint.description}</div>
                      )}
                    </Cell>
                    <Cell name="Events" className="text-xs text-muted @4xl/table:whitespace-nowrap">
                      {endpoint.events.length === 2
                        ? 'All'
                        : endpoint.events[0] === 'video.failed'
                          ? 'Failed'
                          : 'Completed'}
                    </Cell>
                    <Cell name="Health">
                      <Health receiver={receiverOf(endpoint.id)} paused={endpoint.paused} />
                    </Cell>
                    <Cell name="Last attempt" className="text-xs text-muted @4xl/table:whitespace-nowrap">
                      <LastAttempt receiver={receiverOf(endpoint.id)} />
                    </Cell>
                    <Cell name="Newest deliveries" className="text-xs text-muted @4xl/table:whitespace-nowrap">
                      <NewestDeliveries receiver={receiverOf(endpoint.id)} mode={mode} />
                    </Cell>
                    <Cell corner align="right">
                      {mayEdit && (
                        <EndpointMenu
                          of={endpoint}
                          onTest={() => setOpened({ dialog: 'test', of: endpoint })}
                          onChange={() => setOpened({ dialog: 'change', of: endpoint })}
                          onSecret={() => setOpened({ dialog: 'secret', of: endpoint })}
                          onRemove={() => setOpened({ dialog: 'remove', of: endpoint })}
                          onToggled={refresh}
                        />
                      )}
                    </Cell>
                  </Row>
                ))}
              </Table>
            </Card>
          )}
        </Section>

        <Deliveries mode={mode} initial={initial.deliveries} endpoints={all} mayEdit={mayEdit} />

        {(mayEdit || requested.length > 0) && (
          <div className="flex flex-col gap-4">
            {mayEdit && <WebhookSecretSection title="URLs in requests" />}
            {requested.length > 0 && (
              <Card>
                <Table label="Webhook URLs sent in requests" columns={[{ title: 'Receiver' }, ...RECEIVER_COLUMNS]}>
                  {requested.map((receiver) => (
                    <Row key={receiver.url}>
                      <Cell full className="font-medium break-all">
                        {receiver.url}
                      </Cell>
                      <Cell name="Health">
                        <Health receiver={receiver} paused={null} />
                      </Cell>
                      <Cell name="Last attempt" className="text-xs text-muted @4xl/table:whitespace-nowrap">
                        <LastAttempt receiver={receiver} />
                      </Cell>
                      <Cell name="Newest deliveries" className="text-xs text-muted @4xl/table:whitespace-nowrap">
                        <NewestDeliveries receiver={receiver} mode={mode} />
                      </Cell>
                    </Row>
                  ))}
                </Table>
              </Card>
            )}
          </div>
        )}
        <Section id="local" title="Receive webhooks on your own machine">
          <p className="max-w-2xl text-sm text-muted">
            {mayCallThisMachine ? (
              <>
                This installation may call its own machine: use a URL such as{' '}
                <code className="font-mono text-xs text-ink">http://127.0.0.1:4000/finished</code>.
              </>
            ) : (
              <>
                URLs must be on the internet. For a receiver on the machine that Patchbay runs on, the operator starts
                it with <code className="font-mono text-xs text-ink">OUTBOUND_ALLOW=127.0.0.0/8</code>.
              </>
            )}{' '}
            Verify each webhook with the signing secret and a library of Standard Webhooks.
          </p>
        </Section>
      </div>
      {(opened?.dialog === 'add' || opened?.dialog === 'change') && (
        <EndpointDialog
          mode={mode}
          of={opened.dialog === 'change' ? opened.of : undefined}
          onSaved={refresh}
          onClose={close}
        />
      )}
      {opened?.dialog === 'secret' && <EndpointSecretDialog of={opened.of} onClose={close} />}
      {opened?.dialog === 'test' && <TestDialog of={opened.of} onClose={close} />}
      {opened?.dialog === 'remove' && (
        <ConfirmDialog
          title="Remove this endpoint?"
          confirmLabel="Remove endpoint"
          fallbackError="The endpoint could not be removed. Try again."
          onClose={close}
          onConfirm={async () => {
            await send('DELETE', apiPaths.webhookEndpoint(opened.of.id));
            await refresh();
            toast('The endpoint was removed.');
            close();
          }}
        >
          <p className="text-sm">
            <code className="font-mono text-xs break-all">{opened.of.url}</code> receives no more webhooks, and
            deliveries that wait for it are not sent. The list of its deliveries stays.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}
