'use client';

import { useState, type FormEvent } from 'react';
import type { OperatorJson } from '../../../lib/contract/installation';
import { TextField } from '../components/ui/field';
import { FormDialog } from '../components/ui/form-dialog';
import { toast } from '../components/ui/toast';
import { useAsyncAction } from '../components/ui/use-async-action';
import { send } from '../console-api';
import { apiPaths } from '../api-paths';

export function AddOperatorDialog({ onDone, onClose }: { onDone(): Promise<unknown>; onClose(): void }) {
  const [person, setPerson] = useState('');
  const { busy, error, run } = useAsyncAction('The operator could not be added. Try again.', 'stay-busy');

  function submit(event: FormEvent) {
    event.preventDefault();
    void run(async () => {
      const added = await send<OperatorJson>('POST', apiPaths.operators(), { person });
      await onDone();
      toast(`${added.email} is now an operator.`);
      onClose();
    });
  }

  return (
    <FormDialog
      title="Add an operator"
      description="The person can suspend organisations, transfer credits, look into every organisation and add operators."
      error={error}
      submitLabel="Add operator"
      busy={busy}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="E-mail or id of the account"
        required
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={person}
        onChange={(event) => setPerson(event.target.value)}
        hint="The person needs an account of this installation."
        data-first
      />
    </FormDialog>
  );
}
