'use client';

import { ConfirmDialog } from '../ui/confirm-dialog';
import { send } from '../../console-api';
import { apiPaths } from '../../api-paths';

export function DeleteVideoDialog({
  id,
  onClose,
  onDeleted,
}: {
  readonly id: string;
  onClose(): void;
  onDeleted(): void;
}) {
  return (
    <ConfirmDialog
      title="Delete this video?"
      confirmLabel="Delete video"
      cancelLabel="Keep it"
      fallbackError="The video could not be deleted. Try again."
      onConfirm={() => send('DELETE', apiPaths.video(id)).then(onDeleted)}
      onClose={onClose}
    >
      <p className="text-sm">
        The prompt, the media and the file of <code className="font-mono text-xs break-all">{id}</code> are deleted
        permanently: its links and its id stop working. The charge stays in the ledger. This cannot be undone.
      </p>
    </ConfirmDialog>
  );
}
