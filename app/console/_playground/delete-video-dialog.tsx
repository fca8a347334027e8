'use client';

import { useState } from 'react';
import { Button } from '../_ui/button';
import { Dialog, DialogBody, DialogFooter } from '../_ui/dialog';
import { FormError } from '../_ui/field';
import { send } from '../console-api';
import { apiPaths } from '../paths';
import type { ShownJob } from './shown-job';

export function DeleteVideoDialog({ job, onClose, onDeleted }: { readonly job: ShownJob; onClose(): void; onDeleted(): void }) {
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string>();

  async function remove() {
    setBusy(true);
    try {
      await send('DELETE', apiPaths.video(job.id));
      onDeleted();
    } catch (error) {
      setFault(error instanceof Error ? error.message : 'Deleting did not work. Try again.');
      setBusy(false);
    }
  }

  return (
    <Dialog open onOpenChange={onClose} title="Delete this video?" says="Its file, prompt and media are removed for good, and its links stop working. What it cost stays in the account.">
      <DialogBody>
        <p className="text-sm">
          {job.model} <code className="font-mono text-xs break-all text-muted">{job.id}</code>
        </p>
        <FormError>{fault}</FormError>
      </DialogBody>
      <DialogFooter>
        <Button data-first onClick={onClose}>
          Keep it
        </Button>
        <Button look="danger" busy={busy} onClick={() => void remove()}>
          Delete video
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
