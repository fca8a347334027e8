'use client';

import type { ProjectJson } from '../../../lib/contract/projects';
import { ConfirmDialog } from '../components/ui/confirm-dialog';
import { toast } from '../components/ui/toast';
import { send } from '../console-api';
import { apiPaths } from '../api-paths';

/** Deletes a project. The server refuses that while the project has keys, and the dialog shows why. */
export function DeleteProjectDialog({
  of: project,
  onDeleted,
  onClose,
}: {
  readonly of: ProjectJson;
  onDeleted(): Promise<unknown>;
  onClose(): void;
}) {
  return (
    <ConfirmDialog
      title={`Delete “${project.name}”?`}
      confirmLabel="Delete project"
      cancelLabel="Keep it"
      fallbackError="The project could not be deleted. Try again."
      onClose={onClose}
      onConfirm={async () => {
        await send('DELETE', apiPaths.project(project.id, project.mode));
        await onDeleted();
        toast(`“${project.name}” is deleted.`);
        onClose();
      }}
    >
      <p className="text-sm">
        Its budget and its policy are removed. A project can be deleted when all its live and test keys were moved or
        revoked; what they have used stays in the usage and the ledger.
      </p>
    </ConfirmDialog>
  );
}
