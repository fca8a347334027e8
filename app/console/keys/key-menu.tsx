'use client';

import { Ban, CirclePause, CirclePlay, Ellipsis, Film, RefreshCw, SlidersHorizontal } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useSWRConfig } from 'swr';
import type { KeyJson } from '../../../lib/accounts/accounts';
import { buttonClass } from '../components/ui/button';
import { Menu } from '../components/ui/menu';
import { notify } from '../components/ui/notices';
import { send } from '../console-api';
import { apiPaths, paths } from '../paths';
import { loadKeyDialogs } from './key-dialogs';

export interface KeyActions {
  onEdit(): void;
  onRotate(): void;
  onRevoke(): void;
  /** A sentence about what could not be done; undefined takes it away. */
  onFault(says: string | undefined): void;
}

export function KeyMenu({ of: key, onEdit, onRotate, onRevoke, onFault }: KeyActions & { readonly of: KeyJson }) {
  const { mutate } = useSWRConfig();
  const router = useRouter();
  const disabled = key.status === 'disabled';

  async function toggle() {
    onFault(undefined);
    try {
      await send('PATCH', apiPaths.key(key.id), { disabled: !disabled });
      notify(
        disabled
          ? `“${key.name}” works again.`
          : `“${key.name}” is disabled. Requests with it are refused within 5 seconds.`,
      );
    } catch (error) {
      onFault(error instanceof Error ? error.message : 'That did not work. Try again.');
    }
    await mutate(apiPaths.keys());
  }

  return (
    <Menu
      trigger={
        <button
          type="button"
          aria-label={`Actions for ${key.name}`}
          onPointerDown={() => void loadKeyDialogs()}
          className={buttonClass({ look: 'quiet', size: 'icon' })}
        >
          <Ellipsis size={16} aria-hidden="true" />
        </button>
      }
      entries={[
        { says: 'Edit limit and access…', icon: SlidersHorizontal, onSelect: onEdit },
        ...(key.status === 'active' ? [{ says: 'Rotate…', icon: RefreshCw, onSelect: onRotate }] : []),
        ...(key.status === 'expired'
          ? []
          : [
              {
                says: disabled ? 'Enable' : 'Disable',
                icon: disabled ? CirclePlay : CirclePause,
                onSelect: () => void toggle(),
              },
            ]),
        {
          says: 'Show its videos',
          icon: Film,
          onSelect: () => router.push(paths.videos({ mode: key.mode, key: key.id })),
        },
        { says: 'Revoke…', icon: Ban, tone: 'danger', apart: true, onSelect: onRevoke },
      ]}
    />
  );
}
