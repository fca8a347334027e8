'use client';

import { useState, type FormEvent } from 'react';
import type { MemberJson } from '../../../lib/contract/members';
import type { Role } from '../../../lib/domain/caller';
import { FormDialog } from '../components/ui/form-dialog';
import { toast } from '../components/ui/toast';
import { useAsyncAction } from '../components/ui/use-async-action';
import { send } from '../console-api';
import { apiPaths } from '../api-paths';
import { RoleField } from './role-field';
import { roleName } from './role-words';

export function RoleDialog({
  of: member,
  mayMakeOwner,
  onSaved,
  onClose,
}: {
  readonly of: MemberJson;
  readonly mayMakeOwner: boolean;
  onSaved(): Promise<unknown>;
  onClose(): void;
}) {
  const [role, setRole] = useState<Role>(member.role);
  const { busy, error, run } = useAsyncAction('The role could not be changed. Try again.', 'stay-busy');

  function submit(event: FormEvent) {
    event.preventDefault();
    void run(async () => {
      await send('PATCH', apiPaths.member(member.id), { role });
      await onSaved();
      toast(`${member.name ?? member.email} is now ${roleName(role).toLowerCase()}.`);
      onClose();
    });
  }

  return (
    <FormDialog
      title={`Role of ${member.name ?? member.email}`}
      description="Takes effect within 5 seconds, including this person's keys with the scope manage."
      error={error}
      submitLabel="Save"
      busy={busy}
      onSubmit={submit}
      onClose={onClose}
    >
      <RoleField value={role} mayMakeOwner={mayMakeOwner} onChange={setRole} />
    </FormDialog>
  );
}
