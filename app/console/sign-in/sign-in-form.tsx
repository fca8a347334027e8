'use client';

import { useRef, useState, type FormEvent } from 'react';
import { signInWithPassword } from '../_auth/browser-sign-in';
import { Button } from '../_ui/button';
import { fieldText } from '../_ui/field-text';
import { FormError, TextField } from '../_ui/field';
import { focusOnArrival } from '../_ui/focus-on-arrival';
import { PasswordField } from '../_ui/password-field';
import { apiPaths } from '../paths';

/** `next` is a path of ours, already judged by the server. */
export function SignInForm({ next, refusal }: { readonly next: string; readonly refusal?: string }) {
  const [fault, setFault] = useState(refusal);
  const [busy, setBusy] = useState(false);
  const password = useRef<HTMLInputElement>(null);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    setBusy(true);
    setFault(undefined);
    const result = await signInWithPassword(fieldText(fields, 'email'), fieldText(fields, 'password'));
    if (result.ok) {
      // A real navigation: the password manager sees that it worked, and nothing of the signed-out page stays.
      window.location.assign(next);
      return;
    }
    setFault(result.says);
    setBusy(false);
    password.current?.select();
  }

  // The action is where a form goes that is sent before the script has loaded; without one the password would end in the address.
  return (
    <form method="post" action={apiPaths.signInWithPassword()} onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      <FormError>{fault}</FormError>
      <TextField label="E-mail" name="email" type="email" autoComplete="username" inputMode="email" autoCapitalize="none" spellCheck={false} required ref={focusOnArrival} />
      <PasswordField label="Password" name="password" autoComplete="current-password" required inputRef={password} />
      <Button type="submit" look="primary" busy={busy} className="mt-1 h-10 w-full">
        Sign in
      </Button>
      <noscript>
        <p className="text-sm text-muted">Signing in needs JavaScript. Switch it on for this page and reload.</p>
      </noscript>
    </form>
  );
}
