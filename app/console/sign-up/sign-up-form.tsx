'use client';

import { useState, type FormEvent } from 'react';
import { signInWithPassword, type Service } from '../components/auth/browser-sign-in';
import { ServiceButtons } from '../components/auth/service-buttons';
import { Button } from '../components/ui/button';
import { fieldText } from '../components/ui/field-text';
import { FormError, TextField } from '../components/ui/field';
import { focusOnArrival } from '../components/ui/focus-on-arrival';
import { PasswordField } from '../components/ui/password-field';
import { ConsoleError, send } from '../console-api';
import { apiPaths, paths } from '../paths';

interface SubmitError {
  readonly param?: string | undefined;
  readonly message: string;
}

const MIN_PASSWORD_CHARS = 10;

export function SignUpForm({ services }: { readonly services: readonly Service[] }) {
  const [error, setError] = useState<SubmitError>();
  const [busy, setBusy] = useState(false);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const text = (name: string) => fieldText(new FormData(form), name);
    setBusy(true);
    setError(undefined);
    try {
      const optional = {
        ...(text('name').trim() && { name: text('name') }),
        ...(text('organization').trim() && { organization: text('organization') }),
      };
      await send('POST', apiPaths.signUp(), { email: text('email'), password: text('password'), ...optional });
      const signIn = await signInWithPassword(text('email'), text('password'));
      window.location.assign(signIn.ok ? paths.overview() : paths.signIn());
    } catch (error) {
      const { param, message } =
        error instanceof ConsoleError
          ? error
          : { param: undefined, message: 'Something went wrong on this page. Reload it and try again.' };
      setError({ param, message });
      setBusy(false);
      if (param) form.querySelector<HTMLInputElement>(`[name="${CSS.escape(param)}"]`)?.focus();
    }
  }

  const fields = ['email', 'password', 'name', 'organization'];
  const errorOf = (name: string) => (error?.param === name ? error.message : undefined);
  return (
    <form method="post" onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      {services.length > 0 && (
        <>
          <ServiceButtons
            services={services}
            next={paths.overview()}
            onError={(message) => setError(message === undefined ? undefined : { message })}
          />
          <div className="flex items-center gap-3 text-xs text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
            or with a password
          </div>
        </>
      )}
      <FormError>{error && !fields.includes(error.param ?? '') ? error.message : undefined}</FormError>
      <TextField
        label="Your name"
        name="name"
        autoComplete="name"
        maxLength={100}
        ref={focusOnArrival}
        error={errorOf('name')}
      />
      <TextField
        label="Organisation"
        name="organization"
        autoComplete="organization"
        maxLength={100}
        placeholder="My organisation"
        error={errorOf('organization')}
      />
      <TextField
        label="E-mail"
        name="email"
        type="email"
        autoComplete="username"
        inputMode="email"
        autoCapitalize="none"
        spellCheck={false}
        required
        error={errorOf('email')}
      />
      <PasswordField
        label="Password"
        name="password"
        autoComplete="new-password"
        required
        minLength={MIN_PASSWORD_CHARS}
        maxLength={200}
        hint={`At least ${MIN_PASSWORD_CHARS} characters.`}
        error={errorOf('password')}
      />
      <Button type="submit" variant="primary" busy={busy} className="mt-1 h-10 w-full">
        Create the owner account
      </Button>
      <noscript>
        <p className="text-sm text-muted">Setup requires JavaScript. Enable it for this page and reload.</p>
      </noscript>
    </form>
  );
}
