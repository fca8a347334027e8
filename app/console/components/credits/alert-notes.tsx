'use client';

import { TriangleAlert } from 'lucide-react';
import type { AlertJson, AlertListJson } from '../../../../lib/contract/alerts';
import { paths } from '../../paths';
import { NavLink } from '../shell/page-transition';
import { usdCents } from '../ui/money';
import { usd } from '../../../../lib/domain/money';

/** Returns the sentence for a crossed alert. */
export function alertSentence({ kind, amount, value, mode }: AlertJson): string {
  const credits = mode === 'test' ? 'test credits' : 'credits';
  if (kind === 'low_balance') return `${usdCents(value)} of ${credits} is left, less than ${usd(amount)}.`;
  const time = kind === 'daily_spend' ? 'today' : 'this month';
  return `${usdCents(value)} of ${credits} was spent ${time} (UTC); the alert is at ${usd(amount)}.`;
}

/** Lists the alerts that are crossed now. Renders nothing if there are none. */
export function AlertNotes({ alerts }: { readonly alerts: AlertListJson }) {
  const crossed = alerts.data.filter((alert) => alert.crossed);
  if (crossed.length === 0) return null;
  return (
    <ul aria-label="Alerts" className="flex flex-col gap-2">
      {crossed.slice(0, 3).map((alert) => (
        <li
          key={alert.id}
          className="flex items-center gap-3 rounded-xl border border-warn/35 bg-warn/8 px-4 py-3 text-sm"
        >
          <TriangleAlert size={16} className="shrink-0 text-warn" aria-hidden="true" />
          <span className="min-w-0 flex-1">{alertSentence(alert)}</span>
          <NavLink href={paths.alerts()} title="Alerts" className="shrink-0 font-medium underline underline-offset-4">
            Alerts
          </NavLink>
        </li>
      ))}
    </ul>
  );
}
