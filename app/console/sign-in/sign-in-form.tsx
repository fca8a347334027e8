'use client';

import { MailCheck } from 'lucide-react';
import { useRef, useState } from 'react';
import { signInWithPassword, type Service } from '../components/auth/browser-sign-in';
import { LastUsedBadge, ServiceButtons, useLastMethod } from '../components/auth/service-buttons';
import { Button } from '../components/ui/button';
import { fieldText } from '../components/ui/field-text';
import { EmailField, FormError } from '../components/ui/field';
import { focusOnArrival } from '../components/ui/focus-on-arrival';
import { Form } from '../components/ui/form';
import { PasswordField } from '../components/ui/password-field';
import { send } from '../console-api';
import { apiPaths } from '../api-paths';

export interface SignInFormProps {
  /** A path of this console, validated by the server. */
  readonly next: string;
  readonly refusal?: string;
  readonly services: readonly Service[];
  readonly mailsLinks: boolean;
}

export function SignInForm({ next, refusal, services, mailsLinks }: SignInFormProps) {
  const [error, setError] = useState(refusal);
  const [busy, setBusy] = useState<'password' | 'link'>();
  const [mailedTo, setMailedTo] = useState<string>();
  const password = useRef<HTMLInputElement>(null);
  const last = useLastMethod();

  async function signIn(fields: FormData) {
    setBusy('password');
    setError(undefined);
    const result = await signInWithPassword(fieldText(fields, 'email'), fieldText(fields, 'password'));
    if (result.ok) {
      // A full page load, so that password managers detect the success and no signed-out state remains.
      window.location.assign(next);
      return;
    }
    setError(result.message);
    setBusy(undefined);
    password.current?.select();
  }

  async function mailLink(form: HTMLFormElement | null) {
    const field = form?.querySelector<HTMLInputElement>('[name="email"]');
    if (!field?.reportValidity()) return;
    setBusy('link');
    setError(undefined);
    try {
      await send('POST', apiPaths.mailLink(), { email: field.value });
      setMailedTo(field.value.trim());
    } catch (error) {
      setError(error instanceof Error ? error.message : 'The link could not be sent. Try again.');
    }
    setBusy(undefined);
  }

  if (mailedTo !== undefined) return <LinkMailed to={mailedTo} onBack={() => setMailedTo(undefined)} />;
  return (
    <div className="flex flex-col gap-5">
      <FormError>{error}</FormError>
      {services.length > 0 && (
        <>
          <ServiceButtons services={services} next={next} onError={setError} />
          <div className="flex items-center gap-3 text-xs text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
            or
          </div>
        </>
      )}
      <Form send={(fields) => void signIn(fields)} className="flex flex-col gap-4">
        <EmailField label="E-mail" name="email" autoComplete="username" required ref={focusOnArrival} />
        <PasswordField label="Password" name="password" autoComplete="current-password" required inputRef={password} />
        <Button
          type="submit"
          variant="primary"
          busy={busy === 'password'}
          disabled={busy !== undefined}
          className="relative mt-1 h-10 w-full"
        >
          Sign in
        </Button>
        {mailsLinks && (
          <Button
            variant="quiet"
            busy={busy === 'link'}
            disabled={busy !== undefined}
            onClick={(event) => void mailLink(event.currentTarget.form)}
            className="relative h-10 w-full"
          >
            Send me a sign-in link
            {last === 'link' && <LastUsedBadge />}
          </Button>
        )}
        <noscript>
          <p className="text-sm text-muted">Signing in requires JavaScript. Enable it for this page and reload.</p>
        </noscript>
      </Form>
    </div>
  );
}

function LinkMailed({ to, onBack }: { readonly to: string; onBack(): void }) {
  return (
    <output className="flex flex-col items-start gap-3 rounded-xl border border-line bg-surface p-5">
      <MailCheck size={20} aria-hidden="true" className="text-good" />
      <p className="text-sm">
        If there is an account for <span className="font-medium break-all">{to}</span>, we have sent a link to it. It
        works once and expires in 10 minutes.
      </p>
      <Button size="small" onClick={onBack}>
        Use another method
      </Button>
    </output>
  );
}
