'use client';

import { useState, type FormEvent } from 'react';
import type { OrganizationJson } from '../../../lib/contract/organizations';
import { TextField } from '../components/ui/field';
import { FormDialog } from '../components/ui/form-dialog';
import { toast } from '../components/ui/toast';
import { useAsyncAction } from '../components/ui/use-async-action';
import { send } from '../console-api';
import { apiPaths } from '../api-paths';

/** Suspends an organisation, or lifts its suspension. */
export function SuspensionDialog({
  of: { id, name, suspended },
  onDone,
  onClose,
}: {
  readonly of: OrganizationJson;
  onDone(changed: OrganizationJson): Promise<unknown>;
  onClose(): void;
}) {
  const [reason, setReason] = useState('');
  const { busy, error, run } = useAsyncAction('The organisation could not be changed. Try again.', 'stay-busy');

  function submit(event: FormEvent) {
    event.preventDefault();
    void run(async () => {
      const path = suspended ? apiPaths.resumeOrganization(id) : apiPaths.suspendOrganization(id);
      await onDone(await send<OrganizationJson>('POST', path, { reason }));
      toast(suspended ? `${name} can be used again.` : `${name} is suspended.`);
      onClose();
    });
  }

  return (
    <FormDialog
      title={suspended ? `Resume ${name}?` : `Suspend ${name}?`}
      description={
        suspended
          ? 'Within 5 seconds its keys work again, and its members can make changes in the console.'
          : 'Within 5 seconds its keys are refused, its open streams and sockets end, and its console is read-only. Running videos are finished and charged.'
      }
      error={error}
      submitLabel={suspended ? 'Resume organisation' : 'Suspend organisation'}
      danger={!suspended}
      busy={busy}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Reason"
        required
        maxLength={500}
        autoComplete="off"
        value={reason}
        onChange={(event) => setReason(event.target.value)}
        hint="The organisation sees it in its audit log."
        data-first
      />
    </FormDialog>
  );
}
