'use client';

import { Plus } from 'lucide-react';
import { useEffect, useState } from 'react';
import useSWR from 'swr';
import type { KeyJson } from '../../../lib/accounts/accounts';
import type { Mode } from '../../../lib/domain/video';
import { Button } from '../_ui/button';
import { Card, Section } from '../_ui/card';
import { Table, type Column } from '../_ui/table';
import { ask } from '../console-api';
import { apiPaths } from '../paths';
import { KeyRow } from './key-row';
import { CreateKeyDialog, loadKeyDialogs, RevokeKeyDialog, RotateKeyDialog } from './key-dialogs';

const REFRESH_MS = 10_000;

const COLUMNS: readonly Column[] = [
  { title: 'Name' },
  { title: 'Key' },
  { title: 'Spent' },
  { title: 'Last used' },
  { title: 'Expires' },
  { title: 'Status' },
  { title: 'Actions', hidden: true, align: 'right' },
];

type Open = { readonly dialog: 'create' } | { readonly dialog: 'rotate' | 'revoke'; readonly key: KeyJson };

export function KeysSection({ keys, me, mode, baseUrl, mayEdit }: { readonly keys: readonly KeyJson[]; readonly me: string; readonly mode: Mode; readonly baseUrl: string; readonly mayEdit: boolean }) {
  const { data } = useSWR(apiPaths.keys(), (path) => ask<{ readonly data: readonly KeyJson[] }>(path), { fallbackData: { data: keys }, refreshInterval: REFRESH_MS });
  const [open, setOpen] = useState<Open>();
  const [withRevoked, setWithRevoked] = useState(false);
  const revoked = data.data.filter((key) => key.status === 'revoked').length;
  const shown = withRevoked ? data.data : data.data.filter((key) => key.status !== 'revoked');
  const close = () => setOpen(undefined);
  // After the page itself, so that a dialog is there at once when it is asked for.
  useEffect(() => void loadKeyDialogs(), []);

  return (
    <Section
      id="keys"
      title="API keys"
      actions={
        mayEdit && (
          <Button look="primary" onClick={() => setOpen({ dialog: 'create' })}>
            <Plus size={15} aria-hidden="true" /> Create key
          </Button>
        )
      }
    >
      <Card>
        {shown.length > 0 ? (
          <Table label="API keys" columns={mayEdit ? COLUMNS : COLUMNS.filter((column) => !column.hidden)}>
            {shown.map((key) => (
              <KeyRow key={key.id} of={key} me={me} {...(mayEdit ? { onRotate: () => setOpen({ dialog: 'rotate', key }), onRevoke: () => setOpen({ dialog: 'revoke', key }) } : {})} />
            ))}
          </Table>
        ) : (
          <p className="px-5 py-10 text-center text-sm text-muted">
            {revoked > 0 ? 'Every key is revoked.' : 'No keys yet.'} An app needs one for its requests to /v1.
          </p>
        )}
        {revoked > 0 && (
          <div className="border-t border-line px-2 py-1.5">
            <Button look="quiet" size="small" aria-expanded={withRevoked} onClick={() => setWithRevoked(!withRevoked)}>
              {withRevoked ? 'Hide revoked keys' : `Show ${revoked} revoked ${revoked === 1 ? 'key' : 'keys'}`}
            </Button>
          </div>
        )}
      </Card>
      {open?.dialog === 'create' && <CreateKeyDialog mode={mode} baseUrl={baseUrl} onClose={close} />}
      {open?.dialog === 'rotate' && <RotateKeyDialog of={open.key} baseUrl={baseUrl} onClose={close} />}
      {open?.dialog === 'revoke' && <RevokeKeyDialog of={open.key} onClose={close} />}
    </Section>
  );
}
