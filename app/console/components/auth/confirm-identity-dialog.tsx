'use client';

import { useState, type FormEvent } from 'react';
import { FormDialog } from '../ui/form-dialog';
import { fieldText } from '../ui/field-text';
import { PasswordField } from '../ui/password-field';
import { paths } from '../../paths';
import { signInWithPassword, signOut } from './browser-sign-in';

/** Asks for the password again. `onConfirmed` is called when it was correct. */
export function ConfirmIdentityDialog({
  email,
  onConfirmed,
  onClose,
}: {
  readonly email: string;
  onConfirmed(): void;
  onClose(): void;
}) {
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    // The form is in a portal, but React bubbles its events to a form around the trigger.
    event.stopPropagation();
    const password = fieldText(new FormData(event.currentTarget), 'password');
    setBusy(true);
    setError(undefined);
    const result = await signInWithPassword(email, password);
    if (result.ok) return onConfirmed();
    setError(result.message.startsWith('The e-mail address') ? 'The password is wrong.' : result.message);
    setBusy(false);
  }

  const here = typeof window === 'undefined' ? paths.overview() : window.location.pathname + window.location.search;
  return (
    <FormDialog
      title="Confirm your identity"
      description="This action concerns a secret, the rights of a key or a person, or the whole organisation, and you signed in more than 10 minutes ago."
      error={error}
      submitLabel="Confirm"
      busy={busy}
      onSubmit={(event) => void submit(event)}
      onClose={onClose}
    >
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <PasswordField
        label={`Password of ${email}`}
        name="password"
        autoComplete="current-password"
        required
        data-first
      />
      <p className="text-xs text-muted">
        No password?{' '}
        <a
          href={paths.signIn(here)}
          onClick={(event) => void leave(event, here)}
          className="underline underline-offset-2"
        >
          Sign out and sign in again
        </a>{' '}
        with your usual method.
      </p>
    </FormDialog>
  );
}

/** Signs out first, because the sign-in page redirects signed-in users away. */
async function leave(event: { preventDefault(): void }, here: string): Promise<void> {
  event.preventDefault();
  await signOut();
  window.location.assign(paths.signIn(here));
}
