'use client';

import type { FormEvent } from 'react';
import { Button } from '../components/ui/button';
import { Card, Section } from '../components/ui/card';
import { FormError } from '../components/ui/field';
import { fieldText } from '../components/ui/field-text';
import { toast } from '../components/ui/toast';
import { PasswordField } from '../components/ui/password-field';
import { useAsyncAction } from '../components/ui/use-async-action';
import { send } from '../console-api';
import { apiPaths } from '../api-paths';

/** Users who signed in some time ago must confirm the current password before they can set a new one. */
export function PasswordSection({ email }: { readonly email: string }) {
  const { busy, error, run } = useAsyncAction('The password could not be changed. Try again.');

  function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const form = event.currentTarget;
    return run(async () => {
      await send('POST', apiPaths.password(), { password: fieldText(new FormData(form), 'password') });
      form.reset();
      toast('Your password was changed. You were signed out on all other devices.');
    });
  }

  return (
    <Section id="password" title="Password" description="Changing the password signs you out on all other devices.">
      <Card className="p-4 sm:p-5">
        <form method="post" onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
          <FormError>{error}</FormError>
          <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
          <PasswordField
            label="New password"
            name="password"
            autoComplete="new-password"
            required
            minLength={10}
            maxLength={200}
            hint="At least 10 characters."
          />
          <Button type="submit" variant="primary" busy={busy} className="self-start">
            Change password
          </Button>
        </form>
      </Card>
    </Section>
  );
}
