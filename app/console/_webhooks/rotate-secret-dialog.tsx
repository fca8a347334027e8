'use client';

import { useState } from 'react';
import type { WebhookSecretJson } from '../../../lib/webhooks/webhooks';
import { Button } from '../_ui/button';
import { Dialog, DialogBody, DialogFooter } from '../_ui/dialog';
import { FormError } from '../_ui/field';
import { send } from '../console-api';
import { apiPaths } from '../paths';

export function RotateSecretDialog({ onRotated, onClose }: { onRotated(secret: WebhookSecretJson): void; onClose(): void }) {
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string>();

  async function rotate() {
    setBusy(true);
    setFault(undefined);
    try {
      onRotated(await send<WebhookSecretJson>('POST', apiPaths.rotateWebhookSecret()));
    } catch (error) {
      setFault(error instanceof Error ? error.message : 'Rotating did not work. Try again.');
      setBusy(false);
    }
  }

  return (
    <Dialog open onOpenChange={onClose} title="Rotate the signing secret?">
      <DialogBody>
        <FormError>{fault}</FormError>
        <p className="text-sm">
          A new secret is made and shown. For 24 hours every webhook carries both signatures, so that you can change your receivers one by one; after that the old secret no longer signs.
        </p>
      </DialogBody>
      <DialogFooter>
        <Button onClick={onClose} data-first>
          Keep it
        </Button>
        <Button look="primary" busy={busy} onClick={() => void rotate()}>
          Rotate secret
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
