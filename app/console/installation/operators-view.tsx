'use client';

import { Plus } from 'lucide-react';
import { useState } from 'react';
import useSWR from 'swr';
import type { OperatorJson, OperatorListJson } from '../../../lib/contract/installation';
import { StaleError } from '../components/shell/request-error';
import { Button } from '../components/ui/button';
import { Card } from '../components/ui/card';
import { Chip } from '../components/ui/chip';
import { PageHeading } from '../components/ui/page-heading';
import { Cell, Row, Table } from '../components/ui/table';
import { TimeAgo } from '../components/ui/time-ago';
import { ask } from '../console-api';
import { apiPaths } from '../api-paths';
import { InstallationNav } from './installation-nav';
import { onDemand } from '../components/ui/on-demand';

// Each dialog loads when it is first opened.
const AddOperatorDialog = onDemand(() => import('./add-operator-dialog').then((module) => module.AddOperatorDialog));
const RemoveOperatorDialog = onDemand(() =>
  import('./remove-operator-dialog').then((module) => module.RemoveOperatorDialog),
);

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
        description="Operators can see and do everything on these pages. An operator is not automatically a member of an organisation, and no role in an organisation makes a person an operator."
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
          Scripts authenticate with <code className="font-mono text-xs">OPERATOR_TOKEN</code> and can do the same below{' '}
          <code className="font-mono text-xs">/internal/operator</code>.
        </p>
      </div>
      {isAdding && <AddOperatorDialog onDone={() => mutate()} onClose={() => setIsAdding(false)} />}
      {removing && (
        <RemoveOperatorDialog of={removing} onDone={() => mutate()} onClose={() => setRemoving(undefined)} />
      )}
    </>
  );
}
