'use client';

import { TriangleAlert } from 'lucide-react';
import type { KeyJson } from '../../../lib/contract/keys';
import type { CreditsJson } from '../../../lib/contract/credits';
import { NavLink } from '../components/shell/page-transition';
import { useNow } from '../components/ui/now';
import { relativeTime } from '../components/ui/time-ago';
import { expiresSoon } from '../keys/key-state';
import { paths } from '../paths';

const LITTLE_USD = 1;

/** Warnings that need an action; empty if there are none. */
export function Attention({
  credits,
  keys,
  hasBalanceAlert,
}: {
  readonly credits: CreditsJson;
  readonly keys: readonly KeyJson[];
  /** The organisation has chosen its own amount for a warning of low credits. */
  readonly hasBalanceAlert: boolean;
}) {
  const nowMs = useNow();
  const ofMode = keys.filter((key) => key.mode === credits.mode && key.status === 'active');
  const expiring = ofMode.filter((key) => expiresSoon(key, nowMs));
  const used = ofMode.filter(({ limit }) => limit !== null && Number(limit.spent) >= Number(limit.amount));
  const notes = [
    ...(!hasBalanceAlert && Number(credits.available) < LITTLE_USD
      ? [
          {
            message:
              credits.mode === 'test'
                ? 'Less than $1 of test credits is left. You can refill them below for free.'
                : 'Less than $1 of credits is left. Requests that cost more are refused. Ask the operator of this installation for more credits.',
            href: undefined,
          },
        ]
      : []),
    ...expiring.map(({ name, expires_at: at }) => ({
      message: `The key “${name}” expires ${relativeTime(at ?? 0, nowMs)}.`,
      href: paths.keysNamed(name),
    })),
    ...used.map(({ name }) => ({ message: `The key “${name}” has reached its limit.`, href: paths.keysNamed(name) })),
  ];
  if (notes.length === 0) return null;
  return (
    <ul aria-label="Needs attention" className="flex flex-col gap-2">
      {notes.slice(0, 3).map(({ message, href }) => (
        <li
          key={message}
          className="flex items-center gap-3 rounded-xl border border-warn/35 bg-warn/8 px-4 py-3 text-sm"
        >
          <TriangleAlert size={16} className="shrink-0 text-warn" aria-hidden="true" />
          <span className="min-w-0 flex-1">{message}</span>
          {href && (
            <NavLink href={href} title="API keys" className="shrink-0 font-medium underline underline-offset-4">
              View
            </NavLink>
          )}
        </li>
      ))}
    </ul>
  );
}
