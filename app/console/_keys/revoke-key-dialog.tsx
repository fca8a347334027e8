'use client';

import { useState } from 'react';
import { useSWRConfig } from 'swr';
import type { KeyJson } from '../../../lib/accounts/accounts';
import { Button } from '../_ui/button';
import { Dialog, DialogBody, DialogFooter } from '../_ui/dialog';
import { FormError } from '../_ui/field';
import { notify } from '../_ui/notices';
import { TimeAgo } from '../_ui/time-ago';
import { send } from '../console-api';
import { apiPaths } from '../paths';

export function RevokeKeyDialog({ of: key, onClose }: { readonly of: KeyJson; onClose(): void }) {
  const { mutate } = useSWRConfig();
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string>();

  async function revoke() {
    setBusy(true);
    setFault(undefined);
    try {
      await send('DELETE', apiPaths.key(key.id));
      await mutate(apiPaths.keys());
      notify(`“${key.name}” is revoked.`);
      onClose();
    } catch (error) {
      setFault(error instanceof Error ? error.message : 'Revoking did not work. Try again.');
      setBusy(false);
    }
  }

  return (
    <Dialog open onOpenChange={onClose} title={`Revoke “${key.name}”?`}>
      <DialogBody>
        <FormError>{fault}</FormError>
        <p className="text-sm">
          Requests with <code className="font-mono text-xs">{key.display}</code> are refused within 5 seconds, on every instance. Videos that it has started go on. This cannot be
          undone.
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
      </DialogBody>
      <DialogFooter>
        <Button onClick={onClose} data-first>
          Keep it
        </Button>
        <Button look="danger" busy={busy} onClick={() => void revoke()}>
          Revoke key
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
