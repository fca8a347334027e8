import { Archive, CircleCheck, CirclePause, Trash2 } from 'lucide-react';
import type { OrganizationJson } from '../../../lib/contract/organizations';
import { Chip } from '../components/ui/chip';

/** How the console shows the state of an organisation. */
export const organizationStates = {
  active: { tone: 'good', icon: CircleCheck, word: 'Active' },
  suspended: { tone: 'bad', icon: CirclePause, word: 'Suspended' },
  deleting: { tone: 'warn', icon: Trash2, word: 'Being deleted' },
  erased: { tone: 'neutral', icon: Archive, word: 'Erased' },
} as const satisfies Record<OrganizationJson['state'], object>;

export function OrganizationStateChip({ state }: { readonly state: OrganizationJson['state'] }) {
  const { tone, icon, word } = organizationStates[state];
  return (
    <Chip tone={tone} icon={icon}>
      {word}
    </Chip>
  );
}
