'use client';

import type { ReactNode } from 'react';
import { ConsoleError } from '../../console-api';
import { EmailField, TextField } from '../ui/field';
import { focusOnArrival } from '../ui/focus-on-arrival';
import { PasswordField } from '../ui/password-field';

/** Why an account could not be made; `param` is the field. */
export interface AccountError {
  readonly param?: string | undefined;
  readonly message: string;
}

const MIN_PASSWORD_CHARS = 10;

/** The fields of a new account. `children` are between the name and the address. */
export function AccountFields({
  email,
  errorOf,
  children,
}: {
  /** The address, if it cannot be chosen. */
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

/** The error of a failed request; focuses the field that it is about. */
export function accountErrorOf(error: unknown, form: HTMLFormElement): AccountError {
  if (!(error instanceof ConsoleError))
    return { message: 'Something went wrong on this page. Reload it and try again.' };
  const { param, message } = error;
  if (param) form.querySelector<HTMLInputElement>(`[name="${CSS.escape(param)}"]`)?.focus();
  return { param, message };
}
