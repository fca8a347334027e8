'use client';

import { Plus } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import useSWR from 'swr';
import type { OperatorJson, OperatorListJson } from '../../../lib/contract/installation';
import { StaleError } from '../components/shell/request-error';
import { Button } from '../components/ui/button';
import { Card } from '../components/ui/card';
import { Chip } from '../components/ui/chip';
import { ConfirmDialog } from '../components/ui/confirm-dialog';
import { TextField } from '../components/ui/field';
import { FormDialog } from '../components/ui/form-dialog';
import { PageHeading } from '../components/ui/page-heading';
import { Cell, Row, Table } from '../components/ui/table';
import { TimeAgo } from '../components/ui/time-ago';
import { toast } from '../components/ui/toast';
import { useAsyncAction } from '../components/ui/use-async-action';
import { ask, send } from '../console-api';
import { apiPaths } from '../paths';
import { InstallationNav } from './installation-nav';

const COLUMNS = [
  { title: 'Person' },
  { title: 'Operator since' },
  { title: 'Actions', hidden: true, align: 'right' },
] as const;

/** The people who operate the installation. */
export function OperatorsView({
  initial,
  me,
}: {
  readonly initial: OperatorListJson;
  /** The id of the signed-in user. */
  readonly me: string;
}) {
  const { data, error, mutate } = useSWR(apiPaths.operators(), (path: string) => ask<OperatorListJson>(path), {
    fallbackData: initial,
  });
  const [isAdding, setIsAdding] = useState(false);
  const [removing, setRemoving] = useState<OperatorJson>();

  return (
    <>
      <PageHeading
        title="Operators"
        description="They see and do everything on these pages. It makes them no member of an organisation, and no role in an organisation makes an operator."
        actions={
          <Button variant="primary" data-new onClick={() => setIsAdding(true)}>
            <Plus size={15} aria-hidden="true" /> Add an operator
          </Button>
        }
        nav={<InstallationNav />}
      />
      <div className="flex flex-col gap-4">
        <StaleError error={error} onRetry={() => void mutate()} />
        <Card>
          <Table label="Operators" columns={COLUMNS}>
            {data.data.map((operator) => (
              <Row key={operator.id}>
                <Cell full>
                  <span className="flex min-w-0 items-center gap-2 font-medium">
                    <span className="truncate">{operator.name ?? operator.email}</span>
                    {operator.id === me && <Chip tone="accent">You</Chip>}
                  </span>
                  {operator.name !== null && (
                    <span className="block truncate text-xs text-muted">{operator.email}</span>
                  )}
                </Cell>
                <Cell name="Operator since">
                  <TimeAgo at={operator.since} />
                </Cell>
                <Cell align="right">
                  {operator.id !== me && (
                    <Button
                      size="small"
                      variant="quiet"
                      aria-label={`Remove ${operator.email}`}
                      onClick={() => setRemoving(operator)}
                    >
                      Remove
                    </Button>
                  )}
                </Cell>
              </Row>
            ))}
          </Table>
        </Card>
        <p className="max-w-2xl text-sm text-muted">
          Scripts use <code className="font-mono text-xs">OPERATOR_TOKEN</code> instead; it does the same below{' '}
          <code className="font-mono text-xs">/internal/operator</code>.
        </p>
      </div>
      {isAdding && <AddDialog onDone={() => mutate()} onClose={() => setIsAdding(false)} />}
      {removing && (
        <ConfirmDialog
          title={`Remove ${removing.email}?`}
          confirmLabel="Remove operator"
          fallbackError="Removing did not work. Try again."
          onConfirm={async () => {
            await send('DELETE', apiPaths.operator(removing.id));
            await mutate();
            toast(`${removing.email} is no longer an operator.`);
            setRemoving(undefined);
          }}
          onClose={() => setRemoving(undefined)}
        >
          <p className="text-sm">
            Within 5 seconds these pages are closed to {removing.email}. The account and its organisations stay.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}

function AddDialog({ onDone, onClose }: { onDone(): Promise<unknown>; onClose(): void }) {
  const [person, setPerson] = useState('');
  const { busy, error, run } = useAsyncAction('The operator could not be added. Try again.', 'stay-busy');

  function submit(event: FormEvent) {
    event.preventDefault();
    void run(async () => {
      const added = await send<OperatorJson>('POST', apiPaths.operators(), { person });
      await onDone();
      toast(`${added.email} is now an operator.`);
      onClose();
    });
  }

  return (
    <FormDialog
      title="Add an operator"
      description="The person can suspend organisations, move credits, look into every organisation and add operators."
      error={error}
      submitLabel="Add operator"
      busy={busy}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="E-mail or id of the account"
        required
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={person}
        onChange={(event) => setPerson(event.target.value)}
        hint="The person needs an account of this installation."
        data-first
      />
    </FormDialog>
  );
}
