'use client';

import { TriangleAlert } from 'lucide-react';
import type { KeyJson } from '../../../lib/contract/keys';
import type { CreditsJson } from '../../../lib/contract/credits';
import { NavLink } from '../components/shell/page-transition';
import { useNow } from '../components/ui/now';
import { relativeTime } from '../components/ui/time-ago';
import { expiresSoon, isUsedUp } from '../keys/key-state';
import { paths } from '../paths';

const LITTLE_USD = 1;

/** Warnings that need an action. Renders nothing without warnings. */
export function Attention({
  credits,
  keys,
  hasBalanceAlert,
}: {
  readonly credits: CreditsJson;
  readonly keys: readonly KeyJson[];
  /** The organisation has an alert of its own for low credits. */
  readonly hasBalanceAlert: boolean;
}) {
  const nowMs = useNow();
  const ofMode = keys.filter((key) => key.mode === credits.mode && key.status === 'active');
  const expiring = ofMode.filter((key) => expiresSoon(key, nowMs));
  const used = ofMode.filter(({ limit }) => isUsedUp(limit));
  const projects = new Map(
    ofMode.flatMap(({ project }) => (project && isUsedUp(project.limit) ? [[project.id, project.name] as const] : [])),
  );
  const notes = [
    ...(!hasBalanceAlert && Number(credits.available) < LITTLE_USD
      ? [
          {
            id: 'credits',
            message:
              credits.mode === 'test'
                ? 'Less than $1 of test credits is left. You can refill them below for free.'
                : 'Less than $1 of credits is left. Requests that cost more are refused. Ask the operator of this installation for more credits.',
            to: undefined,
          },
        ]
      : []),
    ...expiring.map(({ id, name, expires_at: at }) => ({
      id: `${id} expires`,
      message: `The key “${name}” expires ${relativeTime(at ?? 0, nowMs)}.`,
      to: { path: paths.keysNamed(name), title: 'API keys' },
    })),
    ...used.map(({ id, name }) => ({
      id: `${id} is used up`,
      message: `The key “${name}” has reached its limit.`,
      to: { path: paths.keysNamed(name), title: 'API keys' },
    })),
    ...[...projects].map(([id, name]) => ({
      id,
      message: `The budget of the project “${name}” is used up: its keys are refused.`,
      to: { path: paths.project(id, credits.mode), title: name },
    })),
  ];
  if (notes.length === 0) return null;
  return (
    <ul aria-label="Needs attention" className="flex flex-col gap-2">
      {notes.slice(0, 3).map(({ id, message, to }) => (
        <li key={id} className="flex items-center gap-3 rounded-xl border border-warn/35 bg-warn/8 px-4 py-3 text-sm">
          <TriangleAlert size={16} className="shrink-0 text-warn" aria-hidden="true" />
          <span className="min-w-0 flex-1">{message}</span>
          {to && (
            <NavLink href={to.path} title={to.title} className="shrink-0 font-medium underline underline-offset-4">
              View
            </NavLink>
          )}
        </li>
      ))}
    </ul>
  );
}
