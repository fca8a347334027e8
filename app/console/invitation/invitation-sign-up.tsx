'use client';

import type { AcceptedInvitationJson } from '../../../lib/contract/invitations';
import { AccountFields, useAccountForm } from '../components/auth/account-fields';
import { signInWithPassword } from '../components/auth/browser-sign-in';
import { Button } from '../components/ui/button';
import { FormError } from '../components/ui/field';
import { Form } from '../components/ui/form';
import { send } from '../console-api';
import { apiPaths } from '../api-paths';
import { paths } from '../paths';

/** Creates an account with an invitation, and signs in to it. */
export function InvitationSignUp({
  email,
  token,
  onAccepted,
}: {
  /** The e-mail address that the invitation is limited to; null if anyone may use it. */
  readonly email: string | null;
  readonly token: string;
  onAccepted(accepted: AcceptedInvitationJson): void;
}) {
  const { busy, formError, errorOf, submit } = useAccountForm(async (text) => {
    const accepted = await send<AcceptedInvitationJson>('POST', apiPaths.invitationSignUp(), {
      token,
      password: text('password'),
      ...(email === null ? { email: text('email') } : {}),
      ...(text('name').trim() && { name: text('name') }),
    });
    const signIn = await signInWithPassword(accepted.email, text('password'));
    if (signIn.ok) onAccepted(accepted);
    else window.location.assign(paths.signIn());
  });
  return (
    <Form send={submit} className="flex flex-col gap-4">
      <FormError>{formError}</FormError>
      <AccountFields {...(email === null ? {} : { email })} errorOf={errorOf} />
      <Button type="submit" variant="primary" busy={busy} className="mt-1 h-10 w-full">
        Create account and join
      </Button>
    </Form>
  );
}
