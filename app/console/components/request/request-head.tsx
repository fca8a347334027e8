import type { ReactNode } from 'react';
import type { RequestJson, RequestStatus } from '../../../../lib/contract/requests';
import type { Mode } from '../../../../lib/domain/video';
import { Chip } from '../ui/chip';
import { TimeAgo } from '../ui/time-ago';
import { keyNameOf } from './key-name';
import { RequestStatusChip } from './request-status-chip';
import { PageHeading } from '../ui/page-heading';

/** The heading of the page of one request: a link back to its list, its model, status and origin. */
export function RequestHead({
  list,
  id,
  request,
  actions,
  children,
}: {
  readonly list: { readonly title: string; readonly path: string };
  readonly id: string;
  readonly request: {
    readonly model: string;
    readonly status: RequestStatus;
    readonly mode: Mode;
    /** Unix seconds. */
    readonly created_at: number;
    readonly key: RequestJson['key'];
  };
  readonly actions?: ReactNode;
  /** Below the heading. */
  readonly children?: ReactNode;
}) {
  const { model, status, mode, created_at: createdAt, key } = request;
  return (
    <PageHeading
      parent={{ ...list, here: <span className="font-mono text-xs">{id}</span> }}
      title={model}
      chips={
        <span aria-live="polite" className="inline-flex gap-1.5">
          <RequestStatusChip status={status} />
          <Chip tone={mode === 'test' ? 'accent' : 'neutral'}>{mode}</Chip>
        </span>
      }
      description={
        <>
          {children}
          <p>
            <TimeAgo at={createdAt} /> by {keyNameOf(key)}
          </p>
        </>
      }
      actions={actions}
    />
  );
}

/** The columns of the page of one request. On narrow screens `side` comes before `rest`. */
export function RequestColumns({
  main,
  side,
  rest,
}: {
  readonly main: ReactNode;
  readonly side: ReactNode;
  readonly rest: ReactNode;
}) {
  return (
    <div className="@container">
      <div className="grid items-start gap-5 @4xl:grid-cols-[minmax(0,1.7fr)_minmax(0,1fr)] @4xl:grid-rows-[auto_1fr]">
        <div className="flex min-w-0 flex-col gap-5">{main}</div>
        <div className="flex min-w-0 flex-col gap-5 @4xl:col-start-2 @4xl:row-span-2 @4xl:row-start-1">{side}</div>
        <div className="flex min-w-0 flex-col gap-5">{rest}</div>
      </div>
    </div>
  );
}
