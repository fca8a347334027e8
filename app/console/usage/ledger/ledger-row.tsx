'use client';

import Link from 'next/link';
import type { LedgerEntryJson } from '../../../../lib/contract/usage';
import { linkClass } from '../../components/ui/link-class';
import { usd } from '../../components/ui/money';
import { Cell, Row } from '../../components/ui/table';
import { TimeAgo } from '../../components/ui/time-ago';
import { paths } from '../../paths';
import { KINDS } from './ledger-filter';

export function LedgerRow({ entry }: { readonly entry: LedgerEntryJson }) {
  const kind = KINDS.find(([name]) => name === entry.kind)?.[1] ?? entry.kind;
  return (
    <Row>
      <Cell full className="whitespace-nowrap">
        <span className="block font-medium">
          {kind}
          {entry.hold?.state === 'open' && entry.kind === 'hold' && <span className="text-muted"> · open</span>}
        </span>
        <span className="block text-xs text-muted">
          <TimeAgo at={entry.created_at} />
        </span>
      </Cell>
      <Cell full className="min-w-0 @4xl/table:w-full @4xl/table:max-w-0">
        <span className="block truncate">
          <Cause of={entry.cause} />
        </span>
        <span className="block truncate text-xs text-muted">
          {entry.key && <>{entry.key.name}</>}
          {entry.hold && (
            <>
              {' · '}
              <Link
                href={paths.ledger({ subject: entry.hold.id })}
                prefetch={false}
                className={linkClass}
                aria-label={`All entries of the hold ${entry.hold.id}`}
              >
                <span className="font-mono">{entry.hold.id.slice(0, 12)}…</span>
              </Link>
            </>
          )}
        </span>
      </Cell>
      <Amount name="Available" amount={entry.available} />
      <Amount name="Held" amount={entry.held} />
      <Amount name="Charged" amount={entry.charged} />
      <Cell name="Available after" align="right" className="whitespace-nowrap text-muted tabular-nums">
        {entry.balance ? usd(entry.balance.available) : '–'}
      </Cell>
    </Row>
  );
}

/** A change with all digits. */
function Amount({ name, amount }: { readonly name: string; readonly amount: string }) {
  return (
    <Cell name={name} align="right" className="whitespace-nowrap tabular-nums">
      {amount === '0' ? (
        <span className="text-muted">–</span>
      ) : (
        <>{amount.startsWith('-') ? usd(amount) : `+${usd(amount)}`}</>
      )}
    </Cell>
  );
}

function Cause({ of: cause }: { readonly of: LedgerEntryJson['cause'] }) {
  switch (cause.kind) {
    case 'video':
      return cause.deleted || cause.model === null ? (
        <>Deleted video {cause.model}</>
      ) : (
        <Link href={paths.video(cause.id)} prefetch={false} className={linkClass}>
          Video · {cause.model}
        </Link>
      );
    case 'message': {
      const [first] = cause.messages;
      if (!first) return <>Messages in progress, or not charged</>;
      const models = [...new Set(cause.messages.map(({ model }) => model))].join(', ');
      return (
        <>
          {cause.count === 1 ? 'Message' : `${cause.count} messages`} · {models}{' '}
          <span className="font-mono text-xs text-muted" title={cause.messages.map(({ id }) => id).join('\n')}>
            {first.id.slice(0, 12)}…
          </span>
        </>
      );
    }
    case 'transfer':
      return (
        <>
          {cause.reason ?? (cause.reference === 'first-run' ? 'Credits of the first start' : 'Credits')}
          {cause.subject !== null && (
            <>
              {' · '}
              <Link href={paths.ledger({ subject: cause.subject })} prefetch={false} className={linkClass}>
                <span className="font-mono text-xs">{cause.subject.slice(0, 14)}…</span>
              </Link>
            </>
          )}
        </>
      );
    default:
      return (
        <>
          {cause.kind === 'speech' ? 'Speech' : 'Transcription'} · {cause.model ?? 'deleted'}{' '}
          {cause.session !== null && (
            <Link href={paths.ledger({ subject: cause.session })} prefetch={false} className={linkClass}>
              <span className="font-mono text-xs">{cause.session.slice(0, 16)}…</span>
            </Link>
          )}
        </>
      );
  }
}
