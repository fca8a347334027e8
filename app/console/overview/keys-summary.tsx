'use client';

import { KeyRound, Plus } from 'lucide-react';
import type { KeyJson } from '../../../lib/contract/keys';
import type { Mode } from '../../../lib/domain/video';
import { NavLink } from '../components/shell/page-transition';
import { buttonClass } from '../components/ui/button-class';
import { Card, Section } from '../components/ui/card';
import { TimeAgo } from '../components/ui/time-ago';
import { paths } from '../paths';

const SHOWN = 4;

/** The usable keys of the mode, last used first. */
export function KeysSummary({
  keys,
  mode,
  mayEdit,
}: {
  readonly keys: readonly KeyJson[];
  readonly mode: Mode;
  readonly mayEdit: boolean;
}) {
  const active = keys
    .filter((key) => key.mode === mode && key.status === 'active')
    .sort((a, b) => (b.last_used_at ?? 0) - (a.last_used_at ?? 0));
  return (
    <Section
      id="keys"
      title={`${mode === 'test' ? 'Test' : 'Live'} keys`}
      actions={
        <NavLink
          href={paths.keys()}
          title="API keys"
          className={buttonClass({ variant: 'quiet', size: 'small' }, '-mr-2.5')}
        >
          All keys
        </NavLink>
      }
    >
      <Card>
        <ul>
          {active.slice(0, SHOWN).map((key) => (
            <li key={key.id} className="flex min-h-14 items-center gap-3 border-line px-4 py-2 not-last:border-b">
              <KeyRound size={15} aria-hidden="true" className="shrink-0 text-muted" />
              <div className="min-w-0 flex-1">
                <div className="truncate text-sm font-medium">{key.name}</div>
                <div className="truncate font-mono text-xs text-muted">{key.display}</div>
              </div>
              <span className="shrink-0 text-xs text-muted">
                {key.last_used_at === null ? 'Never used' : <TimeAgo at={key.last_used_at} />}
              </span>
            </li>
          ))}
        </ul>
        {active.length === 0 && (
          <p className="px-4 py-6 text-center text-sm text-muted">There is no usable key in this mode.</p>
        )}
        {mayEdit && (
          <div className="border-t border-line p-2">
            <NavLink
              href={paths.newKey()}
              title="API keys"
              className={buttonClass({ variant: 'quiet', size: 'small' }, 'w-full')}
            >
              <Plus size={14} aria-hidden="true" /> Create a key
            </NavLink>
          </div>
        )}
      </Card>
    </Section>
  );
}
