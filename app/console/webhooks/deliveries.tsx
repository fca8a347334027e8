'use client';

import { RotateCw, Send } from 'lucide-react';
import { useState } from 'react';
import type { DeliveryJson, DeliveryPageJson, EndpointJson, ResentJson } from '../../../lib/contract/webhooks';
import type { Mode } from '../../../lib/domain/video';
import { ListBody } from '../components/list/list-body';
import { periodParams } from '../components/list/period';
import { PeriodFilter } from '../components/list/period-filter';
import { useList } from '../components/list/use-list';
import { Button } from '../components/ui/button';
import { Card, Section } from '../components/ui/card';
import { EmptyState, NoMatch } from '../components/ui/list-states';
import { SearchField } from '../components/ui/search-field';
import { FilterSelect } from '../components/ui/select';
import { Table, type Column } from '../components/ui/table';
import { toast } from '../components/ui/toast';
import { useDebouncedText } from '../components/ui/use-debounced-text';
import { useUrlState } from '../components/ui/use-url-state';
import { deliveryStates } from '../components/webhook/delivery-chip';
import { send } from '../console-api';
import { apiPaths } from '../api-paths';
import { deliveriesPath, isNarrowed, NO_FILTER, parseDeliveryFilter, type DeliveryFilter } from './delivery-filter';
import { DeliveryRow } from './delivery-row';
import { onDemand } from '../components/ui/on-demand';

const ConfirmDialog = onDemand(() => import('../components/ui/confirm-dialog').then((module) => module.ConfirmDialog));

const COLUMNS: readonly Column[] = [
  { title: 'Delivery' },
  { title: 'State' },
  { title: 'Attempts' },
  { title: 'Created', align: 'right' },
  { title: 'Actions', hidden: true, align: 'right' },
];

const isWaiting = ({ state }: DeliveryJson) => state === 'pending';

export function Deliveries({
  mode,
  initial,
  endpoints,
  mayEdit,
}: {
  readonly mode: Mode;
  readonly initial: { readonly path: string; readonly found: DeliveryPageJson } | undefined;
  readonly endpoints: readonly EndpointJson[];
  readonly mayEdit: boolean;
}) {
  const { query, change } = useUrlState();
  const filter = parseDeliveryFilter(query);
  const list = useList(deliveriesPath(mode, filter), initial, isWaiting);
  const [search, setSearch] = useDebouncedText(filter.search, (q) => change({ q, after: undefined }, 'replace'));
  const [confirming, setConfirming] = useState(false);
  const narrow = (changes: Readonly<Record<string, string>>) => change({ ...changes, after: undefined });
  const clear = () => {
    setSearch('');
    change(NO_FILTER);
  };

  return (
    <Section
      id="deliveries"
      title="Deliveries"
      actions={
        mayEdit && (
          <Button size="small" onClick={() => setConfirming(true)}>
            <RotateCw size={13} aria-hidden="true" /> Resend…
          </Button>
        )
      }
    >
      <search aria-label="Filter deliveries" className="mb-4 grid grid-cols-2 items-center gap-2 sm:flex sm:flex-wrap">
        <SearchField label="Video or delivery id" value={search} onChange={setSearch} width="col-span-2 sm:w-64" />
        <FilterSelect
          label="State"
          value={filter.state}
          options={Object.entries(deliveryStates).map(([state, { word }]) => [state, word])}
          onChange={(state) => narrow({ state })}
        />
        <FilterSelect
          label="Endpoint"
          value={filter.endpoint}
          options={endpoints.map(({ id, url, description }) => [id, description === '' ? url : description])}
          onChange={(endpoint) => narrow({ endpoint })}
        />
        <PeriodFilter value={filter} onChange={narrow} />
      </search>
      <ListBody
        list={list}
        noun="deliveries"
        isFirst={filter.after === ''}
        onPage={(after) => change({ after })}
        empty={
          isNarrowed(filter) ? (
            <NoMatch noun="deliveries" onClear={clear} />
          ) : (
            <EmptyState
              icon={Send}
              title={`No ${mode} deliveries yet`}
              description="Each webhook appears here with its attempts when its video has ended."
            />
          )
        }
      >
        {(deliveries) => (
          <Card>
            <Table label="Deliveries" columns={COLUMNS}>
              {deliveries.map((delivery) => (
                <DeliveryRow
                  key={delivery.id}
                  delivery={delivery}
                  endpoint={endpoints.find(({ id }) => id === delivery.endpoint_id)}
                  {...(mayEdit && { onResent: list.retry })}
                />
              ))}
            </Table>
          </Card>
        )}
      </ListBody>
      {confirming && (
        <ConfirmDialog
          title="Resend undelivered webhooks?"
          confirmLabel="Resend"
          variant="primary"
          fallbackError="The deliveries could not be resent. Try again."
          onClose={() => setConfirming(false)}
          onConfirm={async () => {
            const count = await resendAll(mode, filter);
            list.retry();
            toast(`${count} ${count === 1 ? 'delivery is' : 'deliveries are'} resent.`);
            setConfirming(false);
          }}
        >
          <p className="text-sm">
            {filter.state === 'failed' || filter.state === 'disabled' ? (
              <>Every delivery in the state “{deliveryStates[filter.state].word}”</>
            ) : (
              <>Every delivery that failed or was not sent</>
            )}
            {filter.endpoint !== '' && ' to the chosen endpoint'}
            {filter.period !== '' && ' in the chosen time'} is resent with the same webhook-id, the oldest first.
            Receivers use that id to ignore deliveries that they already have. Deliveries to a paused endpoint can be
            resent once it is resumed.
          </p>
        </ConfirmDialog>
      )}
    </Section>
  );
}

/**
 * Resends all deliveries that match the filter, and resolves to their number. The API resends a hundred per request.
 */
async function resendAll(mode: Mode, filter: DeliveryFilter): Promise<number> {
  const { created_within: within, created_from: from, created_to: to } = periodParams(filter);
  const seconds = (text: string | undefined) => (text === undefined ? undefined : Number(text));
  const body = {
    ...((filter.state === 'failed' || filter.state === 'disabled') && { states: [filter.state] }),
    ...(filter.endpoint !== '' && { endpoint_id: filter.endpoint }),
    created_from: within === undefined ? seconds(from) : Math.floor(Date.now() / 1000) - Number(within),
    created_to: seconds(to),
  };
  let count = 0;
  for (;;) {
    const { resent, has_more: hasMore } = await send<ResentJson>('POST', apiPaths.resendDeliveries(mode), body);
    count += resent;
    if (!hasMore) return count;
  }
}
