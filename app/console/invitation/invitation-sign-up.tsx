'use client';

import { useState, type FormEvent } from 'react';
import type { AcceptedInvitationJson } from '../../../lib/contract/invitations';
import { AccountFields, accountErrorOf, type AccountError } from '../components/auth/account-fields';
import { signInWithPassword } from '../components/auth/browser-sign-in';
import { Button } from '../components/ui/button';
import { fieldText } from '../components/ui/field-text';
import { FormError } from '../components/ui/field';
import { send } from '../console-api';
import { apiPaths, paths } from '../paths';

const FIELDS = ['email', 'password', 'name'];

/** Makes an account with an invitation and signs in to it. */
export function InvitationSignUp({
  email,
  token,
  onAccepted,
}: {
  /** The address of the invitation; null: any. */
  readonly email: string | null;
  readonly token: string;
  onAccepted(accepted: AcceptedInvitationJson): void;
}) {
  const [error, setError] = useState<AccountError>();
  const [busy, setBusy] = useState(false);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const text = (name: string) => fieldText(new FormData(form), name);
    setBusy(true);
    setError(undefined);
    try {
      const accepted = await send<AcceptedInvitationJson>('POST', apiPaths.invitationSignUp(), {
        token,
        password: text('password'),
        ...(email === null ? { email: text('email') } : {}),
        ...(text('name').trim() && { name: text('name') }),
      });
      const signIn = await signInWithPassword(accepted.email, text('password'));
      if (signIn.ok) onAccepted(accepted);
      else window.location.assign(paths.signIn());
    } catch (thrown) {
      setError(accountErrorOf(thrown, form));
      setBusy(false);
    }
  }

  return (
    <form method="post" onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      <FormError>{error && !FIELDS.includes(error.param ?? '') ? error.message : undefined}</FormError>
      <AccountFields
        {...(email === null ? {} : { email })}
        errorOf={(name) => (error?.param === name ? error.message : undefined)}
      />
      <Button type="submit" variant="primary" busy={busy} className="mt-1 h-10 w-full">
        Create account and join
      </Button>
    </form>
  );
}
