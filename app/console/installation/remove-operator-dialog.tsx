'use client';

import type { OperatorJson } from '../../../lib/contract/installation';
import { ConfirmDialog } from '../components/ui/confirm-dialog';
import { toast } from '../components/ui/toast';
import { send } from '../console-api';
import { apiPaths } from '../api-paths';

export function RemoveOperatorDialog({
  of: { id, email },
  onDone,
  onClose,
}: {
  readonly of: OperatorJson;
  onDone(): Promise<unknown>;
  onClose(): void;
}) {
  return (
    <ConfirmDialog
      title={`Remove ${email}?`}
      confirmLabel="Remove operator"
      fallbackError="The operator could not be removed. Try again."
      onConfirm={async () => {
        await send('DELETE', apiPaths.operator(id));
        await onDone();
        toast(`${email} is no longer an operator.`);
        onClose();
      }}
      onClose={onClose}
    >
      <p className="text-sm">
        Within 5 seconds these pages are closed to {email}. The account and its organisations stay.
      </p>
    </ConfirmDialog>
  );
}
