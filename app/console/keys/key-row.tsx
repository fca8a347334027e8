'use client';

import Link from 'next/link';
import { useState } from 'react';
import type { KeyJson } from '../../../lib/contract/keys';
import { Chip } from '../components/ui/chip';
import { LimitBar } from '../components/ui/limit-bar';
import { LimitPeriod } from '../components/ui/limit-period';
import { linkClass } from '../components/ui/link-class';
import { Cell, Row } from '../components/ui/table';
import { TimeAgo } from '../components/ui/time-ago';
import { Tooltip } from '../components/ui/tooltip';
import { paths } from '../paths';
import { isUsedUp } from './key-state';
import { Expiry, KeyStateChip, LastUse } from './key-chips';
import { KeyMenu, type KeyActions } from './key-menu';
import { KeyName } from './key-name';
import { restrictionsOf } from './key-restrictions';

/** A row of the key table. Without `actions` it is read-only. `replacement` is the key that a rotation created. */
export function KeyRow({
  of: key,
  me,
  replacement,
  actions,
}: {
  readonly of: KeyJson;
  readonly me: string;
  readonly replacement?: KeyJson | undefined;
  readonly actions?: Omit<KeyActions, 'onError'>;
}) {
  const [error, setError] = useState<string>();
  const isFinal = key.status === 'revoked';
  return (
    <Row>
      <Cell full className="@4xl/table:w-full @4xl/table:max-w-0">
        <div className="@max-4xl/table:pr-12">
          {actions && !isFinal ? <KeyName of={key} /> : <div className="truncate font-medium">{key.name}</div>}
        </div>
        <div className="text-xs text-muted @4xl/table:truncate">
          Created <TimeAgo at={key.created_at} />
          {key.created_by === me ? ' by you' : key.created_by_name !== null && ` by ${key.created_by_name}`}
          {key.project && (
            <>
              {' · '}
              <Link href={paths.project(key.project.id, key.mode)} className={linkClass}>
                {key.project.name}
              </Link>
            </>
          )}
        </div>
        {key.project && isUsedUp(key.project.limit) && (
          <p className="text-xs text-bad">The budget of {key.project.name} is used up: paid requests are refused.</p>
        )}
        {replacement && key.status === 'active' && <Handover of={key} />}
        {error && (
          <p role="alert" className="text-xs text-bad">
            {error}
          </p>
        )}
      </Cell>
      <Cell full className="whitespace-nowrap">
        <span className="inline-flex flex-wrap items-center gap-1.5">
          <code className="font-mono text-xs">{key.display}</code>
          {key.scopes.includes('manage') && <Chip tone="accent">manage</Chip>}
          <Restricted of={key} />
        </span>
      </Cell>
      <Cell name="Spend limit">
        {key.limit ? (
          <LimitBar
            label={`Spend of ${key.name}`}
            spent={key.limit.spent}
            amount={key.limit.amount}
            description={<LimitPeriod of={key.limit} />}
          />
        ) : (
          <span className="whitespace-nowrap text-muted">No limit</span>
        )}
      </Cell>
      <Cell name="Last used" className="whitespace-nowrap text-muted">
        <LastUse of={key} />
      </Cell>
      <Cell name="Expires" className="whitespace-nowrap text-muted">
        <Expiry of={key} />
      </Cell>
      <Cell name="Status">
        <KeyStateChip of={key} />
      </Cell>
      {actions && (
        <Cell corner align="right">
          {!isFinal && <KeyMenu of={key} {...actions} onError={setError} />}
        </Cell>
      )}
    </Row>
  );
}

/** Shows whether a replaced key is still in use. */
function Handover({ of: key }: { readonly of: KeyJson }) {
  return (
    <p className="text-xs text-warn">
      Replaced
      {key.expires_at !== null && (
        <>
          , ends <TimeAgo at={key.expires_at} />
        </>
      )}
      {key.last_used_at === null ? ' · never used' : ' · last used '}
      {key.last_used_at !== null && <TimeAgo at={key.last_used_at} />}
    </p>
  );
}

function Restricted({ of: key }: { readonly of: KeyJson }) {
  const restrictions = restrictionsOf(key);
  if (restrictions.length === 0) return null;
  return (
    <Tooltip
      content={
        <span className="flex flex-col gap-1">
          {restrictions.map(({ label, only }) => (
            <span key={label}>
              <span className="opacity-70">{label}</span> {only.join(', ')}
            </span>
          ))}
        </span>
      }
    >
      <Chip tone="info">restricted</Chip>
    </Tooltip>
  );
}
