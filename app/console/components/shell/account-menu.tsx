'use client';

import { BookOpen, LogOut, MonitorX, UserRound } from 'lucide-react';
import { useRouter } from 'next/navigation';
import type { Role } from '../../../../lib/domain/caller';
import { buttonClass } from '../ui/button-class';
import { Chip } from '../ui/chip';
import { Menu } from '../ui/menu';
import { toast } from '../ui/toast';
import { send } from '../../console-api';
import { apiPaths } from '../../api-paths';
import { paths } from '../../paths';

export function AccountMenu({
  email,
  name,
  role,
  orgName,
}: {
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly orgName: string;
}) {
  const router = useRouter();

  async function leave(everywhere: boolean) {
    try {
      if (everywhere) await send('POST', apiPaths.signOutEverywhere());
      const { signOut } = await import('../auth/browser-sign-in');
      await signOut();
      window.location.assign(paths.signIn());
    } catch {
      toast('You could not be signed out. Check your connection and try again.');
    }
  }

  return (
    <Menu
      trigger={
        <button
          type="button"
          aria-label={`Account of ${email}`}
          className={buttonClass({ variant: 'quiet', size: 'icon' }, 'rounded-full!')}
        >
          <span
            aria-hidden="true"
            className="grid size-7 place-items-center rounded-full bg-accent-soft text-xs font-semibold text-accent uppercase"
          >
            {name.slice(0, 1)}
          </span>
        </button>
      }
      header={
        <>
          <span className="flex items-center justify-between gap-4">
            <span className="truncate font-medium">{name}</span>
            <Chip tone="neutral">{role}</Chip>
          </span>
          {name !== email && <span className="block truncate text-xs text-muted">{email}</span>}
          <span className="block truncate text-xs text-muted">{orgName}</span>
        </>
      }
      items={[
        { label: 'Your account', icon: UserRound, onSelect: () => router.push(paths.account()) },
        { label: 'Documentation', icon: BookOpen, onSelect: () => window.location.assign(paths.docs()) },
        { label: 'Sign out', icon: LogOut, separatorAbove: true, onSelect: () => void leave(false) },
        { label: 'Sign out everywhere', icon: MonitorX, onSelect: () => void leave(true) },
      ]}
    />
  );
}
