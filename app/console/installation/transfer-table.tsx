'use client';

import type { TransferJson } from '../../../lib/contract/credits';
import { Card } from '../components/ui/card';
import { ExactMoney } from '../components/ui/money';
import { Cell, Row, Table } from '../components/ui/table';
import { TimeAgo } from '../components/ui/time-ago';

const COLUMNS = [
  { title: 'Kind' },
  { title: 'Amount', align: 'right' },
  { title: 'Available after', align: 'right' },
  { title: 'Reference' },
  { title: 'Time', align: 'right' },
] as const;

const KINDS: Readonly<Record<TransferJson['kind'], string>> = {
  grant: 'Grant',
  adjust: 'Adjustment',
  refund: 'Refund',
};

export function TransferTable({ transfers }: { readonly transfers: readonly TransferJson[] }) {
  return (
    <Card>
      <Table label="Credit transfers" columns={COLUMNS}>
        {transfers.map(({ id, kind, reason, amount, available, reference, subject, created_at: createdAt }) => (
          <Row key={id}>
            <Cell full>
              <span className="block font-medium">{KINDS[kind]}</span>
              <span className="block text-xs break-words text-muted">{reason}</span>
            </Cell>
            <Cell name="Amount" align="right">
              <ExactMoney amount={amount} />
            </Cell>
            <Cell name="Available after" align="right">
              <ExactMoney amount={available} />
            </Cell>
            <Cell name="Reference" className="break-all">
              {reference}
              {subject !== null && <code className="block font-mono text-2xs text-muted">{subject}</code>}
            </Cell>
            <Cell name="Time" align="right">
              <TimeAgo at={createdAt} />
            </Cell>
          </Row>
        ))}
      </Table>
    </Card>
  );
}
