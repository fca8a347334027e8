'use client';

import type { WebhookSecretJson } from '../../../../lib/contract/webhooks';
import { ConfirmDialog } from '../ui/confirm-dialog';
import { send } from '../../console-api';

export function RotateSecretDialog({
  path,
  onRotated,
  onClose,
}: {
  /** The path of the API for the organisation's secret, or for an endpoint's. */
  readonly path: string;
  onRotated(secret: WebhookSecretJson): void;
  onClose(): void;
}) {
  return (
    <ConfirmDialog
      title="Rotate the signing secret?"
      confirmLabel="Rotate secret"
      variant="primary"
      fallbackError="The secret could not be rotated. Try again."
      onConfirm={() => send<WebhookSecretJson>('POST', path).then(onRotated)}
      onClose={onClose}
    >
      <p className="text-sm">
        A new secret is created and shown. For 24 hours every webhook carries both signatures, so that you can update
        your receivers one by one. After that only the new secret is used.
      </p>
    </ConfirmDialog>
  );
}
