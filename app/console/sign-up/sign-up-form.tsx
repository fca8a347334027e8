'use client';

import { AccountFields, useAccountForm } from '../components/auth/account-fields';
import { signInWithPassword, type Service } from '../components/auth/browser-sign-in';
import { ServiceButtons } from '../components/auth/service-buttons';
import { Button } from '../components/ui/button';
import { FormError, TextField } from '../components/ui/field';
import { Form } from '../components/ui/form';
import { send } from '../console-api';
import { apiPaths } from '../api-paths';
import { paths } from '../paths';

export function SignUpForm({ services }: { readonly services: readonly Service[] }) {
  const { busy, formError, errorOf, setFormError, submit } = useAccountForm(async (text) => {
    const optional = {
      ...(text('name').trim() && { name: text('name') }),
      ...(text('organization').trim() && { organization: text('organization') }),
    };
    await send('POST', apiPaths.signUp(), { email: text('email'), password: text('password'), ...optional });
    const signIn = await signInWithPassword(text('email'), text('password'));
    window.location.assign(signIn.ok ? paths.overview() : paths.signIn());
  });
  return (
    <Form send={submit} className="flex flex-col gap-4">
      {services.length > 0 && (
        <>
          <ServiceButtons services={services} next={paths.overview()} onError={setFormError} />
          <div className="flex items-center gap-3 text-xs text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
            or with a password
          </div>
        </>
      )}
      <FormError>{formError}</FormError>
      <AccountFields errorOf={errorOf}>
        <TextField
          label="Organisation"
          name="organization"
          autoComplete="organization"
          maxLength={100}
          placeholder="My organisation"
          error={errorOf('organization')}
        />
      </AccountFields>
      <Button type="submit" variant="primary" busy={busy} className="mt-1 h-10 w-full">
        Create the owner account
      </Button>
      <noscript>
        <p className="text-sm text-muted">Setup requires JavaScript. Enable it for this page and reload.</p>
      </noscript>
    </Form>
  );
}
