'use client';

import { useState, type FormEvent } from 'react';
import type { MadeInvitationJson } from '../../../lib/contract/invitations';
import type { Role } from '../../../lib/domain/caller';
import { FormDialog } from '../components/ui/form-dialog';
import { EmailField } from '../components/ui/field';
import { useAsyncAction } from '../components/ui/use-async-action';
import { send } from '../console-api';
import { apiPaths } from '../api-paths';
import { RoleField } from './role-field';

/** Creates an invitation. `onMade` receives it with its link. */
export function InviteDialog({
  orgName,
  canMail,
  mayMakeOwner,
  onMade,
  onClose,
}: {
  readonly orgName: string;
  /** Whether this installation sends e-mails. */
  readonly canMail: boolean;
  readonly mayMakeOwner: boolean;
  onMade(made: MadeInvitationJson): Promise<unknown>;
  onClose(): void;
}) {
  const [role, setRole] = useState<Role>('developer');
  const [email, setEmail] = useState('');
  const { busy, error, run } = useAsyncAction('The invitation could not be made. Try again.', 'stay-busy');

  function submit(event: FormEvent) {
    event.preventDefault();
    // The form is in a portal, but React bubbles its events to a form around the trigger.
    event.stopPropagation();
    const address = email.trim();
    void run(async () => {
      const body = { role, ...(address === '' ? {} : { email: address }) };
      await onMade(await send<MadeInvitationJson>('POST', apiPaths.invitations(), body));
    });
  }

  return (
    <FormDialog
      title={`Invite someone to ${orgName}`}
      description="You get a link that works once, within 7 days, also for people without an account."
      error={error}
      submitLabel="Create invitation"
      busy={busy}
      onSubmit={submit}
      onClose={onClose}
    >
      <EmailField
        label="E-mail (optional)"
        autoComplete="off"
        value={email}
        onChange={(event) => setEmail(event.target.value)}
        hint={
          canMail
            ? 'We send the link there, and only an account with this address can use it. Without one, anyone who has the link can.'
            : 'Only an account with this address can use the link. Without one, anyone who has it can. This installation sends no e-mails.'
        }
        data-first
      />
      <RoleField value={role} mayMakeOwner={mayMakeOwner} onChange={setRole} />
    </FormDialog>
  );
}
