'use client';

import { Building2, ChevronsUpDown, Plus } from 'lucide-react';
import { classNames } from '../ui/class-names';
import { Menu } from '../ui/menu';
import { paths } from '../../paths';
import { openOrganization, useOrganizations } from './organization';
import { usePageTransition } from './page-transition';

/** The name of the current organisation, with a menu of all organisations of the user. */
export function OrganizationSwitch({ compact = false, onGo }: { readonly compact?: boolean; onGo?(): void }) {
  const { current, all } = useOrganizations();
  const { go } = usePageTransition();
  return (
    <Menu
      align="start"
      trigger={
        <button
          type="button"
          title={current.name}
          className={classNames(
            'flex min-w-0 items-center gap-2.5 rounded-lg text-left text-sm font-medium transition-colors hover:bg-hover',
            compact ? 'h-11 flex-1 px-2' : 'h-10 w-full shrink-0 border border-line bg-surface px-2 max-lg:h-12',
          )}
        >
          <span
            aria-hidden="true"
            className="grid size-6 shrink-0 place-items-center rounded-md bg-accent-soft text-xs font-semibold text-accent uppercase"
          >
            {current.name.slice(0, 1)}
          </span>
          <span className="min-w-0 flex-1 truncate">
            <span className="sr-only">Switch organisation, now </span>
            {current.name}
          </span>
          <ChevronsUpDown size={14} aria-hidden="true" className="shrink-0 text-muted" />
        </button>
      }
      header={<span className="text-xs text-muted">Your organisations</span>}
      items={[
        ...all.map(({ id, name, role }) => ({
          id,
          label: name,
          detail: role,
          icon: Building2,
          checked: id === current.id,
          onSelect: () => (id === current.id ? undefined : openOrganization(id)),
        })),
        {
          label: 'Create an organisation',
          icon: Plus,
          separatorAbove: true,
          onSelect: () => {
            onGo?.();
            go(paths.newOrganization(), 'Create an organisation');
          },
        },
      ]}
    />
  );
}
