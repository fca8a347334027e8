'use client';

import { useState, type FormEvent } from 'react';
import { FormDialog } from '../components/ui/form-dialog';
import { TextField } from '../components/ui/field';
import { useAsyncAction } from '../components/ui/use-async-action';
import { send } from '../console-api';
import { apiPaths } from '../api-paths';

/** Deletes the organisation after the user has typed its name. */
export function DeleteDialog({ name, onClose }: { readonly name: string; onClose(): void }) {
  const [typed, setTyped] = useState('');
  const { busy, error, run } = useAsyncAction('The organisation could not be deleted. Try again.', 'stay-busy');

  function submit(event: FormEvent) {
    event.preventDefault();
    // The form is in a portal, but React bubbles its events to a form around the trigger.
    event.stopPropagation();
    void run(async () => {
      await send('POST', apiPaths.organizationDeletion(), { name: typed });
      // Reloads because the frame shows whether the organisation is being deleted.
      window.location.reload();
    });
  }

  return (
    <FormDialog
      title={`Delete ${name}?`}
      error={error}
      submitLabel="Delete organisation"
      busy={busy}
      danger
      disabled={typed.trim() !== name}
      onSubmit={submit}
      onClose={onClose}
    >
      <ul className="flex list-disc flex-col gap-1.5 pl-5 text-sm">
        <li>Within 5 seconds all keys, signed links and open connections are refused. Running videos still end.</li>
        <li>For 7 days everything can be read, and an owner can restore the organisation.</li>
        <li>
          Then it is erased: members, invitations, keys, videos with their files, webhooks and own accounts. Remaining
          credits are lost. The ledger is kept as the operator has configured it.
        </li>
      </ul>
      <TextField
        label={`Type “${name}” to confirm`}
        value={typed}
        autoComplete="off"
        spellCheck={false}
        required
        data-first
        onChange={(event) => setTyped(event.target.value)}
      />
    </FormDialog>
  );
}
