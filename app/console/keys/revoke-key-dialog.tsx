'use client';

import { useSWRConfig } from 'swr';
import type { KeyJson } from '../../../lib/contract/keys';
import { toast } from '../components/ui/toast';
import { ConfirmDialog } from '../components/ui/confirm-dialog';
import { TimeAgo } from '../components/ui/time-ago';
import { send } from '../console-api';
import { apiPaths } from '../api-paths';

export function RevokeKeyDialog({ of: key, onClose }: { readonly of: KeyJson; onClose(): void }) {
  const { mutate } = useSWRConfig();

  async function revoke() {
    await send('DELETE', apiPaths.key(key.id));
    await mutate(apiPaths.keys());
    toast(`“${key.name}” is revoked.`);
    onClose();
  }

  return (
    <ConfirmDialog
      title={`Revoke “${key.name}”?`}
      confirmLabel="Revoke key"
      cancelLabel="Keep it"
      fallbackError="The key could not be revoked. Try again."
      onConfirm={revoke}
      onClose={onClose}
    >
      <p className="text-sm">
        Requests with <code className="font-mono text-xs">{key.display}</code> are refused within 5 seconds, on every
        instance. Videos already submitted with it continue. This cannot be undone.
      </p>
      <p className="text-sm text-muted">
        {key.last_used_at === null ? (
          'It has never been used.'
        ) : (
          <>
            It was last used <TimeAgo at={key.last_used_at} />.
          </>
        )}
      </p>
    </ConfirmDialog>
  );
}
