'use client';

import { useSWRConfig } from 'swr';
import type { ProviderCredentialJson } from '../../../lib/contract/provider-credentials';
import { ConfirmDialog } from '../components/ui/confirm-dialog';
import { toast } from '../components/ui/toast';
import { send } from '../console-api';
import { apiPaths } from '../api-paths';

export function RemoveAccountDialog({
  of: { id, provider_name: name, display },
  onClose,
}: {
  readonly of: ProviderCredentialJson;
  onClose(): void;
}) {
  const { mutate } = useSWRConfig();

  async function remove() {
    await send('DELETE', apiPaths.providerCredential(id));
    await mutate(apiPaths.providerCredentials());
    toast(`Your account at ${name} is removed.`);
    onClose();
  }

  return (
    <ConfirmDialog
      title={`Remove your account at ${name}?`}
      confirmLabel="Remove account"
      cancelLabel="Keep it"
      fallbackError="The account could not be removed. Try again."
      onConfirm={remove}
      onClose={onClose}
    >
      <p className="text-sm">
        Within 5 seconds no new work is sent with the key <code className="font-mono text-xs">{display}</code>. Videos
        that have begun are finished with it; then the key is erased here. Later requests cost credits, if this
        installation can serve them.
      </p>
    </ConfirmDialog>
  );
}
