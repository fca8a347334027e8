'use client';

import type { FormEvent } from 'react';
import type { OwnOrganizationJson } from '../../../lib/contract/organizations';
import { signOut } from '../components/auth/browser-sign-in';
import { openOrganization } from '../components/shell/organization';
import { Button } from '../components/ui/button';
import { FormError, TextField } from '../components/ui/field';
import { fieldText } from '../components/ui/field-text';
import { focusOnArrival } from '../components/ui/focus-on-arrival';
import { useAsyncAction } from '../components/ui/use-async-action';
import { send } from '../console-api';
import { apiPaths } from '../api-paths';
import { paths } from '../paths';

/** `framed`: inside the frame of the console, so the form has no sign-out button and does not take the focus. */
export function NewOrganizationForm({ framed }: { readonly framed: boolean }) {
  const { busy, error, run } = useAsyncAction('The organisation could not be created. Try again.', 'stay-busy');

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const name = fieldText(new FormData(event.currentTarget), 'name');
    void run(async () => {
      const made = await send<OwnOrganizationJson>('POST', apiPaths.organizations(), { name });
      openOrganization(made.id);
    });
  }

  return (
    <form method="post" onSubmit={submit} className="flex flex-col gap-4">
      <FormError>{error}</FormError>
      <TextField
        label="Name"
        name="name"
        autoComplete="organization"
        maxLength={100}
        required
        {...(framed ? {} : { ref: focusOnArrival })}
        hint="Members see it in the console and in e-mails. It can be changed."
      />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" busy={busy}>
          Create organisation
        </Button>
        {!framed && (
          <Button variant="quiet" onClick={() => void signOut().then(() => window.location.assign(paths.signIn()))}>
            Sign out
          </Button>
        )}
      </div>
    </form>
  );
}
