'use client';

import Link from 'next/link';
import { Fragment } from 'react';
import type { LedgerEntryJson } from '../../../../lib/contract/usage';
import { linkClass } from '../../components/ui/link-class';
import { usd } from '../../../../lib/domain/money';
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

/** A change of the credits, with all digits. */
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
      if (cause.messages.length === 0) return <>Messages in progress, or not charged</>;
      const models = [...new Set(cause.messages.map(({ model }) => model))].join(', ');
      const hidden = cause.count - cause.messages.length;
      return (
        <>
          {cause.count === 1 ? 'Message' : `${cause.count} messages`} · {models}
          {cause.messages.map(({ id }) => (
            <Fragment key={id}>
              {' '}
              <ShortId id={id} href={paths.message(id)} />
            </Fragment>
          ))}
          {hidden > 0 && <span className="text-muted"> and {hidden} more</span>}
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
              <ShortId id={cause.subject} href={paths.ledger({ subject: cause.subject })} />
            </>
          )}
        </>
      );
    default: {
      const name = cause.kind === 'speech' ? 'Speech' : 'Transcription';
      if (cause.model === null) return <>Deleted {name.toLowerCase()}</>;
      return (
        <>
          <Link href={paths.session(cause.id)} prefetch={false} className={linkClass}>
            {name} · {cause.model}
          </Link>{' '}
          {cause.session !== null && <ShortId id={cause.session} href={paths.ledger({ subject: cause.session })} />}
        </>
      );
    }
  }
}

/** A link whose text is the start of an id. */
function ShortId({ id, href }: { readonly id: string; readonly href: string }) {
  return (
    <Link href={href} prefetch={false} className={linkClass} title={id}>
      <span className="font-mono text-xs">{id.slice(0, 14)}…</span>
    </Link>
  );
}
