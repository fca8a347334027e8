'use client';

import { Ban, CirclePause, CirclePlay, Ellipsis, Logs, RefreshCw, SlidersHorizontal } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useSWRConfig } from 'swr';
import type { KeyJson } from '../../../lib/contract/keys';
import { buttonClass } from '../components/ui/button-class';
import { Menu } from '../components/ui/menu';
import { toast } from '../components/ui/toast';
import { send } from '../console-api';
import { apiPaths } from '../api-paths';
import { paths } from '../paths';
import { loadKeyDialogs } from './key-dialogs';

export interface KeyActions {
  onEdit(): void;
  onRotate(): void;
  onRevoke(): void;
  /** Reports an error message; undefined clears it. */
  onError(message: string | undefined): void;
}

export function KeyMenu({ of: key, onEdit, onRotate, onRevoke, onError }: KeyActions & { readonly of: KeyJson }) {
  const { mutate } = useSWRConfig();
  const router = useRouter();
  const disabled = key.status === 'disabled';

  async function toggle() {
    onError(undefined);
    try {
      await send('PATCH', apiPaths.key(key.id), { disabled: !disabled });
      toast(
        disabled
          ? `“${key.name}” is enabled.`
          : `“${key.name}” is disabled. Requests with it are refused within 5 seconds.`,
      );
    } catch (error) {
      onError(error instanceof Error ? error.message : 'The key could not be changed. Try again.');
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
          className={buttonClass({ variant: 'quiet', size: 'icon' })}
        >
          <Ellipsis size={16} aria-hidden="true" />
        </button>
      }
      items={[
        { label: 'Edit limit and access…', icon: SlidersHorizontal, onSelect: onEdit },
        ...(key.status === 'active' ? [{ label: 'Rotate…', icon: RefreshCw, onSelect: onRotate }] : []),
        ...(key.status === 'expired'
          ? []
          : [
              {
                label: disabled ? 'Enable' : 'Disable',
                icon: disabled ? CirclePlay : CirclePause,
                onSelect: () => void toggle(),
              },
            ]),
        {
          label: 'Show requests',
          icon: Logs,
          onSelect: () => router.push(paths.requests({ mode: key.mode, key: key.id })),
        },
        { label: 'Revoke…', icon: Ban, tone: 'danger', separatorAbove: true, onSelect: onRevoke },
      ]}
    />
  );
}
