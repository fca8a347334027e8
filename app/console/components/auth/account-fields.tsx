'use client';

import { useState, type ReactNode } from 'react';
import { ApiError, PatchbayError } from '../../../../lib/client/errors';
import { EmailField, TextField } from '../ui/field';
import { fieldText } from '../ui/field-text';
import { focusOnArrival } from '../ui/focus-on-arrival';
import { PasswordField } from '../ui/password-field';

/** Why an account could not be created. `param` is the field with the error. */
interface AccountError {
  readonly param?: string | undefined;
  readonly message: string;
}

const MIN_PASSWORD_CHARS = 10;

/** The fields of a new account. `children` appear between the name and the e-mail address. */
export function AccountFields({
  email,
  errorOf,
  children,
}: {
  /** The e-mail address, if the user cannot choose it. */
  readonly email?: string;
  errorOf(name: string): string | undefined;
  readonly children?: ReactNode;
}) {
  return (
    <>
      <TextField
        label="Your name"
        name="name"
        autoComplete="name"
        maxLength={100}
        ref={focusOnArrival}
        error={errorOf('name')}
      />
      {children}
      <EmailField
        label="E-mail"
        name="email"
        autoComplete="username"
        required
        error={errorOf('email')}
        {...(email === undefined ? {} : { value: email, readOnly: true })}
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
    </>
  );
}

/**
 * State and submission of a form with `AccountFields`. `save` receives a function that reads a field. If it rejects
 * with an error of the API, the error appears at its field, or above the form if the form does not have that field.
 */
export function useAccountForm(save: (text: (name: string) => string) => Promise<void>) {
  const [error, setError] = useState<AccountError>();
  const [busy, setBusy] = useState(false);

  async function submit(fields: FormData, form: HTMLFormElement) {
    setBusy(true);
    setError(undefined);
    try {
      await save((name) => fieldText(fields, name));
    } catch (thrown) {
      setError(accountErrorOf(thrown, form));
      setBusy(false);
    }
  }

  return {
    busy,
    formError: error?.param === undefined ? error?.message : undefined,
    errorOf: (name: string) => (error?.param === name ? error.message : undefined),
    setFormError: (message: string | undefined) => setError(message === undefined ? undefined : { message }),
    /** The `send` prop of `Form`. */
    submit: (fields: FormData, form: HTMLFormElement) => void submit(fields, form),
  };
}

/** Returns the error of a failed request, and focuses the field that the error is about. */
function accountErrorOf(error: unknown, form: HTMLFormElement): AccountError {
  if (!(error instanceof PatchbayError))
    return { message: 'Something went wrong on this page. Reload it and try again.' };
  const { message } = error;
  const param = error instanceof ApiError ? error.param : undefined;
  const field = param === undefined ? null : form.querySelector<HTMLInputElement>(`[name="${CSS.escape(param)}"]`);
  if (!field) return { message };
  field.focus();
  return { param, message };
}
