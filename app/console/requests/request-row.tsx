'use client';

import Link from 'next/link';
import type { RequestJson } from '../../../lib/contract/requests';
import { Charge, isRunning } from '../components/request/charge';
import { shortAdvice } from '../components/request/failure-advice';
import { keyNameOf } from '../components/request/key-name';
import { requestKinds } from '../components/request/request-kinds';
import { requestPath } from '../components/request/request-path';
import { RequestStatusChip } from '../components/request/request-status-chip';
import { CopyButton } from '../components/ui/copy-button';
import { elapsed, milliseconds } from '../components/ui/elapsed';
import { useNow } from '../components/ui/now';
import { grouped } from '../components/ui/numbers';
import { Cell, Row } from '../components/ui/table';
import { TimeAgo } from '../components/ui/time-ago';

export function RequestRow({ request }: { readonly request: RequestJson }) {
  const nowMs = useNow();
  const { id, kind, model, provider, status, code, key, duration_ms: durationMs, created_at: createdAt } = request;
  const { icon: Icon, word } = requestKinds[kind];
  return (
    <Row>
      <Cell full className="@4xl/table:w-full @4xl/table:max-w-0">
        <div className="flex min-w-0 items-center gap-3">
          <span
            aria-hidden="true"
            className="grid size-9 shrink-0 place-items-center rounded-md border border-line bg-sunken text-muted"
          >
            <Icon size={15} />
          </span>
          <div className="min-w-0 flex-1">
            {/* The link covers the whole row; interactive elements are above it. */}
            <Link
              href={requestPath(request)}
              prefetch={false}
              className="block truncate font-medium after:absolute after:inset-0"
            >
              {model}
              <span className="sr-only"> {id}</span>
            </Link>
            <div className="flex min-w-0 items-center gap-1 text-xs text-muted">
              <span className="truncate">
                {word}
                {provider !== undefined && ` · ${provider}`} <span className="font-mono">· {id.slice(0, 14)}…</span>
              </span>
              <span className="relative z-1 -my-2 @max-4xl/table:hidden">
                <CopyButton text={id} label={`Copy the id ${id}`} />
              </span>
            </div>
            {code !== undefined && (
              <p className="text-xs @4xl/table:truncate" title={shortAdvice(code)}>
                <span className={`font-mono ${status === 'failed' ? 'text-bad' : 'text-muted'}`}>{code}</span>{' '}
                <span className="text-muted">{shortAdvice(code)}</span>
              </p>
            )}
          </div>
        </div>
      </Cell>
      <Cell name="Outcome" className="@4xl/table:w-32">
        <RequestStatusChip status={status} />
      </Cell>
      <Cell name="Time taken" align="right" className="whitespace-nowrap text-muted tabular-nums">
        {durationMs !== undefined
          ? milliseconds(durationMs)
          : isRunning(request)
            ? elapsed(Math.max(0, nowMs / 1000 - createdAt))
            : '–'}
      </Cell>
      <Cell name="Used" align="right" className="whitespace-nowrap text-muted tabular-nums">
        {usedLabel(request)}
      </Cell>
      <Cell name="Key" className="max-w-40 truncate text-muted @4xl/table:max-w-32">
        <span title={keyNameOf(key)}>{keyNameOf(key)}</span>
      </Cell>
      <Cell name="Cost" align="right" className="whitespace-nowrap tabular-nums">
        <Charge request={request} />
      </Cell>
      <Cell name="Created" align="right" className="text-muted">
        <span className="relative z-1">
          <TimeAgo at={createdAt} />
        </span>
      </Cell>
    </Row>
  );
}

/** Returns the quantity that was charged: tokens, seconds or characters. */
function usedLabel({ tokens, seconds, characters }: RequestJson): string {
  if (tokens)
    return tokens.input + tokens.output === 0 ? '–' : `${grouped(tokens.input)} in · ${grouped(tokens.output)} out`;
  if (characters !== undefined) return `${grouped(characters)} chars`;
  return seconds === undefined ? '–' : `${grouped(Math.round(seconds * 10) / 10)} s`;
}
