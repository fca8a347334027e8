'use client';

import type { KeyJson } from '../../../lib/contract/keys';
import { Card } from '../components/ui/card';
import { Table, type Column } from '../components/ui/table';
import { KeyRow } from './key-row';

const COLUMNS: readonly Column[] = [
  { title: 'Name' },
  { title: 'Key' },
  { title: 'Spend limit' },
  { title: 'Last used' },
  { title: 'Expires' },
  { title: 'Status' },
];
const ACTIONS: Column = { title: 'Actions', hidden: true, align: 'right' };

export type KeyDialog = 'edit' | 'rotate' | 'revoke';

/**
 * A table of keys. `keys` are the rows in order; `all` includes hidden keys, to find replacements. Without `onOpen` the
 * table is read-only.
 */
export function KeyTable({
  keys,
  all,
  me,
  onOpen,
}: {
  readonly keys: readonly KeyJson[];
  readonly all: readonly KeyJson[];
  readonly me: string;
  readonly onOpen?: (dialog: KeyDialog, key: KeyJson) => void;
}) {
  const replacements = new Map(
    all.flatMap((key) => (key.rotated_from === null ? [] : [[key.rotated_from, key] as const])),
  );
  return (
    <Card>
      <Table label="API keys" columns={onOpen ? [...COLUMNS, ACTIONS] : COLUMNS}>
        {keys.map((key) => (
          <KeyRow
            key={key.id}
            of={key}
            me={me}
            replacement={replacements.get(key.id)}
            {...(onOpen
              ? {
                  actions: {
                    onEdit: () => onOpen('edit', key),
                    onRotate: () => onOpen('rotate', key),
                    onRevoke: () => onOpen('revoke', key),
                  },
                }
              : {})}
          />
        ))}
      </Table>
    </Card>
  );
}
