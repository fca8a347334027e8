'use client';

import { Ban, CircleCheck, CirclePause, CirclePlay, Clock, Ellipsis, RefreshCw, Trash2 } from 'lucide-react';
import { useSWRConfig } from 'swr';
import type { KeyJson } from '../../../lib/accounts/accounts';
import { buttonClass } from '../_ui/button';
import { Chip } from '../_ui/chip';
import { Menu, type MenuEntry } from '../_ui/menu';
import { usd } from '../_ui/money';
import { notify } from '../_ui/notices';
import { Cell, Row } from '../_ui/table';
import { TimeAgo } from '../_ui/time-ago';
import { send } from '../console-api';
import { apiPaths } from '../paths';

/** Without the callbacks, whoever looks may not change anything. */
export function KeyRow({ of: key, me, onRotate, onRevoke }: { readonly of: KeyJson; readonly me: string; readonly onRotate?: () => void; readonly onRevoke?: () => void }) {
  return (
    <Row>
      <Cell full className="lg:w-full lg:max-w-0">
        <div className="truncate font-medium max-lg:pr-12">{key.name}</div>
        <div className="truncate text-xs text-muted">
          Created {key.created_by === me && 'by you '}
          <TimeAgo at={key.created_at} />
        </div>
      </Cell>
      <Cell full className="whitespace-nowrap">
        <span className="inline-flex items-center gap-2">
          <code className="font-mono text-xs">{key.display}</code>
          {key.scopes.includes('manage') && <Chip tone="accent">manage</Chip>}
        </span>
      </Cell>
      <Cell name="Spent" className="tabular-nums">
        <Spent limit={key.limit} />
      </Cell>
      <Cell name="Last used" className="whitespace-nowrap text-muted">
        {key.last_used_at === null ? 'Never' : <TimeAgo at={key.last_used_at} />}
      </Cell>
      <Cell name="Expires" className="whitespace-nowrap text-muted">
        {key.expires_at === null ? 'Never' : <TimeAgo at={key.expires_at} />}
      </Cell>
      <Cell name="Status">
        <KeyStatusChip status={key.status} />
      </Cell>
      {onRotate && onRevoke && (
        <Cell corner align="right">
          {key.status !== 'revoked' && <KeyMenu of={key} onRotate={onRotate} onRevoke={onRevoke} />}
        </Cell>
      )}
    </Row>
  );
}

function Spent({ limit }: { readonly limit: KeyJson['limit'] }) {
  if (!limit) return <span className="whitespace-nowrap text-muted">No limit</span>;
  const share = Math.min(1, Number(limit.amount) > 0 ? Number(limit.spent) / Number(limit.amount) : 1);
  const period = limit.period === 'total' ? '' : ` ${limit.period}`;
  return (
    <div className="max-w-36">
      <div className="whitespace-nowrap">
        {usd(limit.spent)} <span className="text-muted">of {usd(limit.amount) + period}</span>
      </div>
      {/* Says what the two amounts say. */}
      <div aria-hidden="true" className="mt-1 h-1 overflow-hidden rounded-full bg-line">
        <div className={share >= 1 ? 'h-full bg-bad' : share >= 0.8 ? 'h-full bg-warn' : 'h-full bg-accent'} style={{ width: `${share * 100}%` }} />
      </div>
    </div>
  );
}

const STATUSES = {
  active: { tone: 'good', icon: CircleCheck, word: 'Active' },
  disabled: { tone: 'neutral', icon: CirclePause, word: 'Disabled' },
  expired: { tone: 'warn', icon: Clock, word: 'Expired' },
  revoked: { tone: 'bad', icon: Ban, word: 'Revoked' },
} as const;

function KeyStatusChip({ status }: { readonly status: KeyJson['status'] }) {
  const { tone, icon, word } = STATUSES[status];
  return (
    <Chip tone={tone} icon={icon}>
      {word}
    </Chip>
  );
}

function KeyMenu({ of: key, onRotate, onRevoke }: { readonly of: KeyJson; onRotate(): void; onRevoke(): void }) {
  const { mutate } = useSWRConfig();
  const disabled = key.status === 'disabled';

  async function toggle() {
    try {
      await send('PATCH', apiPaths.key(key.id), { disabled: !disabled });
      notify(disabled ? `“${key.name}” works again.` : `“${key.name}” is disabled. Requests with it are refused within 5 seconds.`);
    } catch (error) {
      notify(error instanceof Error ? error.message : 'That did not work. Try again.');
    }
    await mutate(apiPaths.keys());
  }

  const toggling: MenuEntry = { says: disabled ? 'Enable' : 'Disable', icon: disabled ? CirclePlay : CirclePause, onSelect: () => void toggle() };
  return (
    <Menu
      trigger={
        <button type="button" aria-label={`Actions for ${key.name}`} className={buttonClass({ look: 'quiet', size: 'icon' })}>
          <Ellipsis size={16} aria-hidden="true" />
        </button>
      }
      entries={[
        { says: 'Rotate…', icon: RefreshCw, onSelect: onRotate },
        ...(key.status === 'expired' ? [] : [toggling]),
        { says: 'Revoke…', icon: Trash2, tone: 'danger', apart: true, onSelect: onRevoke },
      ]}
    />
  );
}
