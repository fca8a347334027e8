'use client';

import { useState } from 'react';
import { Button } from '../_ui/button';
import { Dialog, DialogBody, DialogFooter } from '../_ui/dialog';
import { FormError } from '../_ui/field';
import { send } from '../console-api';
import { apiPaths } from '../paths';
import type { ShownJob } from './shown-job';

export function DeleteJobDialog({ job, onClose, onDeleted }: { readonly job: ShownJob; onClose(): void; onDeleted(): void }) {
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string>();

  async function remove() {
    setBusy(true);
    setFault(undefined);
    try {
      await send('DELETE', apiPaths.video(job.id));
      onDeleted();
    } catch (error) {
      setFault(error instanceof Error ? error.message : 'The job could not be deleted. Try again.');
      setBusy(false);
    }
  }

  return (
    <Dialog open onOpenChange={onClose} title="Delete this job?">
      <DialogBody>
        <FormError>{fault}</FormError>
        <p className="text-sm">
          The prompt, the media and the file of <code className="font-mono text-xs break-all">{job.id}</code> are removed, and its id is no longer known. What it cost stays in the ledger. This cannot be undone.
        </p>
      </DialogBody>
      <DialogFooter>
        <Button onClick={onClose} data-first>
          Keep it
        </Button>
        <Button look="danger" busy={busy} onClick={() => void remove()}>
          Delete job
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
