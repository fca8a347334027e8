'use client';

import { usePathname, useRouter, useSearchParams } from 'next/navigation';
import { useId, useTransition } from 'react';
import useSWR from 'swr';
import type { CreditsJson } from '../../../../lib/contract/credits';
import type { Mode } from '../../../../lib/domain/video';
import { classNames } from '../ui/class-names';
import { usdCents } from '../ui/money';
import { usd } from '../../../../lib/domain/money';
import { ask } from '../../console-api';
import { apiPaths } from '../../api-paths';
import { paths } from '../../paths';
import { rememberMode, useMode } from './mode';

const MODES: readonly { readonly mode: Mode; readonly label: string; readonly description: string }[] = [
  {
    mode: 'test',
    label: 'Test',
    description: 'Test mode: requests run in the sandbox on this machine and use test credits',
  },
  { mode: 'live', label: 'Live', description: 'Live mode: requests go to providers and use credits' },
];

/** Refresh interval of the balance. Pages that watch a video refresh the same SWR key more often. */
const BALANCE_REFRESH_INTERVAL_MS = 20_000;

/** Returns a function that switches the mode and stays on the page. The command palette uses it too. */
export function useSwitchMode(): { readonly switching: boolean; switchMode(mode: Mode): void } {
  const router = useRouter();
  const pathname = usePathname();
  const params = useSearchParams();
  const [switching, startTransition] = useTransition();
  return {
    switching,
    switchMode(mode) {
      rememberMode(mode);
      startTransition(() => router.push(pathInMode(pathname, params, mode)));
    },
  };
}

/**
 * Returns the URL of the same page with the same filters in the other mode. A request exists in only one mode, so its
 * page is replaced by the list.
 */
function pathInMode(pathname: string, params: URLSearchParams, mode: Mode): string {
  if (pathname.startsWith(`${paths.videos()}/`)) return paths.videos({ mode });
  if (pathname.startsWith(`${paths.requests()}/`)) return paths.requests({ mode });
  const kept = new URLSearchParams(params);
  kept.set('mode', mode);
  return `${pathname}?${kept}`;
}

export function ModeSwitch({ compact = false }: { readonly compact?: boolean }) {
  const current = useMode();
  const { switching, switchMode } = useSwitchMode();
  // The frame renders two switches (narrow and wide), and browsers group radio buttons by name.
  const name = useId();
  return (
    <fieldset aria-busy={switching || undefined} className="flex rounded-lg border border-line bg-canvas p-0.5">
      <legend className="sr-only">Mode</legend>
      {MODES.map(({ mode, label, description }) => (
        <label
          key={mode}
          title={description}
          className={classNames(
            'relative inline-flex flex-1 items-center justify-center gap-1.5 rounded-md px-2.5 text-xs font-medium transition-colors has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent',
            compact ? 'h-9 min-w-14' : 'h-7',
            mode === current
              ? 'bg-raised text-ink shadow-[0_0_0_1px_var(--line),0_1px_2px_oklch(0_0_0/0.06)]'
              : 'text-muted hover:text-ink',
          )}
        >
          <input
            type="radio"
            name={name}
            checked={mode === current}
            onChange={() => switchMode(mode)}
            className="absolute inset-0 cursor-pointer opacity-0"
          />
          <span
            aria-hidden="true"
            className={classNames(
              'size-1.5 rounded-full',
              mode !== current ? 'bg-line-strong' : mode === 'test' ? 'bg-test' : 'bg-good',
            )}
          />
          {label}
        </label>
      ))}
    </fieldset>
  );
}

/** The available credits of the current mode. */
export function ModeBalance({ credits }: { readonly credits: Readonly<Record<Mode, CreditsJson>> }) {
  const mode = useMode();
  const { data } = useSWR(apiPaths.credits(mode), (path) => ask<CreditsJson>(path), {
    fallbackData: credits[mode],
    refreshInterval: BALANCE_REFRESH_INTERVAL_MS,
    revalidateOnMount: false,
  });
  return (
    <dl className="flex items-baseline justify-between gap-2 px-1 text-xs">
      <dt className="text-muted">{mode === 'test' ? 'Test credits' : 'Credits'}</dt>
      <dd className="truncate font-medium tabular-nums" title={usd(data.available)}>
        {usdCents(data.available)}
      </dd>
    </dl>
  );
}
