'use client';

import type { Role } from '../../../lib/domain/caller';
import { ChoiceCards } from '../components/ui/choice-cards';
import { ROLE_WORDS } from './role-words';

/** Chooses a role; only owners may choose owner. */
export function RoleField({
  value,
  mayMakeOwner,
  onChange,
}: {
  readonly value: Role;
  readonly mayMakeOwner: boolean;
  onChange(role: Role): void;
}) {
  return (
    <ChoiceCards
      legend="Role"
      name="role"
      value={value}
      choices={ROLE_WORDS.filter(({ role }) => mayMakeOwner || role !== 'owner').map(({ role, name, description }) => ({
        value: role,
        title: name,
        description,
      }))}
      onChange={onChange}
    />
  );
}
