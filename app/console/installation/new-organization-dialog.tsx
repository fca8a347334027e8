'use client';

import { useState, type FormEvent } from 'react';
import type { MadeOrganizationJson } from '../../../lib/contract/organizations';
import { EmailField, TextField } from '../components/ui/field';
import { FormDialog } from '../components/ui/form-dialog';
import { useAsyncAction } from '../components/ui/use-async-action';
import { send } from '../console-api';
import { apiPaths } from '../api-paths';

/** Creates an organisation. `onMade` receives it with the invitation for its owner. */
export function NewOrganizationDialog({
  canMail,
  onMade,
  onClose,
}: {
  readonly canMail: boolean;
  onMade(made: MadeOrganizationJson): Promise<unknown>;
  onClose(): void;
}) {
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const { busy, error, run } = useAsyncAction('The organisation could not be created. Try again.', 'stay-busy');

  function submit(event: FormEvent) {
    event.preventDefault();
    const address = email.trim();
    void run(async () => {
      const body = { name, ...(address === '' ? {} : { owner_email: address }) };
      await onMade(await send<MadeOrganizationJson>('POST', apiPaths.installedOrganizations(), body));
    });
  }

  return (
    <FormDialog
      title="Create an organisation"
      description="It begins with $1,000 of test credits and no live ones. You do not become a member: you get an invitation for its owner."
      error={error}
      submitLabel="Create organisation"
      busy={busy}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Name"
        required
        maxLength={100}
        autoComplete="off"
        value={name}
        onChange={(event) => setName(event.target.value)}
        data-first
      />
      <EmailField
        label="E-mail of the owner (optional)"
        autoComplete="off"
        value={email}
        onChange={(event) => setEmail(event.target.value)}
        hint={
          canMail
            ? 'We send the invitation there, and only an account with this address can use it.'
            : 'Only an account with this address can use the invitation. This installation sends no e-mails.'
        }
      />
    </FormDialog>
  );
}
